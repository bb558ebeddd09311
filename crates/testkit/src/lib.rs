//! Fixtures that start real servers, the ledger's reference model, and checks over the workspace itself.
//!
//! | module | what it gives a test |
//! | --- | --- |
//! | [`postgres`] | a real PostgreSQL: one per test process, or one of its own to stop, kill and restart |
//! | [`redis`] | a real Redis, in the same two ways |
//! | [`model`] | the ledger once more, naively, and random sequences of commands to compare the two |
//! | [`contract`] | the contract of the ledger's port, for every ledger behind it |
//! | [`timelines`] | the contract of kept timelines, for every home behind it |
//! | [`server`] | what both have in common: started on a free port, stopped, killed, started again |
//! | [`guard`] | a server process and its folder, which never outlive the test process |
//! | [`skip`] | a test that cannot run here says so, once, where `make test` shows it |
//! | [`wait`] | waiting for a condition with a deadline, instead of sleeping |
//!
//! Nothing here is mocked, and nothing here is used by the program itself. The checks over the workspace
//! (who may depend on whom, licences, forbidden crates) are tests of this crate: see `tests/workspace`.

pub mod contract;
pub mod guard;
pub mod model;
pub mod postgres;
pub mod redis;
pub mod server;
pub mod skip;
pub mod timelines;
pub mod wait;

mod account;
mod ports;

pub use postgres::{Database, Postgres};
pub use redis::Redis;
