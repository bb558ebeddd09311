//! The running ledger: the pure state machine of `domain::ledger`, made durable over a [`log`].
//!
//! ```text
//! callers ──▶ queue ──▶ decider thread ──block──▶ committer thread ──▶ log
//!                        (memory only)              (one sync for all that is ready)
//!                                                        │
//! callers ◀───────────────── answers ◀───────────────────┘
//! ```
//!
//! Requests that arrive while one commit is under way are decided meanwhile, and their blocks share the next: the busier
//! it is, the cheaper each gets. A refusal for lack of stock changes nothing and is told at once; everything that tells
//! of an outcome waits until that outcome is on disk. When a commit fails, those who waited hear that the outcome is
//! unknown, memory is thrown away, and the journal decides.
//!
//! [`core`] is all of this without threads: the crash simulator drives it step by step. The threads themselves run under
//! thousands of schedules in `crates/schedules`, which compiles [`queue`], [`writer`], `decider` and `committer` against
//! a `sync` of its own, over a log in memory.
//!
//! What is projected, and how, is the store's ([`store::ledger`]); this crate says when, and from which event on.

pub mod audit;
mod auditor;
mod auditor_orders;
mod auditor_play;
pub mod background;
mod barrier;
pub mod clock;
mod committer;
pub mod core;
mod decider;
pub mod log;
pub mod pace;
pub mod port;
mod projector;
pub mod queue;
mod running;
mod stuck;
mod sync;
pub mod tally;
pub mod writer;

pub use audit::{Auditor, LedgerFigures, Place, Slice, Sliced};
pub use auditor::LedgerAuditor;
pub use clock::Clock;
pub use core::{Ask, Block};
pub use log::{Log, LogClaim, LogError};
pub use port::{Lane, LedgerClock, Stock, StockAnswer};
pub use running::RunningLedger;
pub use writer::{CLOCK_BACK_MAX_MS, LedgerWriter, NoAnswer, Reply, WriterSettings};
