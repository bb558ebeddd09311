//! Retiring codes that nobody has, with a reason: single ones, or all that are left of a pool.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::Rejection;
use domain::account::Reason;
use domain::ids::CodePoolId;
use domain::redeem::{Chunk, RedeemCode};
use domain::rejection::FieldProblem;
use store::model::{AuditStamp, CodesRetire, CodesRetired, NumberedChunk, RETIRE_MAX, RetireWhich};

use crate::failure::Result;
use crate::fulfilment::redeem_codes::import::on_a_thread;
use crate::fulfilment::redeem_codes::known_codes::fingerprint;
use crate::fulfilment::redeem_codes::pools::code_pool_find;
use crate::ports::{SealContext, Vault};
use crate::world::World;

/// Chunks read at once.
const READ_CHUNKS_MAX: u32 = 100;

/// What became of the codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodesRetirement {
    pub done: CodesRetired,
    /// Codes that are not in this pool.
    pub unknown: u64,
}

/// These codes, or with none named all that are left.
pub async fn codes_retire(
    world: &World,
    mut signed: AuditStamp,
    pool: CodePoolId,
    codes: Option<Vec<String>>,
) -> Result<CodesRetirement> {
    signed.reason = Reason::parse(&signed.reason)?.as_str().to_owned();
    code_pool_find(world, pool).await?;
    let Some(codes) = codes else {
        let done = world.db.codes_retire(CodesRetire { pool, which: RetireWhich::Rest, signed }).await?;
        return Ok(CodesRetirement { done, unknown: 0 });
    };
    let wanted = parse(world, &codes)?;
    let asked = wanted.len() as u64;
    let numbers = find_numbers(world, pool, wanted).await?;
    let unknown = asked - numbers.len() as u64;
    let which = RetireWhich::Numbers(numbers);
    let done = world.db.codes_retire(CodesRetire { pool, which, signed }).await?;
    Ok(CodesRetirement { done, unknown })
}

/// By their fingerprints, each once.
fn parse(world: &World, codes: &[String]) -> Result<HashMap<u64, String>, Rejection> {
    if codes.is_empty() {
        return Err(Rejection::invalid("codes", FieldProblem::Missing));
    }
    if codes.len() > RETIRE_MAX {
        return Err(Rejection::invalid("codes", FieldProblem::TooLong { max: RETIRE_MAX as u64 }));
    }
    let one = |(at, text): (usize, &String)| {
        let code =
            RedeemCode::parse(text).map_err(|problem| Rejection::invalid(&format!("codes.{at}"), problem))?;
        Ok((fingerprint(world.outside.vault.as_ref(), code.as_str()), code.as_str().to_owned()))
    };
    codes.iter().enumerate().map(one).collect()
}

/// Chunk by chunk: the fingerprints say which chunk to open.
async fn find_numbers(world: &World, pool: CodePoolId, wanted: HashMap<u64, String>) -> Result<Vec<u64>> {
    let (mut after, mut numbers) = (-1, Vec::new());
    let (wanted_count, wanted) = (wanted.len(), Arc::new(wanted));
    loop {
        let chunks = world.db.code_chunks_list(pool, after, READ_CHUNKS_MAX).await?;
        let Some(last) = chunks.last() else { return Ok(numbers) };
        after = i64::try_from(last.first_number).unwrap_or(i64::MAX);
        let more = chunks.len() == READ_CHUNKS_MAX as usize;
        let (vault, wanted) = (Arc::clone(&world.outside.vault), Arc::clone(&wanted));
        let found = on_a_thread(move || {
            chunks.iter().map(|chunk| numbers_in(vault.as_ref(), chunk, &wanted)).collect::<Result<Vec<_>>>()
        })
        .await??;
        numbers.extend(found.into_iter().flatten());
        // A code is in one place: all were found.
        if !more || numbers.len() == wanted_count {
            return Ok(numbers);
        }
    }
}

fn numbers_in(vault: &dyn Vault, chunk: &NumberedChunk, wanted: &HashMap<u64, String>) -> Result<Vec<u64>> {
    let prints = chunk.prints.as_chunks::<8>().0;
    if !prints.iter().any(|print| wanted.contains_key(&u64::from_be_bytes(*print))) {
        return Ok(Vec::new());
    }
    let opened = Chunk(vault.open(SealContext::Code, &chunk.sealed)?);
    let codes: HashSet<&str> = wanted.values().map(String::as_str).collect();
    let places =
        (0..prints.len()).filter(|place| opened.code(*place).is_some_and(|code| codes.contains(code)));
    Ok(places.map(|place| chunk.first_number + place as u64).collect())
}
