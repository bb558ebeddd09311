//! The many-node profile, begun: the ledger of one shard as a Redis function.
//!
//! **It is not a whole ledger yet, and the binary does not offer it.** It shows that the port
//! [`Stock`](engine::ports::Stock) fits a Redis function: the same contract suite passes, and random sequences compare
//! equal with `domain::ledger`. What is missing before anybody may rely on it stands in
//! `docs/decisions/0010-redis-functions.md`, first of all the projection: an answer here is what Redis has decided, and
//! Redis may forget it in a failover.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`library`] | the function library, `functions/ledger/*.lua`, and how it is loaded |
//! | [`shard`] | the six keys of a shard, under one hash tag |
//! | [`server`] | what is asked of a Redis before it is trusted with stock |
//! | [`stock`] | [`RedisStock`]: what arrives together goes in one call |
//! | [`journal`] | the shard's stream as events of `domain::ledger` |
//! | `encode`, `decode` | commands and answers as bytes |

mod bytes;
mod decode;
mod encode;
pub mod journal;
pub mod library;
pub mod server;
pub mod shard;
pub mod stock;

pub use shard::Shard;
pub use stock::{RedisStock, Settings, StartError};
