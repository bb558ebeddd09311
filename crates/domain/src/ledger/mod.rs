//! The ledger: the one way to take a unit of something scarce.
//!
//! A pure state machine over *pools* (counted stock), *holds* (two-phase reservations on one or more pools)
//! and the answers it has given. [`Ledger::apply`] takes the time and a [`Command`] and answers with an
//! [`Answer`]; when something changed there is also an [`Event`] to be made durable before anybody hears of it.
//!
//! How it is built, in one paragraph: *deciding* only reads ([`decide`]), *folding* an event is the only thing that
//! writes ([`fold`]). So a ledger that folds a journal from the beginning is, by construction, the ledger that
//! wrote it, and recovery never decides anything twice.
//!
//! What always holds:
//! - A pool satisfies `total = available + held + taken`, asserted after every fold. Stock changes by deltas only;
//!   nothing ever sets a counter.
//! - A command on several pools happens whole or not at all. Two lines on one pool are summed.
//! - An accepted id always answers the same; another body under it is a conflict. Refusals leave no trace.
//! - A hold ends exactly once: confirmed, cancelled or expired, always against the round it was taken in.
//! - Time never goes back by itself: `now = max(previous now, clock)`. That a clock which was ahead has been put right is
//!   an event of its own.
//!
//! Deliberately absent: clocks, randomness, IO, and any way to look up a hold that has left memory. Ids that left
//! are remembered by an 8-byte fingerprint ([`filter`]); a hit is handed back to the caller
//! ([`Answer::LookUp`]), who asks the database and comes again.

pub mod audit;
mod block_digest;
mod clock;
mod command;
mod decide;
mod digest;
mod directive;
mod due;
mod event;
mod filter;
mod fold;
mod lines;
mod look;
pub mod play;
mod recall;
mod record;
mod refusal;
mod restore;
mod slab;
mod state;
#[cfg(test)]
mod tests;
pub mod wire;

pub use block_digest::BlockDigest;
pub use clock::{CLOCK_SETTLE_MS, ClockSays, ClockWatch};
pub use command::{
    Command, Key, Line, MustRun, NOTE_MAX, Note, Owner, POOL_NAME_MAX, PoolId, PoolName, QUANTITY_MAX,
    Quantity, TEXT_MAX, Take, Text,
};
pub use digest::CommandDigest;
pub use directive::{Act, Directive};
pub use event::{Change, Event, PoolState, TakenLine};
pub use filter::Filter;
pub use lines::Lines;
pub use recall::{Stored, recall};
pub use record::{HoldState, HoldView, LineView, PoolView};
pub use refusal::{HoldRefusal, PlayRefusal, PoolRefusal, Refusal};
pub use restore::{OpenHold, Restore, RestoreError};
pub use state::{Answer, Effect, Ledger, Limits, OWNER_UNITS_MAX, TOTAL_MAX};
