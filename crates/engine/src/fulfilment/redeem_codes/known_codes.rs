//! The fingerprints of all codes there are, in memory while somebody imports.
//!
//! Eight bytes of a hash under a key outside the database: the same code has the same fingerprint in every pool, and two
//! different ones meet about once in ten thousand installations of fifty million codes; then one code too few is imported,
//! and told as there already. Whoever imports next within [`KEPT`] finds them here and reads only what others added.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use std::time::Duration;

use store::model::KnownChunk;
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::failure::Result;
use crate::fulfilment::redeem_codes::import::on_a_thread;
use crate::ports::Vault;
use crate::world::World;

/// Chunks read from the database at once: eight bytes of each of their codes.
const READ_CHUNKS_MAX: u32 = 500;
/// How long they stay in memory after an import.
const KEPT: Duration = Duration::from_secs(300);

/// One for the whole process: imports take turns.
#[derive(Clone, Default)]
pub struct KnownCodes(Arc<Mutex<CodePrints>>);

impl std::fmt::Debug for KnownCodes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KnownCodes").finish_non_exhaustive()
    }
}

#[derive(Default)]
pub(crate) struct CodePrints {
    prints: HashSet<u64, BuildHasherDefault<Itself>>,
    /// The newest chunk that is in it.
    pub seq: i64,
    imports: u64,
}

pub(crate) type PrintsGuard = OwnedMutexGuard<CodePrints>;

impl KnownCodes {
    /// Held until the import is over; then forgotten after a while.
    pub(crate) async fn hold(&self) -> PrintsGuard {
        let mut held = Arc::clone(&self.0).lock_owned().await;
        held.imports += 1;
        let (import, known) = (held.imports, Arc::clone(&self.0));
        tokio::spawn(async move {
            tokio::time::sleep(KEPT).await;
            let mut known = known.lock().await;
            if known.imports == import {
                *known = CodePrints { imports: import, ..CodePrints::default() };
            }
        });
        held
    }
}

impl CodePrints {
    pub fn has(&self, print: u64) -> bool {
        self.prints.contains(&print)
    }

    /// These and the chunk up to which they are known.
    pub fn learn(&mut self, prints: impl IntoIterator<Item = u64>, seq: i64) {
        self.prints.extend(prints);
        self.seq = seq;
    }

    fn learn_chunk(&mut self, chunk: &KnownChunk) {
        let prints = chunk.prints.as_chunks::<8>().0;
        self.learn(prints.iter().map(|bytes| u64::from_be_bytes(*bytes)), chunk.seq);
    }
}

/// Reads what was added since.
pub(crate) async fn catch_up(world: &World, mut held: PrintsGuard) -> Result<PrintsGuard> {
    loop {
        let chunks = world.db.code_prints_list(held.seq, READ_CHUNKS_MAX).await?;
        let more = chunks.len() == READ_CHUNKS_MAX as usize;
        held = on_a_thread(move || {
            chunks.iter().for_each(|chunk| held.learn_chunk(chunk));
            held
        })
        .await?;
        if !more {
            return Ok(held);
        }
    }
}

/// What a code is known by.
pub(crate) fn fingerprint(vault: &dyn Vault, code: &str) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = vault.index("redeem code", code);
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// As they are stored: sorted, so that they do not tell the order of the codes.
pub(crate) fn to_stored(mut prints: Vec<u64>) -> Vec<u8> {
    prints.sort_unstable();
    prints.iter().flat_map(|print| print.to_be_bytes()).collect()
}

/// A fingerprint is a hash already, under a key that nobody who writes codes knows.
#[derive(Default)]
pub(crate) struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, print: u64) {
        self.0 = print;
    }

    fn write(&mut self, bytes: &[u8]) {
        // Only numbers are hashed here; anything else would still work.
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_known_again() {
        let mut known = CodePrints::default();
        known.learn_chunk(&KnownChunk { seq: 7, prints: to_stored(vec![u64::MAX, 0, 5]) });
        assert_eq!(known.seq, 7);
        for (print, has) in [(0, true), (5, true), (u64::MAX, true), (1, false)] {
            assert_eq!(known.has(print), has, "{print}");
        }
        assert_eq!(to_stored(vec![256, 1]), [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0]);
    }
}
