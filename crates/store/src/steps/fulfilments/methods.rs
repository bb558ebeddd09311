//! The port of fulfilments, one line per method.

use domain::fulfilment::FulfilmentStep;
use domain::ids::{ActivityId, FulfilmentId};
use domain::lottery::strategy::PrizeId;
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;

use super::{clock, queries, step, take_back, winners};
use crate::Db;
use crate::failure::Result;
use crate::model::{AuditStamp, Fence, FulfilmentAct, FulfilmentClaim, FulfilmentRow, FulfilmentSearch};

impl Db {
    pub async fn fulfilment(&self, id: FulfilmentId) -> Result<Option<FulfilmentRow>> {
        self.read(id, |tx, step| Box::pin(queries::find(tx, step))).await
    }

    /// In the order of the ids asked for; those without a row are left out.
    pub async fn fulfilments_of(&self, ids: Vec<FulfilmentId>) -> Result<Vec<FulfilmentRow>> {
        self.read(ids, |tx, step| Box::pin(queries::some(tx, step))).await
    }

    /// The newest first.
    pub async fn fulfilment_list(
        &self,
        search: FulfilmentSearch,
        page: PageRequest,
    ) -> Result<Page<FulfilmentRow>> {
        self.read((search, page), |tx, step| Box::pin(queries::list(tx, step))).await
    }

    /// Somebody else's is not found. Claiming what was claimed answers the row as it is.
    pub async fn fulfilment_claim(&self, step: FulfilmentClaim) -> Result<FulfilmentRow> {
        self.write(step, |tx, step| Box::pin(step::claim(tx, step))).await
    }

    /// A step that led here before and says the same again answers the row as it is.
    pub async fn fulfilment_act(&self, step: FulfilmentAct) -> Result<FulfilmentRow> {
        self.write(step, |tx, step| Box::pin(step::act(tx, step))).await
    }

    /// Takes the clock's steps for those whose time has come: `due` or `lapse`, a bounded number. Answers how many.
    pub async fn fulfilments_clock(
        &self,
        fence: Fence,
        step: FulfilmentStep,
        now: Timestamp,
        limit: u32,
    ) -> Result<u64> {
        self.write((fence, step, now, limit), |tx, step| Box::pin(clock::clock(tx, step))).await
    }

    /// Somebody is about to see where a parcel goes: a line in the audit log.
    pub async fn fulfilment_look(&self, id: FulfilmentId, signed: AuditStamp) -> Result<()> {
        self.write((id, signed), |tx, step| Box::pin(queries::audit_look(tx, step))).await
    }

    /// Writes down how many chances are to be taken back of a voided prize, if that was so; answers what stands.
    pub async fn taken_back_set(&self, id: FulfilmentId, was: Option<u32>, units: u32) -> Result<u32> {
        self.write((id, was, units), |tx, step| Box::pin(take_back::set(tx, step))).await
    }

    /// How much was taken back of voided prizes, in the order asked for.
    pub async fn taken_back_of(&self, ids: Vec<FulfilmentId>) -> Result<Vec<Option<u64>>> {
        self.read(ids, |tx, ids| Box::pin(take_back::find(tx, ids))).await
    }

    /// Units of an activity's prizes that went back because they were voided or not claimed in time, by prize.
    pub async fn units_back(&self, activity: ActivityId) -> Result<Vec<(PrizeId, u64)>> {
        self.read(activity, |tx, step| Box::pin(queries::units_back(tx, step))).await
    }

    /// The list of an activity's winners is for everybody from now on; answers since when it is.
    pub async fn winners_publish(&self, activity: ActivityId, signed: AuditStamp) -> Result<Timestamp> {
        self.write((activity, signed), |tx, step| Box::pin(winners::publish(tx, step))).await
    }

    /// Since when it is.
    pub async fn winners_published_at(&self, activity: ActivityId) -> Result<Option<Timestamp>> {
        self.read(activity, |tx, step| Box::pin(winners::find_published(tx, step))).await
    }
}
