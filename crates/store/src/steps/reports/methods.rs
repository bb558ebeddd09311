//! The steps of reports as methods of `Db`.

use super::{create, decide, lists};
use crate::db::Db;
use crate::failure::Result;
use crate::model::{
    DisclosedMessages, FeedPage, ReportCaseRow, ReportCreate, ReportDecide, ReportDisclose, ReportsFind,
};

impl Db {
    /// Answers whether this person had not reported it before.
    pub async fn report_create(&self, step: ReportCreate) -> Result<bool> {
        self.write(step, |tx, step| Box::pin(create::create(tx, step))).await
    }

    pub async fn reports_find(&self, step: ReportsFind) -> Result<FeedPage<ReportCaseRow>> {
        self.read(step, |tx, step| Box::pin(lists::find(tx, step))).await
    }

    pub async fn reports_open(&self) -> Result<i64> {
        self.read((), |tx, step| Box::pin(lists::count_open(tx, step))).await
    }

    pub async fn report_decide(&self, step: ReportDecide) -> Result<()> {
        self.write(step, |tx, step| Box::pin(decide::decide(tx, step))).await
    }

    pub async fn report_disclose(&self, step: ReportDisclose) -> Result<DisclosedMessages> {
        self.write(step, |tx, step| Box::pin(decide::disclose(tx, step))).await
    }
}
