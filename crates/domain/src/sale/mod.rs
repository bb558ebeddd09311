//! Sales (秒杀): a price, a stock, a window, and a crowd.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `attempt` | where an attempt to buy stands, and when to ask again |
//! | `names` | what orders are called in the ledger |
//! | `order` | the life of an order, as one table |
//! | `payment` | what is done with money that came |
//!
//! What always holds: an order of a sale that deducts at order exists exactly when its hold does; its units go back once or
//! are taken once; money that came is an order's, or goes back.

mod attempt;
mod names;
mod order;
mod payment;
#[cfg(test)]
mod tests;

pub use attempt::{AttemptState, CART_LINES_MAX, WAIT_MS_MAX, ask_again_ms};
pub use names::{SALES_CALLER, again_id, again_key, hold_id, hold_key, order_of, owner, user_of};
pub use order::{OrderEvent, OrderState, step};
pub use payment::{Arrival, Money, PaymentState, REFERENCE_MAX, Why, arrival};
