//! Flash sales: written, reviewed and shown; restocked and extended while they run; pictures and reminders; and buying in
//! them: attempts, orders, payments.

mod attempts;
mod carrying;
mod counters;
pub mod given;
mod journeys;
mod operators;
mod payments;
mod pictures;
mod provider;
mod reminders;
mod report;
