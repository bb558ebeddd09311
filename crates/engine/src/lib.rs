//! Use cases by feature, with their caches, handlers of messages and recurring jobs.
//!
//! A flow reads top-down: it validates through `domain`, does the slow or random part first (hashing, tokens, ids), then
//! takes one atomic step of the store or asks the ledger. A step may be repeated and is never a `get` followed by a `set`.
//! What flows need from elsewhere is a port ([`ports`]). This crate knows no SQL and no HTTP.
//!
//! | feature | what is in it |
//! | --- | --- |
//! | [`people`], [`access`] | accounts and sessions; keys, approvals and the audit log |
//! | [`activities`], [`trees`] | campaigns: written, reviewed, run, brought to the ledger, simulated; rule trees |
//! | [`activity_cache`] | published activities in memory, for everything that is asked often |
//! | [`draws`] | what players do with them: draws, raffles, wins, proofs |
//! | [`sales`], [`shop`] | flash sales from the gate to the money; things for points |
//! | [`inventory`] | the ledger as a service, and the auditor's passes |
//! | [`fulfilment`], [`points`], [`webhooks`] | giving prizes; points and grants by rule; what others hear of |
//! | [`community`] | posts, likes, votes, follows |
//! | [`search`] | what is found by its words, and the index that follows the rows |
//! | [`statistics`] | how many came, how many came again, and how far they got |
//! | [`operations`] | backups, quarantine, jobs, clearing away |
//! | [`relay`], [`jobs`] | how messages and recurring work are carried out; the features have the handlers and steps |

pub mod access;
pub mod activities;
pub mod activity_cache;
pub mod caller;
pub(crate) mod caught_up;
pub mod community;
pub mod draws;
pub mod fulfilment;
pub mod inventory;
pub mod jobs;
pub mod operations;
pub mod people;
pub mod points;
pub mod ports;
mod recent;
pub mod relay;
pub mod sales;
pub mod search;
pub mod settings;
pub mod shop;
mod single_flight;
pub mod statistics;
pub mod trees;
pub mod webhooks;
pub mod world;

pub use caller::{Caller, Repeat};
pub use store::failure::{self, Failure, Fault, Result};
pub use world::World;
