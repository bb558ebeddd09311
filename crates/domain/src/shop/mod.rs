//! The shop: points for chances, codes and goods.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `offer` | what is sold, for how much, when, to whom how often; and whether it is sold now |
//! | `order` | what somebody bought: placed, then done or reversed; what is done can be refunded |
//!
//! What always holds: nothing is paid for that is not sold at that moment; an order that was placed ends once, either with
//! everything it is for or with the points back; what an offer gives never changes once it was on.
//!
//! Deliberately absent: stock and limits per user, which the ledger keeps in the pool `shop/<offer>`, and the points
//! themselves.

mod offer;
mod order;
#[cfg(test)]
mod tests;

pub use offer::{
    OFFER_CHANCES_MAX, OFFER_NAME_MAX, OFFER_TEXT_MAX, ORDER_QUANTITY_MAX, OfferChange, OfferDraft,
    OfferKind, OfferState, OfferTerms,
};
pub use order::{Settling, ShopOrderState, refund, settle};
