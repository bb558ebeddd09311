//! Redeem codes: pools, chunks of encrypted codes, and which code was given for what.
//!
//! Codes have numbers in their pool, from 0 in the order of import, and a pool gives them in that order: its count of given
//! codes is the cursor, which goes past those that were retired. Only fingerprints under a key outside the database and encrypted chunks are here.

mod add;
mod low_pools;
mod methods;
mod pools;
mod queries;
mod retire;
mod take;

// For the handler that gives codes, inside its own transaction.
pub(super) use pools::{list_quarantined, lock};
pub(super) use retire::move_cursor;
pub(crate) use take::take;
