//! What needs an operator: counted for those who judge, and told once to those outside.

use domain::attention::{AttentionItem, AttentionKind, LaneFact, PrizeFact, StockFact};
use domain::fulfilment::{FulfilmentState, PrizeKind};
use domain::ids::{ActivityId, CodePoolId};
use domain::time::Timestamp;
use domain::webhook::EventKind;
use domain::{Lang, activity::PoolUse};
use serde_json::{Value as Json, json};

use crate::db::Db;
use crate::failure::Result;
use crate::model::{AttentionCounts, AttentionNote, AttentionTell, Fence, LOW_STOCK_LISTED_MAX};
use crate::params;
use crate::steps::activities::columns::part;
use crate::steps::events::{NewEvent, tell};
use crate::steps::jobs::pass_fence;
use crate::tx::Tx;

async fn count(tx: &Tx<'_>) -> Result<AttentionCounts> {
    let staff = "SELECT COUNT(*) FROM users u WHERE u.roles <> 0 AND u.deleted_at IS NULL AND u.ban_until IS NULL
                 AND NOT EXISTS (SELECT 1 FROM second_factors s WHERE s.user_id = u.id AND s.confirmed_at IS NOT NULL)";
    let due = "SELECT COUNT(*) FROM orders WHERE state IN ('paid', 'refund_due') AND state = 'refund_due'";
    Ok(AttentionCounts {
        prizes: prizes(tx).await?,
        lanes: lanes(tx).await?,
        stock: stock(tx).await?,
        staff_without_second_factor: tx.count(staff, params![]).await?.unsigned_abs(),
        refunds_due: tx.count(due, params![]).await?.unsigned_abs(),
    })
}

/// By the index of what is not given. What the clock grants waits for nobody.
async fn prizes(tx: &Tx<'_>) -> Result<Vec<PrizeFact>> {
    tx.all(
        "SELECT state, kind, pool_id, COUNT(*), MIN(changed_ms) FROM fulfilments
         WHERE state <> 'given' AND (state IN ('ready', 'failed', 'to_ship') OR (state = 'waiting' AND due_ms IS NULL))
         GROUP BY state, kind, pool_id ORDER BY state, kind, pool_id",
        params![],
        |row| {
            Ok(PrizeFact {
                state: row.named(FulfilmentState::parse)?,
                kind: row.named(PrizeKind::parse)?,
                pool: row.opt_int()?.map(CodePoolId),
                count: row.unsigned()?,
                oldest: row.time()?,
            })
        },
    )
    .await
}

async fn lanes(tx: &Tx<'_>) -> Result<Vec<LaneFact>> {
    tx.all(
        "SELECT lane, COUNT(*), MIN(died_ms) FROM dead_letters GROUP BY lane ORDER BY lane",
        params![],
        |row| Ok(LaneFact { lane: row.text()?, count: row.unsigned()?, oldest: row.time()? }),
    )
    .await
}

/// Of what the ledger has open: what is over runs out of nothing.
async fn stock(tx: &Tx<'_>) -> Result<Vec<StockFact>> {
    tx.all(
        "SELECT l.activity_id, l.prize_id, v.name, l.units_left, l.units_total, l.since
         FROM low_stock l JOIN activities a ON a.id = l.activity_id
         JOIN activity_versions v ON v.activity_id = a.id AND v.number = a.live_version
         WHERE a.ledger_state = 'open' ORDER BY l.since, l.activity_id, l.prize_id LIMIT $1",
        params![LOW_STOCK_LISTED_MAX],
        |row| {
            let activity = ActivityId(row.int()?);
            let prize = match part(row.int()?)? {
                PoolUse::Prize(prize) => Some(prize),
                PoolUse::Entries | PoolUse::Sale => None,
            };
            let (name, left, total) = (row.text()?, row.unsigned()?, row.unsigned()?);
            Ok(StockFact { activity, prize, name, left, total, since: row.time()? })
        },
    )
    .await
}

async fn notes(tx: &Tx<'_>) -> Result<Vec<AttentionNote>> {
    tx.all("SELECT kind, subject, since_ms FROM attention ORDER BY kind, subject", params![], |row| {
        Ok(AttentionNote { kind: row.named(AttentionKind::parse)?, subject: row.text()?, since: row.time()? })
    })
    .await
}

/// Answers how many are new and how many are over. The row, and the event that tells of it, are one.
async fn raise(tx: &Tx<'_>, (fence, step): &(Fence, AttentionTell)) -> Result<(u64, u64)> {
    pass_fence(tx, fence).await?;
    let known = notes(tx).await?;
    let mut events = Vec::new();
    let is_known = |item: &&AttentionItem| {
        known.iter().any(|note| (note.kind, &note.subject) == (item.kind, &item.subject))
    };
    let fresh: Vec<&AttentionItem> = step.items.iter().filter(|item| !is_known(item)).collect();
    for item in &fresh {
        tx.execute(
            "INSERT INTO attention (kind, subject, level, name, text, text_zh, since_ms)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            params![
                item.kind.name(),
                &item.subject,
                item.level.name(),
                &item.name,
                item.text(Lang::En),
                item.text(Lang::Zh),
                step.now
            ],
        )
        .await?;
        let mut data = data((item.kind.name(), item.level.name(), &item.subject, &item.name));
        data["text"] = item.text(Lang::En).into();
        data["text_zh"] = item.text(Lang::Zh).into();
        data["count"] = item.count.into();
        data["of"] = item.of.into();
        events.push(NewEvent::of(EventKind::AttentionRaised, 0, None, data, step.now));
    }
    let still = |note: &AttentionNote| {
        step.items.iter().any(|item| (note.kind, &note.subject) == (item.kind, &item.subject))
    };
    let over: Vec<&AttentionNote> = known.iter().filter(|note| !still(note)).collect();
    for note in &over {
        events.extend(clear(tx, note, step.now).await?);
    }
    tell(tx, &events).await?;
    Ok((fresh.len() as u64, over.len() as u64))
}

async fn clear(tx: &Tx<'_>, note: &AttentionNote, now: Timestamp) -> Result<Option<NewEvent>> {
    let key = params![note.kind.name(), &note.subject];
    let sql = "SELECT level, name, text, text_zh FROM attention WHERE kind = $1 AND subject = $2";
    let row = tx
        .one(sql, key, |row| {
            let (level, name) = (row.text()?, row.text()?);
            let mut data = data((note.kind.name(), &level, &note.subject, &name));
            data["text"] = row.text()?.into();
            data["text_zh"] = row.text()?.into();
            Ok(data)
        })
        .await?;
    let gone = "DELETE FROM attention WHERE kind = $1 AND subject = $2";
    tx.execute(gone, params![note.kind.name(), &note.subject]).await?;
    Ok(row.map(|data| NewEvent::of(EventKind::AttentionCleared, 0, None, data, now)))
}

fn data((kind, level, about, name): (&str, &str, &str, &str)) -> Json {
    json!({ "attention": kind, "level": level, "about": about, "name": name })
}

impl Db {
    pub async fn attention_count(&self) -> Result<AttentionCounts> {
        self.read((), |tx, ()| Box::pin(count(tx))).await
    }

    /// What was told and is not over.
    pub async fn attention_notes(&self) -> Result<Vec<AttentionNote>> {
        self.read((), |tx, ()| Box::pin(notes(tx))).await
    }

    /// Tells what is new and what is over; the same again tells nothing. Answers how many of each.
    pub async fn attention_tell(&self, fence: Fence, step: AttentionTell) -> Result<(u64, u64)> {
        self.write((fence, step), |tx, step| Box::pin(raise(tx, step))).await
    }
}
