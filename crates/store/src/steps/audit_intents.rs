//! Lines of the audit log about what the ledger carries out: written before it is asked, told or dropped after.

use domain::ledger::Key;
use domain::time::Timestamp;
use serde_json::Value as Json;

use super::{daily_sums, jobs};
use crate::failure::{Fault, Result};
use crate::model::{AuditIntent, AuditLine, Fence, IntentClose, IntentEnd, IntentRow};
use crate::row::Row;
use crate::tx::Tx;
use crate::{audit, params};

pub(crate) async fn open(tx: &Tx<'_>, intents: &Vec<AuditIntent>) -> Result<()> {
    for intent in intents {
        let signed = &intent.signed;
        let (mut counted, mut day, mut kind) = (0, 0, "");
        if let Some((handout, alone)) = intent.handout
            && !signed.is_uncapped()
        {
            (counted, day, kind) = (handout.amount(), alone.day, handout.name());
            if !daily_sums::count_handout(tx, signed, handout, alone).await? {
                return Err(handout.too_much(alone.max).into());
            }
        }
        tx.execute(
            "INSERT INTO audit_intents (id, command_key, made, actor, action, subject, reason, before_json, after_json,
                                        request_id, who, day, counted, counted_kind)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (id) DO NOTHING",
            params![
                signed.audit_id,
                intent.key.0.to_be_bytes().to_vec(),
                signed.at,
                audit::actor_text(signed.actor),
                intent.action,
                &intent.subject,
                &signed.reason,
                audit::json_text(&intent.before),
                audit::json_text(&intent.after),
                &signed.request_id,
                daily_sums::whose(signed),
                day,
                counted,
                kind
            ],
        )
        .await?;
    }
    Ok(())
}

pub(crate) async fn close(tx: &Tx<'_>, closes: &Vec<IntentClose>) -> Result<()> {
    for IntentClose { audit_id, end } in closes {
        let told = match end {
            IntentEnd::Told { before, after } => tell(tx, *audit_id, before.as_ref(), after.as_ref()).await?,
            IntentEnd::Dropped => false,
        };
        if !told {
            take_back_count(tx, *audit_id).await?;
        }
        tx.execute("DELETE FROM audit_intents WHERE id = $1", params![*audit_id]).await?;
    }
    Ok(())
}

/// Whether the line is this intent's. A command that was repeated around a crash may have left several intents, and the
/// line of another.
async fn tell(tx: &Tx<'_>, audit_id: i64, before: Option<&Json>, after: Option<&Json>) -> Result<bool> {
    let written = tx
        .execute(
            "INSERT INTO audit (id, made, actor, action, subject, reason, before_json, after_json, request_id, command_key)
             SELECT id, made, actor, action, subject, reason, COALESCE(CAST($2 AS TEXT), before_json),
                    COALESCE(CAST($3 AS TEXT), after_json), request_id, command_key
             FROM audit_intents WHERE id = $1 ON CONFLICT DO NOTHING",
            params![audit_id, before.map(audit::json_text), after.map(audit::json_text)],
        )
        .await?;
    Ok(written > 0)
}

/// What came to nothing leaves no trace.
async fn take_back_count(tx: &Tx<'_>, audit_id: i64) -> Result<()> {
    let sql = "UPDATE by_hand SET moved = moved - (SELECT counted FROM audit_intents WHERE id = $1)
               WHERE EXISTS (SELECT 1 FROM audit_intents i WHERE i.id = $1 AND i.who = by_hand.who
                                AND i.counted_kind = by_hand.kind AND i.day = by_hand.day
                                AND i.counted BETWEEN 1 AND by_hand.moved)";
    tx.execute(sql, params![audit_id]).await?;
    let sql = "DELETE FROM by_hand WHERE moved = 0
                 AND EXISTS (SELECT 1 FROM audit_intents i WHERE i.id = $1 AND i.who = by_hand.who
                                AND i.counted_kind = by_hand.kind)";
    tx.execute(sql, params![audit_id]).await?;
    Ok(())
}

pub(crate) async fn line(tx: &Tx<'_>, line: &AuditLine) -> Result<()> {
    audit::write(tx, &line.signed, line.action, &line.subject, &line.before, &line.after).await
}

pub(crate) async fn recover(tx: &Tx<'_>, (fence, closes): &(Fence, Vec<IntentClose>)) -> Result<()> {
    jobs::pass_fence(tx, fence).await?;
    close(tx, closes).await
}

pub(crate) async fn list_open(tx: &Tx<'_>, (before, limit): &(Timestamp, u32)) -> Result<Vec<IntentRow>> {
    let sql = "SELECT id, command_key, made FROM audit_intents WHERE made < $1 ORDER BY made, id LIMIT $2";
    tx.all(sql, params![*before, *limit], read).await
}

fn read(row: &mut Row) -> Result<IntentRow, Fault> {
    let audit_id = row.int()?;
    let key: [u8; 16] = row.bytes()?.try_into().map_err(|_| Fault::new("a key that is not 16 bytes long"))?;
    Ok(IntentRow { audit_id, key: Key(u128::from_be_bytes(key)), made: row.time()? })
}
