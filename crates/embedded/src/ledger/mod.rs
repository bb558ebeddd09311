//! The embedded ledger: the pure state machine of `domain::ledger`, made durable.
//!
//! ```text
//! callers ──▶ queue ──▶ decider thread ──block──▶ committer thread ──▶ journal.db
//!                        (memory only)              (one fsync for all that is ready)
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
//! a `sync` and a `journal` of its own.

mod auditor;
mod auditor_orders;
mod auditor_play;
mod barrier;
mod committer;
pub mod core;
mod decider;
pub mod journal;
pub mod pace;
mod projector;
pub mod queue;
pub mod shipping;
mod stock;
mod stuck;
mod sync;
pub mod tally;
pub mod writer;

pub use auditor::LedgerAuditor;
pub use core::{Ask, Block};
pub use journal::{Checkpointer, Journal, JournalError};
pub use shipping::{JournalCopy, JournalFollower, copy_journal};
pub use stock::EmbeddedStock;
pub use writer::{CLOCK_BACK_MAX_MS, LedgerWriter, NoAnswer, Reply, WriterSettings};
