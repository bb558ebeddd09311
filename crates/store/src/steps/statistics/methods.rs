//! The steps of statistics as methods of `Db`.

use std::collections::BTreeMap;

use domain::civil_date::CivilDate;
use domain::ids::ActivityId;
use domain::statistics::{DayRange, DistinctCount};

use super::{add, people, read, totals};
use crate::db::Db;
use crate::failure::Result;
use crate::model::{ActiveDay, BuyerCounts, CohortRow, DayTotals, PeopleAdd, SiteDay, VisitsAdd, VisitsFind};

impl Db {
    /// The same again changes nothing.
    pub async fn visits_add(&self, step: VisitsAdd) -> Result<()> {
        self.write(step, |tx, step| Box::pin(add::add_visits(tx, step))).await
    }

    /// The same again changes nothing.
    pub async fn people_add(&self, step: PeopleAdd) -> Result<()> {
        self.write(step, |tx, step| Box::pin(people::add_people(tx, step))).await
    }

    pub async fn visit_days(&self, range: DayRange) -> Result<BTreeMap<CivilDate, DistinctCount>> {
        self.read(range, |tx, step| Box::pin(read::visit_days(tx, step))).await
    }

    pub async fn visit_union(&self, find: VisitsFind) -> Result<DistinctCount> {
        self.read(find, |tx, step| Box::pin(read::visit_union(tx, step))).await
    }

    pub async fn active_days(&self, range: DayRange) -> Result<BTreeMap<CivilDate, ActiveDay>> {
        self.read(range, |tx, step| Box::pin(read::active_days(tx, step))).await
    }

    pub async fn active_union(&self, range: DayRange) -> Result<u64> {
        self.read(range, |tx, step| Box::pin(read::active_union(tx, step))).await
    }

    pub async fn cohorts(&self, range: DayRange) -> Result<Vec<CohortRow>> {
        self.read(range, |tx, step| Box::pin(read::cohorts(tx, step))).await
    }

    pub async fn day_totals(&self, days: Vec<SiteDay>) -> Result<Vec<DayTotals>> {
        self.read(days, |tx, step| Box::pin(totals::day_totals(tx, step))).await
    }

    pub async fn claimed_count(&self, round: (ActivityId, u32)) -> Result<u64> {
        self.read(round, |tx, step| Box::pin(totals::claimed(tx, step))).await
    }

    pub async fn buyers_count(&self, sale: ActivityId) -> Result<BuyerCounts> {
        self.read(sale, |tx, step| Box::pin(totals::buyers(tx, step))).await
    }
}
