//! A fulfilment as columns and back.

use domain::fulfilment::{FulfilmentStatus, Kind, State};
use domain::ids::{ActivityId, CodePoolId, FulfilmentId, UserId};

use crate::failure::Fault;
use crate::model::{FulfilmentRow, Source};
use crate::row::Row;
use crate::steps::activities::columns::{number, prize, unsigned};

/// `SELECT` of whole rows, to be read with [`read`].
macro_rules! fulfilment_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, source, user_id, activity_id, prize_id, kind, amount, pool_id, state, made_ms, changed_ms, due_ms,
                    claim_within_ms, claim_until_ms, claimed_ms, address, carrier, tracking, note, redriven
             FROM fulfilments ",
            $rest
        )
    };
}
pub(super) use fulfilment_sql;

pub(super) fn read(row: &mut Row) -> Result<FulfilmentRow, Fault> {
    let (id, source) = (FulfilmentId(row.int()?), row.named(Source::parse)?);
    let (user, activity, prize) = (UserId(row.int()?), ActivityId(row.int()?), prize(row.int()?)?);
    let kind = row.named(Kind::parse)?;
    let (amount, pool) = (unsigned(row.int()?)?, row.opt_int()?.map(CodePoolId));
    let (state, made, changed) = (row.named(State::parse)?, row.time()?, row.time()?);
    let (due, claim_within_ms, claim_until) = (row.opt_time()?, row.opt_int()?, row.opt_time()?);
    Ok(FulfilmentRow {
        id,
        source,
        user,
        activity,
        prize,
        amount,
        pool,
        standing: FulfilmentStatus { kind, state, due, claim_within_ms, claim_until },
        made,
        changed,
        claimed: row.opt_time()?,
        address: row.opt_bytes()?,
        carrier: row.opt_text()?,
        tracking: row.opt_text()?,
        note: row.opt_text()?,
        redriven: number(row)?,
    })
}
