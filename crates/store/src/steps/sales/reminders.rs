//! Who wants to hear of a start, and that they were told.

use domain::Rejection;
use domain::community::{NotificationKind, NotificationSubject};
use domain::ids::{ActivityId, UserId};
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;
use domain::webhook::EventKind;
use serde_json::json;

use crate::failure::Result;
use crate::model::{ReminderRow, ReminderSet, RemindersTell};
use crate::params;
use crate::row::Row;
use crate::steps::activities;
use crate::steps::events::{NewEvent, tell};
use crate::steps::jobs::pass_fence;
use crate::steps::notifications::{NewNotification, notify};
use crate::tx::Tx;

pub(super) async fn set(tx: &Tx<'_>, step: &ReminderSet) -> Result<()> {
    let ReminderSet { activity, user, max, now } = *step;
    let sql = "SELECT COUNT(*) FROM reminders WHERE user_id = $1 AND activity_id <> $2";
    let others = tx.one(sql, params![user, activity], Row::int).await?.unwrap_or(0);
    if others >= i64::from(max) {
        return Err(Rejection::RemindersFull { max }.into());
    }
    tx.execute(
        "INSERT INTO reminders (activity_id, user_id, made_ms) VALUES ($1, $2, $3)
         ON CONFLICT (activity_id, user_id) DO NOTHING",
        params![activity, user, now],
    )
    .await?;
    Ok(())
}

pub(super) async fn drop_one(tx: &Tx<'_>, (activity, user): &(ActivityId, UserId)) -> Result<bool> {
    let sql = "DELETE FROM reminders WHERE activity_id = $1 AND user_id = $2";
    Ok(tx.execute(sql, params![*activity, *user]).await? == 1)
}

pub(super) async fn list(tx: &Tx<'_>, (user, page): &(UserId, PageRequest)) -> Result<Page<ReminderRow>> {
    let mut rows = Vec::new();
    for activity in activities::list_reminded(tx, &(*user, *page)).await? {
        let sql = "SELECT made_ms, told_from_ms FROM reminders WHERE activity_id = $1 AND user_id = $2";
        let times = |row: &mut Row| Ok((row.time()?, row.opt_time()?));
        let Some((made, told_from)) = tx.one(sql, params![activity.id, *user], times).await? else {
            continue;
        };
        let told = told_from == Some(activity.window.from);
        rows.push(ReminderRow { activity, made, told });
    }
    Ok(Page::cut(rows, *page, |row| row.activity.id.0))
}

/// An event and the mark that it was told are one: nobody is told twice of a start. One that moved is another start.
pub(super) async fn tell_due(tx: &Tx<'_>, step: &RemindersTell) -> Result<u32> {
    pass_fence(tx, &step.fence).await?;
    let due = tx
        .all(
            "SELECT r.activity_id, r.user_id, v.from_ms, v.name FROM activities a
             JOIN activity_versions v ON v.activity_id = a.id AND v.number = a.live_version
             JOIN reminders r ON r.activity_id = a.id
             WHERE a.state IN ('approved', 'reopened') AND v.from_ms > $1 AND v.from_ms <= $2
               AND (r.told_from_ms IS NULL OR r.told_from_ms <> v.from_ms)
             ORDER BY r.activity_id, r.user_id LIMIT $3",
            params![step.now, step.before, step.limit],
            |row| Ok((ActivityId(row.int()?), UserId(row.int()?), row.time()?, row.text()?)),
        )
        .await?;
    let (mut events, mut news) = (Vec::with_capacity(due.len()), Vec::with_capacity(due.len()));
    for ((activity, user, from, name), id) in due.into_iter().zip(&step.ids) {
        mark(tx, activity, user, from).await?;
        let data = json!({
            "activity_id": activity.to_string(),
            "name": name,
            "from_ms": from.0,
        });
        // A start that moved is another one: the object is the reminder, not the activity.
        news.push(NewNotification {
            recipient: user,
            kind: NotificationKind::Reminder,
            actor: None,
            object: *id,
            about: (NotificationSubject::Activity, activity.0),
            post: None,
            at: step.now,
        });
        let (kind, subject, at) = (EventKind::ReminderDue, activity.0, step.now);
        events.push(NewEvent { id: *id, kind, user: Some(user), subject, data, at });
    }
    tell(tx, &events).await?;
    notify(tx, &news).await?;
    Ok(u32::try_from(events.len()).unwrap_or(u32::MAX))
}

async fn mark(tx: &Tx<'_>, activity: ActivityId, user: UserId, from: Timestamp) -> Result<()> {
    let sql = "UPDATE reminders SET told_from_ms = $3 WHERE activity_id = $1 AND user_id = $2";
    tx.execute(sql, params![activity, user, from]).await?;
    Ok(())
}
