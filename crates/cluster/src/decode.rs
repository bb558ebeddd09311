//! Answers of the function as answers of the port.

use domain::ledger::{Command, HoldState, HoldView, Key, LineView, Outcome, PoolId, PoolView, Refusal};
use engine::ports::StockAnswer;

use crate::bytes::{Garbled, Reader};

/// What was answered to this command.
pub(crate) fn answer(command: &Command, bytes: &[u8]) -> Result<StockAnswer, Garbled> {
    let mut reader = Reader(bytes);
    let answer = match reader.byte()? {
        b'A' => StockAnswer::Accepted(outcome(command, &mut reader)?),
        // A hold that was made or changed is answered by the bytes that are kept of it.
        b'H' => StockAnswer::Accepted(Outcome::Hold(hold(key(command), &mut reader)?)),
        b'R' => StockAnswer::Replayed(outcome(command, &mut reader)?),
        b'N' => StockAnswer::Refused(refusal(&mut reader)?),
        _ => return Err(Garbled("an answer")),
    };
    reader.end()?;
    Ok(answer)
}

/// A pool as the shard keeps it.
pub(crate) fn pool(pool: PoolId, reader: &mut Reader<'_>) -> Result<PoolView, Garbled> {
    Ok(PoolView {
        pool,
        round: reader.u32()?,
        state: reader.state()?,
        owner_max: reader.u32()?,
        total: reader.u64()?,
        available: reader.u64()?,
        held: reader.u64()?,
        taken: reader.u64()?,
    })
}

/// What the shard keeps under an id, if it is a hold.
pub(crate) fn kept_hold(key: Key, bytes: &[u8]) -> Result<Option<HoldView>, Garbled> {
    let mut reader = Reader(bytes);
    if reader.byte()? != b'H' {
        return Ok(None);
    }
    hold(key, &mut reader).map(Some)
}

fn outcome(command: &Command, reader: &mut Reader<'_>) -> Result<Outcome, Garbled> {
    match reader.byte()? {
        b'P' => {
            let id = reader.pool()?;
            pool(id, reader).map(Outcome::Pool)
        }
        b'H' => hold(key(command), reader).map(Outcome::Hold),
        _ => Err(Garbled("an outcome")),
    }
}

/// The hold a command is about. The driver's own command does not name the one it ended; nobody asks which.
fn key(command: &Command) -> Key {
    command.key().unwrap_or(Key(0))
}

fn hold(key: Key, reader: &mut Reader<'_>) -> Result<HoldView, Garbled> {
    let (_body, _owner, _made_seq) = (reader.u64()?, reader.u64()?, reader.u64()?);
    let (made, due) = (reader.time()?, reader.time()?);
    let state = match reader.byte()? {
        0 => HoldState::Held,
        1 => HoldState::Confirmed,
        2 => HoldState::Cancelled,
        3 => HoldState::Expired,
        _ => return Err(Garbled("a hold's state")),
    };
    let mut lines = Vec::new();
    for _ in 0..reader.u32()? {
        let (pool, round) = (reader.pool()?, reader.u32()?);
        lines.push(LineView { pool, round, units: reader.u32()?, taken: reader.u32()? });
    }
    Ok(HoldView { key, state, made, due, lines: lines.into() })
}

fn refusal(reader: &mut Reader<'_>) -> Result<Refusal, Garbled> {
    let (code, pool, first, second) = (reader.byte()?, reader.pool()?, reader.u64()?, reader.u64()?);
    let small = |number: u64| u32::try_from(number).map_err(|_| Garbled("a small number"));
    let ms = |number: u64| i64::try_from(number).map_err(|_| Garbled("milliseconds"));
    Ok(match code {
        1 => Refusal::PoolUnknown { pool },
        2 => Refusal::RoundStale { pool, round: small(first)? },
        3 => Refusal::Frozen { pool },
        4 => Refusal::Closed { pool },
        5 => Refusal::SoldOut { pool, left: first },
        6 => Refusal::LimitReached { pool, limit: small(first)?, has: small(second)? },
        7 => Refusal::Conflict,
        8 => Refusal::HoldUnknown,
        9 => Refusal::AlreadyConfirmed,
        10 => Refusal::AlreadyCancelled,
        11 => Refusal::Expired,
        12 => Refusal::NotHeld { pool },
        13 => Refusal::NotFree { pool, free: first },
        14 => Refusal::TotalTooLarge { pool },
        15 => Refusal::NoLines,
        16 => Refusal::TooManyLines { max: small(first)? },
        17 => Refusal::QuantityTooLarge { pool },
        18 => Refusal::TtlOutOfRange { min_ms: ms(first)?, max_ms: ms(second)? },
        19 => Refusal::ExtendTooFar { max_ms: ms(first)? },
        20 => Refusal::TombstonesFull { max: small(first)? },
        21 => Refusal::NothingDue,
        _ => return Err(Garbled("a refusal")),
    })
}
