//! Block lists, and how often each was changed.

use std::collections::HashSet;

use domain::Rejection;
use domain::ids::{ActivityId, UserId};
use domain::page::{Page, PageRequest};
use serde_json::{Value as Json, json};

use super::daily_sums;
use crate::each::{all_each, count_each};
use crate::failure::{Fault, Result};
use crate::model::{
    AuditStamp, BLOCK_LIST_MAX, BlockFate, BlockListAdd, BlockListRemove, BlockName, BlockedRow,
};
use crate::row::Row;
use crate::tx::Tx;
use crate::value::Value;
use crate::{audit, params};

/// Whoever is on the list stays there with the first reason, so that the same import again changes nothing.
pub(crate) async fn add(tx: &Tx<'_>, step: &BlockListAdd) -> Result<Vec<BlockFate>> {
    lock(tx, step.activity).await?;
    let users = resolve(tx, &step.names).await?;
    let mut seen = HashSet::new();
    let first: Vec<bool> = users.iter().map(|user| user.is_some_and(|user| seen.insert(user))).collect();
    let signed = &step.signed;
    let rows: Vec<[Value; 5]> = users
        .iter()
        .zip(&first)
        .filter(|(_, first)| **first)
        .map(|(user, _)| {
            [
                step.activity.into(),
                (*user).into(),
                Value::from(&signed.reason),
                audit::actor_text(signed.actor).into(),
                signed.at.into(),
            ]
        })
        .collect();
    let touched = count_each(
        tx,
        "INSERT INTO block_list (activity_id, user_id, reason, added_by, added_at)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (activity_id, user_id) DO NOTHING",
        rows,
    )
    .await?;
    let added = touched.iter().filter(|count| **count > 0).count();
    if added > 0 {
        daily_sums::count_bars(tx, signed, added).await?;
        let sql = "SELECT COUNT(*) FROM block_list WHERE activity_id = $1";
        if tx.count(sql, params![step.activity]).await? > i64::from(BLOCK_LIST_MAX) {
            return Err(Rejection::BlockListFull { max: BLOCK_LIST_MAX }.into());
        }
        record_change(tx, step.activity, signed, "block_list.add", &Json::Null, &json!({ "added": added }))
            .await?;
    }
    let mut touched = touched.into_iter();
    let fate = |(user, first): (Option<UserId>, bool)| match (user, first) {
        (None, _) => BlockFate::Unknown,
        (Some(_), false) => BlockFate::Repeated,
        (Some(_), true) if touched.next().is_some_and(|count| count > 0) => BlockFate::Added,
        (Some(_), true) => BlockFate::Already,
    };
    Ok(users.into_iter().zip(first).map(fate).collect())
}

pub(crate) async fn remove(tx: &Tx<'_>, step: &BlockListRemove) -> Result<bool> {
    lock(tx, step.activity).await?;
    let reason = tx
        .one(
            "DELETE FROM block_list WHERE activity_id = $1 AND user_id = $2 RETURNING reason",
            params![step.activity, step.user],
            Row::text,
        )
        .await?;
    let Some(reason) = reason else { return Ok(false) };
    let before = json!({ "user": step.user, "reason": reason });
    record_change(tx, step.activity, &step.signed, "block_list.remove", &before, &Json::Null).await?;
    Ok(true)
}

pub(crate) async fn page(
    tx: &Tx<'_>,
    (activity, page): &(ActivityId, PageRequest),
) -> Result<Page<BlockedRow>> {
    let rows = tx
        .all(
            "SELECT b.user_id, u.external_id, b.reason, b.added_by, b.added_at
             FROM block_list b JOIN users u ON u.id = b.user_id
             WHERE b.activity_id = $1 AND b.user_id < $2 ORDER BY b.user_id DESC LIMIT $3",
            params![*activity, page.before(), page.fetch()],
            |row| {
                Ok(BlockedRow {
                    user: UserId(row.int()?),
                    external_id: row.opt_text()?,
                    reason: row.text()?,
                    added_by: row.named(audit::parse_actor)?,
                    added_at: row.time()?,
                })
            },
        )
        .await?;
    Ok(Page::cut(rows, *page, |row| row.user.0))
}

/// A read is one consistent view: the counter and the list belong together.
pub(crate) async fn load(tx: &Tx<'_>, activity: &ActivityId) -> Result<(u64, Vec<UserId>)> {
    let changes = changes(tx, *activity).await?;
    let sql = "SELECT user_id FROM block_list WHERE activity_id = $1 ORDER BY user_id";
    let users = tx.all(sql, params![*activity], |row| Ok(UserId(row.int()?))).await?;
    Ok((changes, users))
}

/// How often the list was changed; it changes no more until the transaction ends.
pub(crate) async fn hold(tx: &Tx<'_>, activity: ActivityId) -> Result<u64> {
    lock(tx, activity).await?;
    changes(tx, activity).await
}

async fn changes(tx: &Tx<'_>, activity: ActivityId) -> Result<u64> {
    let sql = "SELECT changes FROM block_list_changes WHERE activity_id = $1";
    let changes = tx.one(sql, params![activity], Row::int).await?.unwrap_or(0);
    Ok(u64::try_from(changes).map_err(|error| Fault::caused("a counter of changes", error))?)
}

async fn lock(tx: &Tx<'_>, activity: ActivityId) -> Result<()> {
    tx.exclusive(&format!("block list {activity}")).await
}

/// Who the names are, in their order. A deleted account is nobody.
async fn resolve(tx: &Tx<'_>, names: &[BlockName]) -> Result<Vec<Option<UserId>>> {
    let (mut ids, mut externals): (Vec<[Value; 1]>, Vec<[Value; 1]>) = (Vec::new(), Vec::new());
    for name in names {
        match name {
            BlockName::User(user) => ids.push([(*user).into()]),
            BlockName::External(external) => externals.push([external.into()]),
            BlockName::Nobody => {}
        }
    }
    let read = |row: &mut Row| row.int().map(UserId);
    let by_id = "SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL";
    let by_external = "SELECT id FROM users WHERE external_id = $1 AND deleted_at IS NULL";
    let mut ids = all_each(tx, by_id, &ids, read).await?.into_iter();
    let mut externals = all_each(tx, by_external, &externals, read).await?.into_iter();
    let user = |name: &BlockName| match name {
        BlockName::User(_) => ids.next().and_then(|found| found.first().copied()),
        BlockName::External(_) => externals.next().and_then(|found| found.first().copied()),
        BlockName::Nobody => None,
    };
    Ok(names.iter().map(user).collect())
}

async fn record_change(
    tx: &Tx<'_>,
    activity: ActivityId,
    signed: &AuditStamp,
    action: &str,
    before: &Json,
    after: &Json,
) -> Result<()> {
    tx.execute(
        "INSERT INTO block_list_changes (activity_id, changes) VALUES ($1, 1)
         ON CONFLICT (activity_id) DO UPDATE SET changes = block_list_changes.changes + 1",
        params![activity],
    )
    .await?;
    audit::write(tx, signed, action, &format!("activity:{activity}"), before, after).await
}
