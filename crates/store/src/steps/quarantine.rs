//! What waits for a look after a restore.
//!
//! A message in quarantine stays in its lane and is due in a time that never comes (`domain::outbox::QUARANTINE_MS`), so
//! that whatever else concerns it finds it where it was. A pool of codes is locked before its cursor is looked at, as
//! always.

use domain::outbox::QUARANTINE_MS;
use domain::page::{Page, PageRequest};
use serde_json::{Value as Json, json};

use super::code_pools;
use super::outbox;
use crate::db::Db;
use crate::failure::Result;
use crate::model::*;
use crate::tx::Tx;
use crate::{audit, params};

/// What a discarded message says of its death.
const DISCARDED: &str = "discarded after a restore";
/// Pools that are listed; there are no more than so many in an installation.
const POOLS_LISTED_MAX: i64 = 10_000;

async fn begin(tx: &Tx<'_>, step: &QuarantineBegin) -> Result<QuarantineBegun> {
    let mut messages = 0;
    for lane in &step.lanes {
        // Webhooks have a lane each: `hook:` and the id.
        let pattern = if *lane == "hooks" { "hook:%" } else { lane };
        messages += tx
            .execute(
                "UPDATE outbox SET due_ms = due_ms + $2 WHERE lane LIKE $1 AND due_ms < $2",
                params![pattern, QUARANTINE_MS],
            )
            .await?;
    }
    let code_pools = tx
        .execute(
            "UPDATE code_pools SET quarantined_since = $1 WHERE quarantined_since IS NULL",
            params![step.signed.at],
        )
        .await?;
    let after = json!({ "messages": messages, "code_pools": code_pools });
    audit::write(tx, &step.signed, "quarantine.begin", "installation", &Json::Null, &after).await?;
    Ok(QuarantineBegun { messages, code_pools })
}

async fn list(tx: &Tx<'_>) -> Result<QuarantineContents> {
    let lanes = tx
        .all(
            "SELECT lane, COUNT(*), MIN(made_ms), MAX(made_ms) FROM outbox WHERE due_ms >= $1
             GROUP BY lane ORDER BY lane",
            params![QUARANTINE_MS],
            |row| {
                Ok(QuarantinedLane {
                    lane: row.text()?,
                    messages: row.unsigned()?,
                    oldest: row.time()?,
                    newest: row.time()?,
                })
            },
        )
        .await?;
    Ok(QuarantineContents { lanes, code_pools: code_pools::list_quarantined(tx, POOLS_LISTED_MAX).await? })
}

async fn move_messages(tx: &Tx<'_>, step: &QuarantineMove) -> Result<u64> {
    let messages = match step.message {
        Some(id) => {
            outbox::find_from(tx, &step.lane, QUARANTINE_MS, id).await?.into_iter().collect::<Vec<_>>()
        }
        None => outbox::list_from(tx, &step.lane, QUARANTINE_MS, QUARANTINE_MOVE_MAX).await?,
    };
    if messages.is_empty() {
        return Ok(0);
    }
    let action = match step.act {
        QuarantineAct::Release => {
            for message in &messages {
                tx.execute(
                    "UPDATE outbox SET due_ms = due_ms - $4 WHERE lane = $1 AND due_ms = $2 AND id = $3",
                    params![&message.lane, message.due, message.id, QUARANTINE_MS],
                )
                .await?;
            }
            "quarantine.release"
        }
        QuarantineAct::Discard => {
            for message in &messages {
                outbox::discard(tx, message, DISCARDED, step.signed.at).await?;
            }
            "quarantine.discard"
        }
    };
    let ids: Vec<String> = messages.iter().map(|message| message.id.to_string()).collect();
    let (subject, after) = (format!("lane:{}", step.lane), json!({ "messages": ids }));
    audit::write(tx, &step.signed, action, &subject, &Json::Null, &after).await?;
    Ok(messages.len() as u64)
}

/// Skipping beyond the last code leaves none.
async fn release_pool(tx: &Tx<'_>, step: &CodePoolRelease) -> Result<CodePoolRow> {
    let row = code_pools::lock(tx, step.pool).await?;
    if row.quarantined_since.is_none() {
        return Ok(row);
    }
    let was = row.given;
    let given = was.saturating_add(step.skip).min(row.imported);
    let row = code_pools::move_cursor(tx, &row, given).await?;
    let sql = "UPDATE code_pools SET quarantined_since = NULL WHERE id = $1";
    tx.execute(sql, params![step.pool]).await?;
    let (before, after) = (json!({ "given": was }), json!({ "given": given, "skipped": given - was }));
    let subject = format!("code_pool:{}", step.pool);
    audit::write(tx, &step.signed, "quarantine.code_pool", &subject, &before, &after).await?;
    Ok(CodePoolRow { quarantined_since: None, ..row })
}

impl Db {
    pub async fn quarantine_begin(&self, step: QuarantineBegin) -> Result<QuarantineBegun> {
        self.write(step, |tx, step| Box::pin(begin(tx, step))).await
    }

    pub async fn quarantine_list(&self) -> Result<QuarantineContents> {
        self.read((), |tx, ()| Box::pin(list(tx))).await
    }

    /// One by one, the newest first; of a lane, or of all.
    pub async fn quarantined_messages(
        &self,
        lane: Option<String>,
        page: PageRequest,
    ) -> Result<Page<Message>> {
        self.read((lane, page), |tx, (lane, page)| {
            Box::pin(outbox::page_from(tx, lane.as_deref(), QUARANTINE_MS, *page))
        })
        .await
    }

    /// The oldest of a lane, [`QUARANTINE_MOVE_MAX`] at most, or the one that is named; answers how many.
    pub async fn quarantine_move(&self, step: QuarantineMove) -> Result<u64> {
        self.write(step, |tx, step| Box::pin(move_messages(tx, step))).await
    }

    /// The same again changes nothing: a pool that is not in quarantine stays as it is.
    pub async fn code_pool_release(&self, step: CodePoolRelease) -> Result<CodePoolRow> {
        self.write(step, |tx, step| Box::pin(release_pool(tx, step))).await
    }
}
