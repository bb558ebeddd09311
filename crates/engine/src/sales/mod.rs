//! Flash sales, from the gate to the money.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`gate`] | tokens, captchas, the waiting room, and what is sold out |
//! | [`attempts`] | tries to buy: made, decided in batches, answered |
//! | [`orders`] | what is shown of orders, and cancelling |
//! | [`payments`] | where to pay, money that came, an order and the payment that is for it, money that goes back |
//! | [`queries`], [`reports`] | sales as everybody sees them; their figures for operators |

pub mod attempts;
pub mod gate;
pub mod orders;
pub(crate) mod orders_job;
pub mod payments;
pub mod pictures;
pub mod queries;
pub(crate) mod relay;
pub mod reminders;
pub(crate) mod reminders_job;
pub mod reports;
pub mod resizing;
pub mod running;
