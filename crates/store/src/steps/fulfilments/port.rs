//! The port of fulfilments, one line per method.

use async_trait::async_trait;
use domain::fulfilment::Step;
use domain::ids::{ActivityId, FulfilmentId};
use domain::lottery::strategy::PrizeId;
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;
use engine::Outcome;
use engine::ports::{
    Fence, FulfilmentAct, FulfilmentClaim, FulfilmentRow, FulfilmentSearch, Fulfilments, Signed,
};

use super::{clock, look, step, take_back, winners};
use crate::Db;

#[async_trait]
impl Fulfilments for Db {
    async fn fulfilment(&self, id: FulfilmentId) -> Outcome<Option<FulfilmentRow>> {
        self.read(id, |tx, step| Box::pin(look::find(tx, step))).await
    }

    async fn fulfilments_of(&self, ids: Vec<FulfilmentId>) -> Outcome<Vec<FulfilmentRow>> {
        self.read(ids, |tx, step| Box::pin(look::some(tx, step))).await
    }

    async fn fulfilment_list(
        &self,
        search: FulfilmentSearch,
        page: PageRequest,
    ) -> Outcome<Page<FulfilmentRow>> {
        self.read((search, page), |tx, step| Box::pin(look::list(tx, step))).await
    }

    async fn fulfilment_claim(&self, step: FulfilmentClaim) -> Outcome<FulfilmentRow> {
        self.write(step, |tx, step| Box::pin(step::claim(tx, step))).await
    }

    async fn fulfilment_act(&self, step: FulfilmentAct) -> Outcome<FulfilmentRow> {
        self.write(step, |tx, step| Box::pin(step::act(tx, step))).await
    }

    async fn fulfilments_clock(&self, fence: Fence, step: Step, now: Timestamp, limit: u32) -> Outcome<u64> {
        self.write((fence, step, now, limit), |tx, step| Box::pin(clock::clock(tx, step))).await
    }

    async fn fulfilment_look(&self, id: FulfilmentId, signed: Signed) -> Outcome<()> {
        self.write((id, signed), |tx, step| Box::pin(look::signed(tx, step))).await
    }

    async fn taken_back_set(&self, id: FulfilmentId, was: Option<u32>, units: u32) -> Outcome<u32> {
        self.write((id, was, units), |tx, step| Box::pin(take_back::set(tx, step))).await
    }

    async fn taken_back_of(&self, ids: Vec<FulfilmentId>) -> Outcome<Vec<Option<u64>>> {
        self.read(ids, |tx, ids| Box::pin(take_back::find(tx, ids))).await
    }

    async fn units_back(&self, activity: ActivityId) -> Outcome<Vec<(PrizeId, u64)>> {
        self.read(activity, |tx, step| Box::pin(look::units_back(tx, step))).await
    }

    async fn winners_publish(&self, activity: ActivityId, signed: Signed) -> Outcome<Timestamp> {
        self.write((activity, signed), |tx, step| Box::pin(winners::publish(tx, step))).await
    }

    async fn winners_published(&self, activity: ActivityId) -> Outcome<Option<Timestamp>> {
        self.read(activity, |tx, step| Box::pin(winners::published(tx, step))).await
    }
}
