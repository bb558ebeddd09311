//! Buying in a sale: the attempt, the order that comes of it, and the money.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `attempt` | making one, and what is told of it |
//! | `reserve` | an attempt as a command to the ledger, and its refusals by name |
//! | `orders` | what is shown of orders, and cancelling |
//! | `pay` | where to pay, and money that came |
//! | `settle` | an order and the payment that is for it |
//! | `refund` | money that goes back |

mod attempt;
mod orders;
mod pay;
mod refund;
pub(crate) mod reserve;
mod settle;

pub use attempt::{Asked, AttemptTold, attempt, attempt_follow, attempt_look, attempt_told};
pub use orders::{
    ItemTold, OrderTold, my_items, my_orders, order_cancel, order_find, order_list, order_look,
    order_of_user, told,
};
pub use pay::{Came, payment_arrived, payment_begin};
pub use refund::{Refund, order_refund, refund_carry_out};
pub use settle::settle;
