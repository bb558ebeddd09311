//! The profile of several nodes. A shard's ledger is the same as in one process, led by one node at a time; this crate has
//! the log that the nodes share.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`log`] | a shard's blocks in PostgreSQL, behind [`ledger::Log`]: one fenced statement per commit |
//! | [`lease`] | who leads a shard, and for how long |
//! | [`keeper`] | the threads that renew a lease, and that wait until it may be claimed |
//! | [`shard`] | the number of a shard |
//!
//! Not here yet: routing between nodes, Redis, Kafka
//! (decision 29).

pub mod keeper;
pub mod lease;
pub mod log;
pub mod shard;
