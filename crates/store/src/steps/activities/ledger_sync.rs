//! What the ledger has yet to hear of an activity, and that it has heard.

use domain::ids::ActivityId;
use domain::ledger::play::ActivityState;

use super::columns::{get_version, number, part};
use super::{secrets, state};
use crate::failure::Result;
use crate::model::{Carry, LedgerMark, LedgerSynced, StockChange};
use crate::params;
use crate::tx::Tx;

/// Nothing while it is not published, and nothing once everything was carried.
pub(crate) async fn carry_find(tx: &Tx<'_>, id: &ActivityId) -> Result<Option<Carry>> {
    let row = tx
        .one(
            "SELECT step, ledger_round, ledger_version, ledger_state FROM activities
             WHERE id = $1 AND carry = 1 AND live_version IS NOT NULL",
            params![*id],
            |row| Ok((row.int()?, number(row)?, number(row)?, row.named(|name| Some(parse(name)))?)),
        )
        .await?;
    let Some((step, round, version, ledger_state)) = row else { return Ok(None) };
    let Some(standing) = state::find(tx, *id).await? else { return Ok(None) };
    let Some(live) = standing.live else { return Ok(None) };
    let content = get_version(tx, *id, live).await?.content;
    let secret = secrets::get(tx, *id, standing.life.round, live).await?;
    let stock = tx
        .all(
            "SELECT version, prize, opens, change FROM activity_stock
             WHERE activity_id = $1 AND done = 0 ORDER BY version, prize",
            params![*id],
            |row| {
                Ok(StockChange {
                    version: number(row)?,
                    part: part(row.int()?)?,
                    opens: row.flag()?,
                    units: row.int()?,
                })
            },
        )
        .await?;
    Ok(Some(Carry {
        activity: *id,
        step,
        life: standing.life,
        version: live,
        content,
        commitment: secret.commitment,
        strategy: secret.strategy,
        ledger: ledger_state.map(|state| LedgerMark { round, version, state }),
        stock,
    }))
}

/// What the ledger has is kept whatever happened meanwhile; nothing more is to be carried only if nothing did.
pub(crate) async fn mark_synced(tx: &Tx<'_>, step: &LedgerSynced) -> Result<bool> {
    let LedgerMark { round, version, state } = step.ledger;
    tx.execute(
        "UPDATE activities SET ledger_round = $2, ledger_version = $3, ledger_state = $4 WHERE id = $1",
        params![step.activity, round, version, name(state)],
    )
    .await?;
    tx.execute(
        "UPDATE activity_stock SET done = 1 WHERE activity_id = $1 AND version <= $2 AND done = 0",
        params![step.activity, version],
    )
    .await?;
    let cleared = tx
        .execute(
            "UPDATE activities SET carry = 0 WHERE id = $1 AND step = $2",
            params![step.activity, step.step],
        )
        .await?;
    Ok(cleared > 0)
}

fn name(state: ActivityState) -> &'static str {
    match state {
        ActivityState::Open => "open",
        ActivityState::Paused => "paused",
        ActivityState::Closed => "closed",
    }
}

/// The empty text stands for a ledger that has not heard of it.
fn parse(name: &str) -> Option<ActivityState> {
    match name {
        "open" => Some(ActivityState::Open),
        "paused" => Some(ActivityState::Paused),
        "closed" => Some(ActivityState::Closed),
        _ => None,
    }
}
