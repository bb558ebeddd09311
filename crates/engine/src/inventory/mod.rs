//! The ledger as a service for a company's own backends: pools of stock, and holds on them.
//!
//! A request becomes an [`InventoryRequest`]; [`ask`] and [`ask_many`] turn it into commands, take them to the ledger in one step,
//! and put names to what came back. Reading is in [`queries`].

mod answer;
mod ask;
pub mod auditing;
mod pool_names;
pub mod queries;
pub mod reconcile;

pub(crate) use answer::pool_rejection;
pub use answer::{
    InventoryAnswer, InventoryChange, InventoryItem, NamedHold, NamedLine, PoolCounters, ask, ask_many,
    stock_rejection,
};
pub(crate) use ask::text;
pub use ask::{Asker, BATCH_MAX, GivenLine, InventoryRequest, Wish, check};
pub use pool_names::PoolNames;
