//! The continuous audit: pass after pass over everything the ledger and the database say of each other.
//!
//! A pass goes slice by slice with a pause in between, so that its cost is bounded whatever there is to compare. A
//! difference is told once, as an error with its exact row, and counted in a gauge that one difference is enough to
//! raise. It stops nothing: a difference pages somebody, it does not end a sale.

mod board;
mod pass;

pub use board::{Audits, Pass};
pub use pass::{Fix, run_pass, run_until};

/// Differences that a pass lists; the count goes on.
pub const LISTED_MAX: usize = 1_000;
