//! The port of the shop, one line per method.

use domain::ids::{FulfilmentId, OfferId, ShopOrderId, UserId};
use domain::page::{Page, PageRequest};
use domain::shop::{OfferState, Settling};
use domain::time::Timestamp;

use super::{offers, place, settle};
use crate::Db;
use crate::failure::Result;
use crate::model::*;

impl Db {
    pub async fn offer_make(&self, step: OfferMake) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(offers::make(tx, step))).await
    }

    /// A change that changes nothing is no edition.
    pub async fn offer_edit(&self, step: OfferEdit) -> Result<OfferEditAnswer> {
        self.write(step, |tx, step| Box::pin(offers::edit(tx, step))).await
    }

    pub async fn offer(&self, id: OfferId) -> Result<Option<OfferRow>> {
        self.read(id, |tx, id| Box::pin(offers::find(tx, id))).await
    }

    /// The newest first.
    pub async fn offer_list(&self, state: Option<OfferState>, page: PageRequest) -> Result<Page<OfferRow>> {
        self.read((state, page), |tx, step| Box::pin(offers::list(tx, step))).await
    }

    /// What was placed under somebody's key.
    pub async fn order_under(&self, user: UserId, key: String) -> Result<Option<ShopOrderRow>> {
        self.read((user, key), |tx, step| Box::pin(place::under(tx, step))).await
    }

    /// Points, order, what is given for it and the message that settles it: all of it, or a refusal and nothing. The same
    /// key again is the same order; for something else it is a conflict.
    pub async fn order_place(&self, step: OrderPlace) -> Result<PlacedOrder> {
        self.write(step, |tx, step| Box::pin(place::place(tx, step))).await
    }

    pub async fn order(&self, id: ShopOrderId) -> Result<Option<ShopOrderRow>> {
        self.read(id, |tx, id| Box::pin(place::find(tx, id))).await
    }

    /// The orders that things are given for, in the order asked for.
    pub async fn orders_of(&self, things: Vec<FulfilmentId>) -> Result<Vec<Option<ShopOrderRow>>> {
        self.read(things, |tx, things| Box::pin(place::of_things(tx, things))).await
    }

    /// The newest first.
    pub async fn order_list(&self, user: UserId, page: PageRequest) -> Result<Page<ShopOrderRow>> {
        self.read((user, page), |tx, step| Box::pin(place::list(tx, step))).await
    }

    /// Everybody's, the newest first.
    pub async fn order_search(
        &self,
        search: ShopOrderSearch,
        page: PageRequest,
    ) -> Result<Page<ShopOrderRow>> {
        self.read((search, page), |tx, step| Box::pin(place::search(tx, step))).await
    }

    /// Points that a user has ever spent, less those of orders that were reversed.
    pub async fn points_sum_spent(&self, user: UserId) -> Result<u64> {
        self.read(user, |tx, user| Box::pin(place::sum_spent(tx, user))).await
    }

    /// Lets go what was bought, or gives the points back. One that has ended so is left as it is.
    pub async fn order_settle(
        &self,
        id: ShopOrderId,
        settling: Settling,
        now: Timestamp,
    ) -> Result<ShopOrderRow> {
        self.write((id, settling, now), |tx, step| Box::pin(settle::settle(tx, step))).await
    }
}
