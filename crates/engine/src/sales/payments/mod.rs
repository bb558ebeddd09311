//! Money for orders: where to pay, what came, and what goes back.

mod pay;
mod refund;
mod settle;

pub use pay::{IncomingPayment, payment_accept, payment_begin, sandbox_pay_late};
pub use refund::{Refund, order_refund, refund_carry_out};
pub use settle::settle;
