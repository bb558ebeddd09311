//! Dead letters: looking at them, and putting them back.

use domain::Rejection;
use domain::fulfilment::FulfilmentStep;
use domain::ids::FulfilmentId;
use domain::page::{Page, PageRequest};
use domain::rejection::MissingThing;
use serde_json::json;

use super::due::user;
use crate::failure::{Failure, Fault, Result};
use crate::model::{AuditStamp, DeadLetter, FULFIL, FailedAttempt, REDRIVE_MAX, Redrive, RedriveWhich};
use crate::row::Row;
use crate::steps::activities::columns::number;
use crate::steps::fulfilments;
use crate::tx::Tx;
use crate::{audit, params};

macro_rules! letter_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, lane, user_id, attempts, kind, subject, body, made_ms, died_ms, error FROM dead_letters ",
            $rest
        )
    };
}

/// The newest message first.
pub(super) async fn list(
    tx: &Tx<'_>,
    (lane, page): &(Option<String>, PageRequest),
) -> Result<Page<DeadLetter>> {
    let rows = match lane {
        None => {
            let sql = letter_sql!("WHERE id < $1 ORDER BY id DESC LIMIT $2");
            tx.all(sql, params![page.before(), page.fetch()], read).await?
        }
        Some(lane) => {
            let sql = letter_sql!("WHERE id < $1 AND lane = $3 ORDER BY id DESC LIMIT $2");
            tx.all(sql, params![page.before(), page.fetch(), lane], read).await?
        }
    };
    Ok(Page::cut(rows, *page, |row| row.id))
}

pub(super) async fn find(tx: &Tx<'_>, id: &i64) -> Result<Option<(DeadLetter, Vec<FailedAttempt>)>> {
    let Some(letter) = tx.one(letter_sql!("WHERE id = $1"), params![*id], read).await? else {
        return Ok(None);
    };
    let attempts = tx
        .all(
            "SELECT n, at_ms, error FROM outbox_attempts WHERE message_id = $1 ORDER BY n",
            params![*id],
            |row| Ok(FailedAttempt { n: number(row)?, at: row.time()?, error: row.text()? }),
        )
        .await?;
    Ok(Some((letter, attempts)))
}

/// One is refused where its prize does not wait for it any more; among many such a one stays where it is.
pub(super) async fn redrive(tx: &Tx<'_>, step: &Redrive) -> Result<u64> {
    let (letters, subject) = match &step.which {
        RedriveWhich::One(id) => {
            let sql = letter_sql!("WHERE id = $1 FOR UPDATE");
            let letter = tx.one(sql, params![*id], read).await?;
            let letter = letter.ok_or(Rejection::NotFound { what: MissingThing::DeadLetter })?;
            (vec![letter], format!("message:{id}"))
        }
        RedriveWhich::Lane { lane, limit } => {
            let sql = letter_sql!("WHERE lane = $1 ORDER BY id LIMIT $2 FOR UPDATE");
            let letters = tx.all(sql, params![lane, (*limit).min(REDRIVE_MAX)], read).await?;
            (letters, format!("lane:{lane}"))
        }
    };
    let one = matches!(step.which, RedriveWhich::One(_));
    let mut put_back: Vec<i64> = Vec::with_capacity(letters.len());
    for letter in &letters {
        match put_one_back(tx, letter, &step.signed).await {
            Ok(()) => put_back.push(letter.id),
            Err(Failure::Rejected(Rejection::FulfilmentStepIllegal { .. })) if !one => {}
            Err(failure) => return Err(failure),
        }
    }
    if !put_back.is_empty() {
        let ids: Vec<String> = put_back.iter().map(ToString::to_string).collect();
        let (before, after) = (json!({ "dead_letters": ids }), json!({ "messages": ids }));
        audit::write(tx, &step.signed, "outbox.redrive", &subject, &before, &after).await?;
    }
    Ok(put_back.len() as u64)
}

async fn put_one_back(tx: &Tx<'_>, letter: &DeadLetter, signed: &AuditStamp) -> Result<()> {
    if letter.kind == FULFIL {
        // The prize takes the step, which writes the message anew.
        return fulfilments::redriven(tx, FulfilmentId(letter.subject), FulfilmentStep::Redrive, signed.at)
            .await;
    }
    forget(tx, letter.id).await?;
    tx.execute(
        "INSERT INTO outbox (lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms)
         VALUES ($1, $2, $3, $4, 0, $5, $6, $7, $8)",
        params![
            &letter.lane,
            signed.at,
            letter.id,
            letter.user.map_or(0, |user| user.0),
            &letter.kind,
            letter.subject,
            &letter.body,
            letter.made
        ],
    )
    .await?;
    Ok(())
}

/// It is put back, or nobody waits for it any more. What was tried stays on record until it is delivered.
pub(crate) async fn forget(tx: &Tx<'_>, id: i64) -> Result<()> {
    tx.execute("DELETE FROM dead_letters WHERE id = $1", params![id]).await?;
    Ok(())
}

fn read(row: &mut Row) -> Result<DeadLetter, Fault> {
    Ok(DeadLetter {
        id: row.int()?,
        lane: row.text()?,
        user: user(row)?,
        attempts: number(row)?,
        kind: row.text()?,
        subject: row.int()?,
        body: row.text()?,
        made: row.time()?,
        died: row.time()?,
        error: row.text()?,
    })
}
