//! Everything about an activity's draws in one file that anybody can check: written by the server, read by
//! `windfall verify` and by whoever writes their own (`docs/fairness.md`, "The export").
//!
//! The file is lines of words, so it can be written and read as a stream. [`mod@write`] has one function per kind of line.
//! [`Reader`] takes pieces of the text and says what they are: it begins with what was published, strategy and secret,
//! which must belong together, and cuts the records into [`Batch`]es. A batch can be checked by itself, on any core,
//! since the link before it is in the file: every record is at its place in the chain, and every draw comes out the same.
//! [`Verifier`] takes what came of it in order, asks whether the inputs follow from the draws before, draws raffles again,
//! and counts.
//!
//! Deliberately absent: files and threads (`engine::verification`).

mod hex;
mod line;
mod read;
mod receipt;
#[cfg(test)]
mod tests;
mod verify;
pub mod write;

pub use line::{ExportLine, LineError, SealedRound, Total};
pub use read::{Batch, CheckedBatch, ExportEvent, ExportedRaffle, PublishedTree, Reader};
pub use receipt::{Other, ReceiptSearch, ReceiptTicket, Unlike};
pub use verify::{Finding, LineFinding, Treeless, VerifiedCounts, Verifier};
