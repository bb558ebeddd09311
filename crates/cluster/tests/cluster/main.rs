//! The ledger as a Redis function, on a real Redis: the contract of its port, what its journal says, and what happens
//! when something is missing or breaks.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod breaking;
mod contract;
mod holes;
mod proxy;
mod subject;
