//! Notifications as their reader sees them: in groups, the newest first. A group in which nobody is left that the reader may
//! see is left out; the cursor goes on after what was looked at.

use domain::community::{FeedKey, NOTIFICATION_DAYS, NotificationKind, NotificationSubject};
use domain::ids::UserId;
use domain::time::{DAY_MS, Timestamp};

use super::context;
use crate::failure::{Fault, Result};
use crate::model::{
    FeedPage, NOTIFICATION_PEOPLE_MAX, NotificationContext, NotificationRow, NotificationsFind,
    NotificationsRead, NotificationsSince, PersonCard,
};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

macro_rules! group_sql {
    ($rest:literal) => {
        concat!(
            "SELECT kind, about, about_id, newest_ms, newest_id, times, people, unread FROM notification_groups
             WHERE user_id = $1 AND newest_ms >= $2 AND ",
            $rest
        )
    };
}

const NEWEST: &str =
    group_sql!("(newest_ms, newest_id) < ($3, $4) ORDER BY newest_ms DESC, newest_id DESC LIMIT $5");
const SINCE: &str = group_sql!("(newest_ms, newest_id) > ($3, $4) ORDER BY newest_ms, newest_id LIMIT $5");

/// What is older is not shown, also before it is swept.
fn oldest(now: Timestamp) -> Timestamp {
    now - NOTIFICATION_DAYS * DAY_MS
}

pub(super) async fn find(tx: &Tx<'_>, step: &NotificationsFind) -> Result<FeedPage<NotificationRow>> {
    let before = step.page.before();
    let values = params![step.user, oldest(step.now), before.time, before.id, step.page.fetch()];
    let groups = tx.all(NEWEST, values, read).await?;
    let mut page = FeedPage::cut(groups, step.page, |row| row.key);
    page.items = complete(tx, step.user, step.now, page.items).await?;
    Ok(page)
}

/// What came after a key, the oldest first, and the key to continue after.
pub(super) async fn since(tx: &Tx<'_>, step: &NotificationsSince) -> Result<(Vec<NotificationRow>, FeedKey)> {
    let values = params![step.user, oldest(step.now), step.after.time, step.after.id, step.limit];
    let groups = tx.all(SINCE, values, read).await?;
    let last = groups.last().map_or(step.after, |row| row.key);
    Ok((complete(tx, step.user, step.now, groups).await?, last))
}

/// Groups with something in them that was not seen.
pub(super) async fn count_unread(tx: &Tx<'_>, (user, now): &(UserId, Timestamp)) -> Result<i64> {
    let sql =
        "SELECT COUNT(*) FROM notification_groups WHERE user_id = $1 AND unread > 0 AND newest_ms >= $2";
    tx.count(sql, params![*user, oldest(*now)]).await
}

/// The key of the newest notification; that of none is before all.
pub(super) async fn newest(tx: &Tx<'_>, user: &UserId) -> Result<FeedKey> {
    let sql = "SELECT newest_ms, newest_id FROM notification_groups WHERE user_id = $1
               ORDER BY newest_ms DESC, newest_id DESC LIMIT 1";
    let read = |row: &mut Row| Ok(FeedKey { time: row.time()?, id: row.int()? });
    Ok(tx.one(sql, params![*user], read).await?.unwrap_or(FeedKey { time: Timestamp(0), id: 0 }))
}

/// A group that got another one meanwhile stays unread.
pub(super) async fn mark_read(tx: &Tx<'_>, step: &NotificationsRead) -> Result<()> {
    let sql = "UPDATE notification_groups SET unread = 0
               WHERE user_id = $1 AND unread > 0 AND (newest_ms, newest_id) <= ($2, $3)";
    tx.execute(sql, params![step.user, step.until.time, step.until.id]).await.map(drop)
}

fn read(row: &mut Row) -> Result<NotificationRow, Fault> {
    let (kind, about) = (row.named(NotificationKind::parse)?, row.named(NotificationSubject::parse)?);
    let about_id = row.int()?;
    Ok(NotificationRow {
        key: FeedKey { time: row.time()?, id: row.int()? },
        kind,
        about,
        about_id,
        object: 0,
        people: Vec::new(),
        times: row.int()?,
        people_count: row.int()?,
        unread: row.int()?,
        context: NotificationContext::default(),
    })
}

async fn complete(
    tx: &Tx<'_>,
    user: UserId,
    now: Timestamp,
    groups: Vec<NotificationRow>,
) -> Result<Vec<NotificationRow>> {
    let mut rows = Vec::with_capacity(groups.len());
    for group in groups {
        if let Some(group) = add_people(tx, user, now, group).await?
            && let Some(context) = context::find(tx, user, &group).await?
        {
            rows.push(NotificationRow { context, ..group });
        }
    }
    Ok(rows)
}

/// The newest people of a group, without those that the reader does not see and those whose words are gone.
async fn add_people(
    tx: &Tx<'_>,
    user: UserId,
    now: Timestamp,
    mut group: NotificationRow,
) -> Result<Option<NotificationRow>> {
    let found = tx
        .all(
            "SELECT n.object_id, u.id, u.name, u.avatar, u.level
             FROM notifications n LEFT JOIN users u ON u.id = n.actor_id
             WHERE n.user_id = $1 AND n.kind = $2 AND n.about = $3 AND n.about_id = $4
               AND (n.actor_id = 0 OR (u.deleted_at IS NULL AND (u.ban_until IS NULL OR u.ban_until <= $5)))
               AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = $1 AND b.blocked_id = n.actor_id)
               AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = n.actor_id AND b.blocked_id = $1)
               AND (n.kind NOT IN ('comment', 'reply') OR EXISTS (
                   SELECT 1 FROM comments c WHERE c.id = n.object_id AND c.state = 'visible'))
             ORDER BY n.made_ms DESC, n.id DESC LIMIT $6",
            params![
                user,
                group.kind.name(),
                group.about.name(),
                group.about_id,
                now,
                NOTIFICATION_PEOPLE_MAX
            ],
            |row| {
                let object = row.int()?;
                let person = (row.opt_int()?, row.opt_text()?, row.opt_text()?, row.opt_int()?);
                let person = match person {
                    (Some(id), Some(name), Some(avatar), Some(level)) => {
                        Some(PersonCard { id: UserId(id), name, avatar, level })
                    }
                    _ => None,
                };
                Ok((object, person))
            },
        )
        .await?;
    let Some((object, _)) = found.first() else { return Ok(None) };
    group.object = *object;
    for person in found.into_iter().filter_map(|(_, person)| person) {
        if !group.people.iter().any(|other| other.id == person.id) {
            group.people.push(person);
        }
    }
    Ok(Some(group))
}
