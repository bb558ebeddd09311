//! Flash sales (秒杀): so many units of one item, at one price, in a window, and a crowd.
//!
//! A sale is an activity of its own kind: it is written, reviewed, run, paused and stopped as every other. What it sells
//! is its [`SalePlan`]. Its units are one pool of the ledger, which lives across rounds and versions.
//!
//! In front of it is a gate: tokens, pictures, places in a line, all of them signed numbers ([`token`], [`challenge`],
//! [`room_place`]); the sold-out flag ([`sold_out`]) and the waiting room ([`room`]) are machines of values.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `plan`, `plan_bytes`, `plan_check` | what is sold, how it is written down, what it may say |
//! | `currency` | currencies, and how amounts are shown |
//! | `attempt` | where an attempt to buy stands, and when to ask again |
//! | `names` | what orders are called in the ledger |
//! | `order` | the life of an order, as one table |
//! | `payment` | what is done with money that came |
//!
//! What always holds: an order of a sale that deducts at order exists exactly when its hold does; its units go back once or
//! are taken once; money that came is an order's, or goes back.

mod attempt;
pub mod challenge;
mod currency;
mod extend;
mod names;
mod order;
mod payment;
mod plan;
mod plan_bytes;
mod plan_check;
mod question;
pub mod room;
pub mod room_place;
mod seal;
pub mod sold_out;
#[cfg(test)]
mod tests;
pub mod token;

pub use attempt::{AttemptState, CART_LINES_MAX, WAIT_MS_MAX, ask_again_ms};
pub use currency::{Currency, Money};
pub use extend::extend_window;
pub use names::{again_id, again_key, hold_id, hold_key, order_of, owner, user_of};
pub use order::{OrderEvent, OrderState, state_at, step};
pub use payment::{Arrival, PaymentState, REFERENCE_MAX, RefundReason, arrival};
pub use plan::{GatePlan, ItemKind, Policy, Price, RoomPlan, SalePlan};
pub(crate) use plan_bytes::PLAN_HEAD;
pub use plan_check::{
    DETAILS_MAX, HOLD_MS_DEFAULT, HOLD_MS_MAX, HOLD_MS_MIN, NAME_MAX, ORDER_UNITS_MAX, PER_SECOND_MAX,
    PER_USER_MAX, PICTURE_MAX, PICTURES_MAX, PRICE_MINOR_MAX,
};
pub use question::SumQuestion;
pub use seal::GateKey;

/// Who makes the holds of sales in the ledger: nobody's id, so that no caller of the inventory meets them.
pub const SALES_CALLER: i64 = -6;
