//! Taking back what was given, after two people voided it: points by a row that reverses theirs, in the same transaction;
//! chances by a message to the ledger, as far as they are not used.

use domain::Rejection;
use domain::fulfilment::Returnable;
use domain::ids::FulfilmentId;
use domain::points::Move;

use crate::each::all_each;
use crate::failure::{Fault, Result};
use crate::model::{AuditStamp, FulfilmentRow, NewMessage, Posting, TAKE_BACK};
use crate::params;
use crate::row::Row;
use crate::steps::{outbox, points};
use crate::tx::Tx;
use crate::value::Value;

/// Of a prize that was given and is voided now.
pub(super) async fn begin(tx: &Tx<'_>, row: &FulfilmentRow, signed: &AuditStamp) -> Result<()> {
    match row.standing.kind.returnable() {
        Some(Returnable::Points) => take_points(tx, row, signed).await,
        Some(Returnable::Chances) => {
            let body = serde_json::to_string(&row.body())
                .map_err(|error| Fault::caused("writing a message", error))?;
            let message = NewMessage {
                // Of this void alone.
                id: signed.audit_id,
                lane: TAKE_BACK.to_owned(),
                user: Some(row.user),
                kind: TAKE_BACK,
                subject: row.id.0,
                body,
                made: signed.at,
                due: signed.at,
            };
            outbox::put(tx, &[message]).await
        }
        None => Ok(()),
    }
}

/// What an operator took back before is not taken a second time.
async fn take_points(tx: &Tx<'_>, row: &FulfilmentRow, signed: &AuditStamp) -> Result<()> {
    let sql = "SELECT n FROM points_rows WHERE user_id = $1 AND idem_key = $2";
    let n = tx.one(sql, params![row.user, format!("won:{}", row.id)], Row::int).await?;
    let n = n.ok_or_else(|| Fault::new("points were given and are on no statement"))?;
    let posting = Posting {
        user: row.user,
        asked: Move::Reverse { n },
        key: format!("voided:{}", row.id),
        reason: row.note.clone().unwrap_or_default(),
        at: signed.at,
    };
    let taken = match points::post::post_all(tx, &[posting]).await?.pop() {
        Some(Ok(posted)) => posted.delta.unsigned_abs(),
        Some(Err(Rejection::PointsReversed { .. })) => 0,
        Some(Err(rejection)) => return Err(rejection.into()),
        None => return Err(Fault::new("a posting without an answer").into()),
    };
    note(tx, row.id, i64::try_from(taken).unwrap_or(i64::MAX)).await
}

async fn note(tx: &Tx<'_>, id: FulfilmentId, units: i64) -> Result<()> {
    let sql = "INSERT INTO taken_back (fulfilment_id, units) VALUES ($1, $2)
               ON CONFLICT (fulfilment_id) DO NOTHING";
    tx.execute(sql, params![id, units]).await.map(drop)
}

/// Compare and set; answers what stands now.
pub(super) async fn set(tx: &Tx<'_>, (id, was, units): &(FulfilmentId, Option<u32>, u32)) -> Result<u32> {
    match was {
        None => note(tx, *id, i64::from(*units)).await?,
        Some(was) => {
            let sql = "UPDATE taken_back SET units = $3 WHERE fulfilment_id = $1 AND units = $2";
            tx.execute(sql, params![*id, *was, *units]).await.map(drop)?;
        }
    }
    let stands = tx.count("SELECT units FROM taken_back WHERE fulfilment_id = $1", params![*id]).await?;
    u32::try_from(stands).map_err(|error| Fault::caused("chances taken back", error).into())
}

pub(super) async fn find(tx: &Tx<'_>, ids: &[FulfilmentId]) -> Result<Vec<Option<u64>>> {
    let keys: Vec<[Value; 1]> = ids.iter().map(|id| [(*id).into()]).collect();
    let sql = "SELECT units FROM taken_back WHERE fulfilment_id = $1";
    let found = all_each(tx, sql, &keys, Row::unsigned).await?;
    Ok(found.into_iter().map(|units| units.first().copied()).collect())
}
