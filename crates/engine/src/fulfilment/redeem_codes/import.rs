//! Importing codes: a file or a piece of one, read whole, and then added a bounded number at a time.
//!
//! A code that is there, in whichever pool, is not added again: so an import that broke off is repeated, and adds what is
//! missing. Nothing of a file with a wrong line is added. Hashing and encrypting happen on threads for it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use domain::Rejection;
use domain::ids::CodePoolId;
use domain::redeem::{CHUNK_CODES_MAX, Chunk, CodeLine, SheetKind, read};
use store::model::{ADD_CHUNKS_MAX, AuditStamp, CodePoolRow, CodesAdd, CodesAdded, NewChunk};

use crate::failure::{Fault, Result};
use crate::fulfilment::redeem_codes::known_codes::{CodePrints, catch_up, fingerprint, to_stored};
use crate::fulfilment::redeem_codes::pools::code_pool_find;
use crate::ports::{SealContext, Vault};
use crate::world::World;

/// Lines of each kind that are told; beyond it they are only counted.
pub const LINES_TOLD_MAX: usize = 100;

/// What became of the lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodesImport {
    pub added: u64,
    /// Codes that were imported earlier, into this pool or another.
    pub already: u64,
    /// Their lines, the first of them.
    pub already_lines: Vec<u32>,
    /// Codes that stand further up in the same file.
    pub repeated: u64,
    /// Their lines and where each stands first, the first of them.
    pub repeated_lines: Vec<(u32, u32)>,
    /// The pool afterwards.
    pub pool: CodePoolRow,
}

pub async fn codes_import(
    world: &World,
    signed: AuditStamp,
    pool: CodePoolId,
    kind: SheetKind,
    text: Vec<u8>,
) -> Result<CodesImport> {
    code_pool_find(world, pool).await?;
    let vault = Arc::clone(&world.outside.vault);
    let given = Arc::new(on_a_thread(move || Given::read(vault.as_ref(), kind, text)).await??);
    let mut held = catch_up(world, world.caches.known_codes.hold().await).await?;
    let (mut added, mut already, mut already_lines) = (0, 0, Vec::new());
    let mut from = 0;
    while from < given.codes.len() {
        let (given, vault) = (Arc::clone(&given), Arc::clone(&world.outside.vault));
        let (mut known, batch) = on_a_thread(move || {
            let batch = Batch::sift(&held, &given.codes, from, vault.as_ref());
            (held, batch)
        })
        .await?;
        if !batch.chunks.is_empty() {
            // Each step has a line of its own in the audit log.
            let signed = AuditStamp { audit_id: world.next_id(), ..signed.clone() };
            let step = CodesAdd { pool, after: known.seq, chunks: batch.chunks, signed };
            match world.db.codes_add(step).await? {
                CodesAdded::Added(seq) => known.learn(batch.prints.iter().copied(), seq),
                CodesAdded::Behind => {
                    held = catch_up(world, known).await?;
                    continue;
                }
            }
        }
        held = known;
        from = batch.until;
        added += batch.prints.len() as u64;
        already += batch.already;
        already_lines.extend(batch.already_lines);
        already_lines.truncate(LINES_TOLD_MAX);
    }
    drop(held);
    let Given { repeated, ref repeated_lines, .. } = *given;
    let repeated_lines = repeated_lines.clone();
    let pool = code_pool_find(world, pool).await?;
    Ok(CodesImport { added, already, already_lines, repeated, repeated_lines, pool })
}

/// Runs what takes a processor for a while where it keeps nobody else waiting.
pub(crate) async fn on_a_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|error| Fault::caused("importing codes", error))?)
}

/// The codes of a file with their fingerprints, each once.
struct Given {
    codes: Vec<(u64, CodeLine)>,
    repeated: u64,
    repeated_lines: Vec<(u32, u32)>,
}

impl Given {
    fn read(vault: &dyn Vault, kind: SheetKind, text: Vec<u8>) -> Result<Self, Rejection> {
        let text = String::from_utf8(text)
            .map_err(|error| Rejection::BodyMalformed { detail: error.utf8_error().to_string() })?;
        let lines = read(&text, kind)?;
        let mut given =
            Self { codes: Vec::with_capacity(lines.len()), repeated: 0, repeated_lines: Vec::new() };
        let mut first: HashMap<u64, u32> = HashMap::with_capacity(lines.len());
        for line in lines {
            let print = fingerprint(vault, line.code.as_str());
            match first.entry(print) {
                Entry::Vacant(free) => {
                    free.insert(line.number);
                    given.codes.push((print, line));
                }
                Entry::Occupied(first) => {
                    given.repeated += 1;
                    if given.repeated_lines.len() < LINES_TOLD_MAX {
                        given.repeated_lines.push((line.number, *first.get()));
                    }
                }
            }
        }
        Ok(given)
    }
}

/// As many new codes as one step adds, ready to be kept.
struct Batch {
    chunks: Vec<NewChunk>,
    prints: Vec<u64>,
    already: u64,
    already_lines: Vec<u32>,
    /// Where the next one begins.
    until: usize,
}

impl Batch {
    fn sift(known: &CodePrints, codes: &[(u64, CodeLine)], from: usize, vault: &dyn Vault) -> Self {
        let (mut fresh, mut already, mut already_lines) = (Vec::new(), 0, Vec::new());
        let mut until = from;
        for (print, line) in codes.iter().skip(from) {
            if fresh.len() == ADD_CHUNKS_MAX * CHUNK_CODES_MAX {
                break;
            }
            until += 1;
            if known.has(*print) {
                already += 1;
                if already_lines.len() < LINES_TOLD_MAX {
                    already_lines.push(line.number);
                }
            } else {
                fresh.push((*print, &line.code));
            }
        }
        let chunk = |codes: &[(u64, &domain::redeem::RedeemCode)]| NewChunk {
            codes: u32::try_from(codes.len()).unwrap_or(u32::MAX),
            prints: to_stored(codes.iter().map(|(print, _)| *print).collect()),
            sealed: vault.seal(SealContext::Code, &Chunk::of(codes.iter().map(|(_, code)| *code)).0),
        };
        let chunks = fresh.chunks(CHUNK_CODES_MAX).map(chunk).collect();
        let prints = fresh.iter().map(|(print, _)| *print).collect();
        Self { chunks, prints, already, already_lines, until }
    }
}
