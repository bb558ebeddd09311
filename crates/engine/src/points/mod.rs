//! Points: the account, what earns them and chances by rule, when they expire, and how they are given.

pub mod account;
pub mod behaviours;
pub(crate) mod behaviours_relay;
pub mod calendar;
pub(crate) mod chances_relay;
pub(crate) mod expiry_job;
pub mod grants;
pub(crate) mod relay;
