//! A shard's stream as events of `domain::ledger`: what a projector will follow, and what shows that folding the journal
//! gives the ledger that wrote it.
//!
//! One entry is one call: a head (version, term, number of the first event, time, how many) and, for each event, the
//! command as it came and what was decided about it. The entry's id is the number of its last event, so that trimming by
//! id is trimming by number, and Redis itself refuses a number it has had.

use domain::ledger::{Change, Event, Key, Owner, PoolId, Quantity, TakenLine};
use domain::time::Timestamp;
use redis::aio::ConnectionLike;
use redis::streams::StreamRangeReply;
use redis::{RedisError, Value};

use crate::bytes::{Garbled, Reader};
use crate::encode::kind;
use crate::shard::Shard;

const VERSION: u8 = 1;

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("the journal could not be read")]
    Redis(#[from] RedisError),
    #[error(transparent)]
    Garbled(#[from] Garbled),
}

/// The events after number `after`, from at most `entries_max` entries.
pub async fn read_after(
    connection: &mut impl ConnectionLike,
    shard: &Shard,
    after: u64,
    entries_max: usize,
) -> Result<Vec<Event>, JournalError> {
    let reply: StreamRangeReply = redis::cmd("XRANGE")
        .arg(shard.journal())
        .arg(format!("({after}"))
        .arg("+")
        .arg("COUNT")
        .arg(entries_max)
        .query_async(connection)
        .await?;
    let mut events = Vec::new();
    for entry in reply.ids {
        match entry.map.get("b") {
            Some(Value::BulkString(bytes)) => events.extend(decode(bytes)?),
            _ => return Err(Garbled("an entry without a body").into()),
        }
    }
    events.retain(|event| event.seq > after);
    Ok(events)
}

fn decode(bytes: &[u8]) -> Result<Vec<Event>, Garbled> {
    let mut reader = Reader(bytes);
    if reader.byte()? != VERSION {
        return Err(Garbled("a version this program does not know"));
    }
    let (term, first, at, count) = (reader.u32()?, reader.u64()?, reader.time()?, reader.u32()?);
    let mut events = Vec::new();
    for place in 0..u64::from(count) {
        let (mut command, mut decided) = (reader.block()?, reader.block()?);
        let (route, round, change) = change(&mut command, &mut decided, at)?;
        command.end()?;
        decided.end()?;
        events.push(Event { seq: first + place, term, at, route, round, change });
    }
    reader.end()?;
    Ok(events)
}

type Routed = (PoolId, u32, Change);

fn change(command: &mut Reader<'_>, decided: &mut Reader<'_>, at: Timestamp) -> Result<Routed, Garbled> {
    match command.byte()? {
        kind::TERM_BEGAN => Ok((PoolId(0), 0, Change::TermBegan)),
        kind::RESERVE => reserved(command, decided, at),
        kind::CONFIRM => {
            let (hold, _all, count) = (command.key()?, command.byte()?, command.u32()?);
            for _ in 0..count {
                command.pool()?;
                command.u32()?;
            }
            let (route, round, made_seq) = (decided.pool()?, decided.u32()?, decided.u64()?);
            let mut taken = Vec::new();
            while !decided.0.is_empty() {
                taken.push(decided.u32()?);
            }
            Ok((route, round, Change::Confirmed { hold, made_seq, taken }))
        }
        kind::CANCEL => {
            let (hold, caller, id) = (command.key()?, command.i64()?, command.text()?);
            if decided.0.is_empty() {
                let id = id.ok_or(Garbled("an id"))?;
                return Ok((PoolId(0), 0, Change::Spent { hold, id, caller }));
            }
            let (route, round, made_seq) = (decided.pool()?, decided.u32()?, decided.u64()?);
            Ok((route, round, Change::Cancelled { hold, made_seq }))
        }
        kind::EXTEND => {
            let (hold, due) = (command.key()?, command.time()?);
            let (route, round, made_seq) = (decided.pool()?, decided.u32()?, decided.u64()?);
            Ok((route, round, Change::Extended { hold, made_seq, due }))
        }
        kind::EXPIRE_ONE => {
            let (route, round, made_seq) = (decided.pool()?, decided.u32()?, decided.u64()?);
            Ok((route, round, Change::Expired { hold: decided.key()?, made_seq }))
        }
        other => pool_change(other, command, decided),
    }
}

fn pool_change(kind: u8, command: &mut Reader<'_>, decided: &mut Reader<'_>) -> Result<Routed, Garbled> {
    let (key, body, pool): (Key, u64, PoolId) = (command.key()?, command.u64()?, command.pool()?);
    let change = match kind {
        kind::POOL_OPEN => {
            let (round, total, owner_max) = (command.u32()?, command.u64()?, command.u32()?);
            let name = command.name()?;
            Change::PoolOpened { key, body, pool, name, round, total, owner_max, note: command.note()? }
        }
        kind::POOL_ADJUST => {
            let delta = command.i64()?;
            Change::PoolAdjusted { key, body, pool, delta, note: command.note()? }
        }
        kind::POOL_LIMIT => {
            let owner_max = command.u32()?;
            Change::PoolLimited { key, body, pool, owner_max, note: command.note()? }
        }
        kind::POOL_STATE => {
            let state = command.state()?;
            Change::PoolStateSet { key, body, pool, state, note: command.note()? }
        }
        _ => return Err(Garbled("an event of a kind this program does not know")),
    };
    Ok((pool, decided.u32()?, change))
}

fn reserved(command: &mut Reader<'_>, decided: &mut Reader<'_>, at: Timestamp) -> Result<Routed, Garbled> {
    let (key, body, ttl_ms, caller) = (command.key()?, command.u64()?, command.i64()?, command.i64()?);
    let _owner_number = command.u64()?;
    let mut summed: Vec<(PoolId, u32)> = Vec::new();
    for _ in 0..command.u32()? {
        let (pool, units) = (command.pool()?, command.quantity()?.units());
        match summed.iter_mut().find(|(earlier, _)| *earlier == pool) {
            Some((_, sum)) => *sum = sum.checked_add(units).ok_or(Garbled("a sum"))?,
            None => summed.push((pool, units)),
        }
    }
    let id = command.text()?.ok_or(Garbled("an id"))?;
    let owner = command.text()?.map(Owner::new);
    let mut lines = Vec::new();
    for (pool, units) in summed {
        let quantity = Quantity::new(i64::from(units)).ok_or(Garbled("a quantity"))?;
        lines.push(TakenLine { pool, round: decided.u32()?, quantity });
    }
    let first = lines.first().ok_or(Garbled("a reservation of nothing"))?;
    let (route, round) = (first.pool, first.round);
    Ok((
        route,
        round,
        Change::Reserved { key, body, id, caller, owner, due: at + ttl_ms, lines: lines.into() },
    ))
}
