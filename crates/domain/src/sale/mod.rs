//! Flash sales: so many units of one item, at one price, in a window.
//!
//! A sale is an activity of its own kind: it is written, reviewed, run, paused and stopped as every other. What it sells
//! is its [`SalePlan`]. Its units are one pool of the ledger, which lives across rounds and versions.
//!
//! In front of it is a gate: tokens, pictures, places in a line, all of them signed numbers ([`token`], [`challenge`],
//! [`place`]); the sold-out flag ([`sold_out`]) and the waiting room ([`room`]) are machines of values.

pub mod challenge;
pub mod place;
mod plan;
mod plan_bytes;
mod plan_check;
pub mod room;
mod seal;
pub mod sold_out;
#[cfg(test)]
mod tests;
pub mod token;

pub use plan::{Currency, GatePlan, ItemKind, Policy, Price, Room, SalePlan};
pub(crate) use plan_bytes::PLAN_HEAD;
pub use plan_check::{
    DETAILS_MAX, HOLD_MS_DEFAULT, HOLD_MS_MAX, HOLD_MS_MIN, NAME_MAX, ORDER_UNITS_MAX, PER_SECOND_MAX,
    PER_USER_MAX, PICTURE_MAX, PICTURES_MAX, PRICE_MINOR_MAX,
};
pub use seal::GateKey;

/// Who makes the holds of sales in the ledger: nobody's id, so that no caller of the inventory meets them.
pub const SALES_CALLER: i64 = -6;
