//! The audit log: who did what, before and after, written in the same transaction as the act.
//!
//! Before and after hold roles, scopes, states and the like, and no phone, name or hash. What may tell of a person (facts,
//! reasons) is erased with the account (`steps/erasure.rs`).

use domain::ids::{AuditId, KeyId, UserId};
use domain::page::{Page, PageRequest};
use serde_json::Value as Json;

use crate::failure::{Fault, Result};
use crate::model::{Actor, AuditQuery, AuditRow, AuditStamp};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

/// Records an act under the line's id made by the caller; a repetition of the act adds no second line.
pub(crate) async fn write(
    tx: &Tx<'_>,
    signed: &AuditStamp,
    action: &str,
    subject: &str,
    before: &Json,
    after: &Json,
) -> Result<()> {
    tx.execute(
        "INSERT INTO audit (id, made, actor, action, subject, reason, before_json, after_json, request_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING",
        params![
            signed.audit_id,
            signed.at,
            actor_text(signed.actor),
            action,
            subject,
            &signed.reason,
            json_text(before),
            json_text(after),
            &signed.request_id,
        ],
    )
    .await?;
    Ok(())
}

pub(crate) fn user_subject(user: UserId) -> String {
    format!("user:{user}")
}

/// "Nothing" is the empty text, not the word null.
pub(crate) fn json_text(json: &Json) -> String {
    if json.is_null() { String::new() } else { json.to_string() }
}

/// `user:5`, `key:7`, `console` or `system`: the same words a subject uses.
pub(crate) fn actor_text(actor: Actor) -> String {
    match actor {
        Actor::Person(user) => user_subject(user),
        Actor::Key(key) => format!("key:{key}"),
        Actor::Console => "console".to_owned(),
        Actor::System => "system".to_owned(),
    }
}

pub(crate) fn parse_actor(text: &str) -> Option<Actor> {
    match text.split_once(':') {
        Some(("user", id)) => id.parse().ok().map(|id: UserId| Actor::Person(id)),
        Some(("key", id)) => id.parse().ok().map(|id: KeyId| Actor::Key(id)),
        None if text == "console" => Some(Actor::Console),
        None if text == "system" => Some(Actor::System),
        Some(_) | None => None,
    }
}

/// Every filter is in every text; the one that leads is left bare so that its index is used.
macro_rules! audit_sql {
    ($lead:literal) => {
        concat!(
            "SELECT id, made, actor, action, subject, reason, before_json, after_json, request_id
             FROM audit WHERE ",
            $lead,
            " AND (CAST($2 AS TEXT) IS NULL OR actor = $2)
              AND (CAST($3 AS TEXT) IS NULL OR action = $3)
              AND (CAST($4 AS TEXT) IS NULL OR subject = $4)
              ORDER BY id DESC LIMIT $5"
        )
    };
}

pub(crate) async fn list(tx: &Tx<'_>, (query, page): &(AuditQuery, PageRequest)) -> Result<Page<AuditRow>> {
    let sql = match query {
        AuditQuery { subject: Some(_), .. } => audit_sql!("id < $1 AND subject = $4"),
        AuditQuery { actor: Some(_), .. } => audit_sql!("id < $1 AND actor = $2"),
        AuditQuery { action: Some(_), .. } => audit_sql!("id < $1 AND action = $3"),
        AuditQuery { .. } => audit_sql!("id < $1"),
    };
    let actor = query.actor.map(user_subject);
    let params = params![page.before(), actor, query.action.as_ref(), query.subject.as_ref(), page.fetch()];
    let rows = tx.all(sql, params, read).await?;
    Ok(Page::cut(rows, *page, |row| row.id.0))
}

fn read(row: &mut Row) -> Result<AuditRow, Fault> {
    Ok(AuditRow {
        id: AuditId(row.int()?),
        at: row.time()?,
        actor: row.named(parse_actor)?,
        action: row.text()?,
        subject: row.text()?,
        reason: row.text()?,
        before: row.text()?,
        after: row.text()?,
        request_id: row.text()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actors_come_back_as_they_were() {
        for actor in [Actor::Person(UserId(5)), Actor::Key(KeyId(7)), Actor::Console, Actor::System] {
            assert_eq!(parse_actor(&actor_text(actor)), Some(actor));
        }
        for text in ["", "user:", "user:x", "robot:1", "root"] {
            assert_eq!(parse_actor(text), None, "{text}");
        }
    }
}
