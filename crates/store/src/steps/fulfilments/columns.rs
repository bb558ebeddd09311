//! A fulfilment as columns and back.

use domain::fulfilment::{FulfilmentSource, FulfilmentState, FulfilmentStatus, PrizeKind};
use domain::ids::{ActivityId, CodePoolId, FulfilmentId, UserId};

use crate::failure::Fault;
use crate::model::FulfilmentRow;
use crate::row::Row;
use crate::steps::activities::columns::{number, prize, to_unsigned};

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
    let (id, name, user) = (FulfilmentId(row.int()?), row.text()?, UserId(row.int()?));
    let activity = Some(ActivityId(row.int()?)).filter(|activity| activity.0 != 0);
    let source = FulfilmentSource::from_parts(&name, activity, Some(prize(row.int()?)?))
        .ok_or_else(|| Fault::new(format!("fulfilment {id} is given for nothing")))?;
    let kind = row.named(PrizeKind::parse)?;
    let (amount, pool) = (to_unsigned(row.int()?)?, row.opt_int()?.map(CodePoolId));
    let (state, made, changed) = (row.named(FulfilmentState::parse)?, row.time()?, row.time()?);
    let (due, claim_within_ms, claim_until) = (row.opt_time()?, row.opt_int()?, row.opt_time()?);
    Ok(FulfilmentRow {
        id,
        source,
        user,
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
