//! The position that the projection keeps with its rows, as a claim compares it with the log.

use std::sync::Arc;

use store::Db;
use tokio::runtime::Handle;

use super::kept::KeptPosition;
use super::settings::KeptPositions;

/// Reads the projection's position in this database. To be called on threads that may wait, not on those of the runtime.
pub fn keep_projected(db: Db, runtime: Handle) -> KeptPositions {
    Arc::new(move || {
        let position = runtime.block_on(db.ledger_position()).map_err(|failure| failure.to_string())?;
        let (seq, term, digest) = (position.seq, position.term, position.digest);
        Ok(vec![KeptPosition { keeper: "the projection", seq, term, digest }])
    })
}
