//! What is due in a lane, in order, and who has to wait for an earlier message of theirs.

use domain::fulfilment::PrizeKind;
use domain::ids::UserId;
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;

use super::lanes::pass_fence;
use crate::each::{all_each, count_each};
use crate::failure::{Fault, Result};
use crate::model::{COUNTED_MAX, LaneFence, LaneFigures, MESSAGES_MAX, Message};
use crate::params;
use crate::row::Row;
use crate::steps::activities::columns::{number, to_unsigned};
use crate::tx::Tx;
use crate::value::Value;

/// Messages to handle now, and those that are held back, each with the moment it waits for.
#[derive(Debug, Default)]
pub(super) struct Due {
    pub messages: Vec<Message>,
    pub held: Vec<(Message, Timestamp)>,
}

pub(super) async fn due(tx: &Tx<'_>, (lane, now, limit): &(String, Timestamp, u32)) -> Result<Due> {
    let sql = if PrizeKind::Code.lane() == Some(lane.as_str()) && has_quarantined_pool(tx).await? {
        // Left out here and not afterwards: any number of them hold up nobody behind them.
        "SELECT lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms FROM outbox o
         WHERE lane = $1 AND due_ms <= $2 AND NOT EXISTS (
             SELECT 1 FROM fulfilments f JOIN code_pools p ON p.id = f.pool_id
             WHERE f.id = o.subject AND p.quarantined_since IS NOT NULL)
         ORDER BY due_ms, id LIMIT $3"
    } else {
        "SELECT lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms FROM outbox
         WHERE lane = $1 AND due_ms <= $2 ORDER BY due_ms, id LIMIT $3"
    };
    let messages = tx.all(sql, params![lane, *now, (*limit).min(MESSAGES_MAX)], read).await?;
    if messages.is_empty() || !somebody_waits(tx, lane).await? {
        return Ok(Due { messages, held: Vec::new() });
    }
    let keys: Vec<[Value; 4]> = messages
        .iter()
        .map(|message| {
            let user = message.user.map_or(0, |user| user.0);
            [lane.into(), user.into(), message.id.into(), message.due.into()]
        })
        .collect();
    // One that failed goes before every later one of the same user, also when it is due later than they are.
    let sql = "SELECT MAX(due_ms) FROM outbox
               WHERE lane = $1 AND user_id = $2 AND user_id <> 0 AND id < $3 AND due_ms > $4 AND attempts > 0";
    let earlier = all_each(tx, sql, &keys, Row::opt_time).await?;
    let mut due = Due::default();
    for (message, earlier) in messages.into_iter().zip(earlier) {
        match earlier.into_iter().flatten().next() {
            None => due.messages.push(message),
            Some(until) => due.held.push((message, until)),
        }
    }
    Ok(due)
}

/// Messages of a lane that are due at a moment or later, in order.
pub(crate) async fn list_from(tx: &Tx<'_>, lane: &str, from_ms: i64, limit: u32) -> Result<Vec<Message>> {
    let sql = "SELECT lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms FROM outbox
               WHERE lane = $1 AND due_ms >= $2 ORDER BY due_ms, id LIMIT $3";
    tx.all(sql, params![lane, from_ms, limit], read).await
}

/// One of those, by its id.
pub(crate) async fn find_from(tx: &Tx<'_>, lane: &str, from_ms: i64, id: i64) -> Result<Option<Message>> {
    let sql = "SELECT lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms FROM outbox
               WHERE lane = $1 AND due_ms >= $2 AND id = $3";
    tx.one(sql, params![lane, from_ms, id], read).await
}

/// Those of a lane, or of all lanes, page by page: the newest first.
pub(crate) async fn page_from(
    tx: &Tx<'_>,
    lane: Option<&str>,
    from_ms: i64,
    page: PageRequest,
) -> Result<Page<Message>> {
    let sql = "SELECT lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms FROM outbox
               WHERE due_ms >= $1 AND id < $2 AND ($3 = '' OR lane = $3) ORDER BY id DESC LIMIT $4";
    let lane = lane.unwrap_or_default();
    let rows = tx.all(sql, params![from_ms, page.before(), lane, page.fetch()], read).await?;
    Ok(Page::cut(rows, page, |row| row.id))
}

async fn has_quarantined_pool(tx: &Tx<'_>) -> Result<bool> {
    let sql = "SELECT id FROM code_pools WHERE quarantined_since IS NOT NULL LIMIT 1";
    Ok(tx.one(sql, params![], Row::int).await?.is_some())
}

async fn somebody_waits(tx: &Tx<'_>, lane: &str) -> Result<bool> {
    let sql = "SELECT user_id FROM outbox WHERE lane = $1 AND attempts > 0 LIMIT 1";
    Ok(tx.one(sql, params![lane], Row::int).await?.is_some())
}

/// Moves what is held back to when the one before it is tried again.
pub(super) async fn hold(tx: &Tx<'_>, (fence, held): &(LaneFence, Vec<(Message, Timestamp)>)) -> Result<()> {
    pass_fence(tx, fence).await?;
    let rows = held.iter().map(|(message, until)| -> [Value; 4] {
        [(&message.lane).into(), message.due.into(), message.id.into(), (*until).into()]
    });
    let sql = "UPDATE outbox SET due_ms = $4 WHERE lane = $1 AND due_ms = $2 AND id = $3";
    count_each(tx, sql, rows).await.map(drop)
}

/// Counted up to a bound: a backlog of millions is not walked through to say that it is long.
pub(super) async fn figures(tx: &Tx<'_>, (lane, now): &(String, Timestamp)) -> Result<LaneFigures> {
    let sql = "SELECT COUNT(*) FROM (SELECT id FROM outbox WHERE lane = $1 LIMIT $2) AS counted";
    let waiting = to_unsigned(tx.count(sql, params![lane, COUNTED_MAX]).await?)?;
    let sql = "SELECT due_ms FROM outbox WHERE lane = $1 AND due_ms <= $2 ORDER BY due_ms, id LIMIT 1";
    let oldest_due = tx.one(sql, params![lane, *now], Row::time).await?;
    Ok(LaneFigures { waiting, oldest_due })
}

fn read(row: &mut Row) -> Result<Message, Fault> {
    Ok(Message {
        lane: row.text()?,
        due: row.time()?,
        id: row.int()?,
        user: user(row)?,
        attempts: number(row)?,
        kind: row.text()?,
        subject: row.int()?,
        body: row.text()?,
        made: row.time()?,
    })
}

/// 0 is nobody.
pub(super) fn user(row: &mut Row) -> Result<Option<UserId>, Fault> {
    Ok(Some(row.int()?).filter(|user| *user != 0).map(UserId))
}
