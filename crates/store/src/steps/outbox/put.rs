//! Writing messages, in the transaction of what they speak of.

use domain::outbox::BODY_MAX;

use crate::each::{count_each, once_each};
use crate::failure::{Fault, Result};
use crate::model::NewMessage;
use crate::tx::Tx;
use crate::value::Value;

/// An id that waits already is a fault: whoever repeats a step has to notice before.
pub(crate) async fn put(tx: &Tx<'_>, messages: &[NewMessage]) -> Result<()> {
    let sql = "INSERT INTO outbox (lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms)
               VALUES ($1, $2, $3, $4, 0, $5, $6, $7, $8)";
    once_each(tx, sql, rows(messages)?).await
}

/// An id that waits already is the same message.
pub(crate) async fn put_once(tx: &Tx<'_>, messages: &[NewMessage]) -> Result<()> {
    let sql = "INSERT INTO outbox (lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms)
               VALUES ($1, $2, $3, $4, 0, $5, $6, $7, $8) ON CONFLICT (lane, due_ms, id) DO NOTHING";
    count_each(tx, sql, rows(messages)?).await.map(drop)
}

fn rows(messages: &[NewMessage]) -> Result<Vec<[Value; 8]>, Fault> {
    if let Some(long) = messages.iter().find(|message| message.body.len() > BODY_MAX) {
        return Err(Fault::new(format!("message {} is longer than {BODY_MAX} bytes", long.id)));
    }
    let row = |message: &NewMessage| -> [Value; 8] {
        [
            (&message.lane).into(),
            message.due.into(),
            message.id.into(),
            message.user.map_or(0, |user| user.0).into(),
            message.kind.into(),
            message.subject.into(),
            (&message.body).into(),
            message.made.into(),
        ]
    };
    Ok(messages.iter().map(row).collect())
}
