//! The embedded ledger on a real disk: threads, journal, restarts, a disk that fills up.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod answers;
mod crash;
mod full_disk;
mod holes;
mod journal;
mod metrics;
mod model;
mod place;
mod queue;
mod rows;
mod support;
mod writer;
