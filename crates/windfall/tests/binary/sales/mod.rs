//! Flash sales: written, reviewed and shown; restocked and extended while they run; pictures and reminders; and buying in
//! them: attempts, orders, payments.

mod attempts;
mod counters;
pub mod fixtures;
mod journeys;
mod ledger_sync;
mod operators;
mod payments;
mod pictures;
mod provider;
mod reminders;
mod report;
