//! The port of the shop, one line per method.

use async_trait::async_trait;
use domain::ids::{FulfilmentId, OfferId, ShopOrderId, UserId};
use domain::page::{Page, PageRequest};
use domain::shop::{OfferState, Settling};
use domain::time::Timestamp;
use engine::Outcome;
use engine::ports::*;

use super::{offers, place, settle};
use crate::Db;

#[async_trait]
impl Shop for Db {
    async fn offer_make(&self, step: OfferMake) -> Outcome<Made> {
        self.write(step, |tx, step| Box::pin(offers::make(tx, step))).await
    }

    async fn offer_edit(&self, step: OfferEdit) -> Outcome<OfferEditAnswer> {
        self.write(step, |tx, step| Box::pin(offers::edit(tx, step))).await
    }

    async fn offer(&self, id: OfferId) -> Outcome<Option<OfferRow>> {
        self.read(id, |tx, id| Box::pin(offers::find(tx, id))).await
    }

    async fn offer_list(&self, state: Option<OfferState>, page: PageRequest) -> Outcome<Page<OfferRow>> {
        self.read((state, page), |tx, step| Box::pin(offers::list(tx, step))).await
    }

    async fn order_under(&self, user: UserId, key: String) -> Outcome<Option<OrderRow>> {
        self.read((user, key), |tx, step| Box::pin(place::under(tx, step))).await
    }

    async fn order_place(&self, step: OrderPlace) -> Outcome<Placed> {
        self.write(step, |tx, step| Box::pin(place::place(tx, step))).await
    }

    async fn order(&self, id: ShopOrderId) -> Outcome<Option<OrderRow>> {
        self.read(id, |tx, id| Box::pin(place::find(tx, id))).await
    }

    async fn orders_of(&self, things: Vec<FulfilmentId>) -> Outcome<Vec<Option<OrderRow>>> {
        self.read(things, |tx, things| Box::pin(place::of_things(tx, things))).await
    }

    async fn order_list(&self, user: UserId, page: PageRequest) -> Outcome<Page<OrderRow>> {
        self.read((user, page), |tx, step| Box::pin(place::list(tx, step))).await
    }

    async fn order_search(&self, search: ShopOrderSearch, page: PageRequest) -> Outcome<Page<OrderRow>> {
        self.read((search, page), |tx, step| Box::pin(place::search(tx, step))).await
    }

    async fn points_spent(&self, user: UserId) -> Outcome<u64> {
        self.read(user, |tx, user| Box::pin(place::spent(tx, user))).await
    }

    async fn order_settle(&self, id: ShopOrderId, settling: Settling, now: Timestamp) -> Outcome<OrderRow> {
        self.write((id, settling, now), |tx, step| Box::pin(settle::settle(tx, step))).await
    }
}
