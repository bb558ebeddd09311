//! What others hear of: subscriptions, events copied to those who want them, deliveries.

pub(crate) mod deliveries_job;
pub(crate) mod events;
pub(crate) mod hooks;
pub mod subscriptions;
