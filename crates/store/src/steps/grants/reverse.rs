//! Taking a grant back: once, with a line in the audit log. The place that it took stays taken.

use domain::Rejection;
use domain::points::{Amount, Move};
use domain::rejection::MissingThing;
use serde_json::{Value as Json, json};

use super::columns::{grant_sql, read_grant};
use crate::failure::{Fault, Result};
use crate::model::{
    AuditStamp, GrantReversal, GrantReverse, GrantRow, GrantedReward, Posting, grant_back_key, grant_key,
};
use crate::steps::outbox;
use crate::steps::points::post::post;
use crate::tx::Tx;
use crate::{audit, params};

pub(super) async fn reverse(tx: &Tx<'_>, step: &GrantReverse) -> Result<GrantRow> {
    let signed = &step.signed;
    tx.exclusive(&format!("grant {}", step.id)).await?;
    let row = tx.one(grant_sql!("WHERE g.id = $1"), params![step.id], read_grant).await?;
    let row = row.ok_or(Rejection::NotFound { what: MissingThing::Grant })?;
    if row.reversed.is_some() {
        return Ok(row);
    }
    let taken = match row.gives {
        GrantedReward::Chances { .. } => step.chances_taken,
        GrantedReward::Points { points, .. } => {
            points_back(tx, &row, signed).await?;
            points
        }
    };
    unsend(tx, &row).await?;
    tx.execute(
        "UPDATE grants SET reversed_ms = $2, taken = $3, reason = $4 WHERE id = $1",
        params![row.id, signed.at, taken, &signed.reason],
    )
    .await?;
    let after = json!({ "gives": row.gives.name(), "amount": row.gives.amount(), "taken": taken });
    let subject = audit::user_subject(row.user);
    audit::write(tx, signed, "grant.reverse", &subject, &json!({ "grant": row.id }), &after).await?;
    let reversed = GrantReversal { at: signed.at, taken, reason: signed.reason.clone() };
    Ok(GrantRow { reversed: Some(reversed), ..row })
}

/// Nobody waits for it any more, and nobody puts it back. One that is under way gives nothing more: its key is spent.
async fn unsend(tx: &Tx<'_>, row: &GrantRow) -> Result<()> {
    let lane = row.gives.lane();
    let sql = "DELETE FROM outbox WHERE lane = $1 AND due_ms = $2 AND id = $3";
    if tx.execute(sql, params![lane, row.made, row.id]).await? == 0 {
        let sql = "DELETE FROM outbox WHERE lane = $1 AND user_id = $2 AND id = $3 AND attempts > 0";
        tx.execute(sql, params![lane, row.user, row.id]).await?;
    }
    outbox::forget(tx, row.id.0).await
}

/// First it is seen to that they were posted: a message that is still under way then posts nothing more.
async fn points_back(tx: &Tx<'_>, row: &GrantRow, signed: &AuditStamp) -> Result<()> {
    let GrantedReward::Points { points, expires } = row.gives else { return Ok(()) };
    let amount = Amount::new(points).ok_or_else(|| Fault::new("a grant of no points"))?;
    let posting = |asked, key, reason: &str| Posting {
        user: row.user,
        asked,
        key,
        reason: reason.to_owned(),
        at: signed.at,
    };
    let credit = Move::Credit { amount, expires };
    let posted = post(tx, &posting(credit, grant_key(row.id), &row.rule_name)).await?;
    let back = Move::Reverse { n: posted.n };
    match post(tx, &posting(back, grant_back_key(row.id), &signed.reason)).await {
        // Staff took the row back by hand.
        Err(crate::failure::Failure::Rejected(Rejection::PointsReversed { .. })) | Ok(_) => Ok(()),
        Err(failure) => Err(failure),
    }
}

/// What it gave was taken back before.
pub(super) async fn undone(tx: &Tx<'_>, (kind, key, signed): &(String, String, AuditStamp)) -> Result<()> {
    let sql = "UPDATE behaviours SET undone_ms = $3 WHERE kind = $1 AND idem_key = $2 AND undone_ms IS NULL";
    if tx.execute(sql, params![kind, key, signed.at]).await? > 0 {
        let subject = format!("behaviour:{kind}:{key}");
        audit::write(tx, signed, "behaviour.undo", &subject, &Json::Null, &Json::Null).await?;
    }
    Ok(())
}
