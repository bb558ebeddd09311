//! Flash sales: written, reviewed and shown; restocked and extended while they run; pictures and reminders.

mod carrying;
pub mod given;
mod journeys;
mod pictures;
mod reminders;
