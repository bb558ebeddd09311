//! Messages of the lane become notifications. A notification, its group and the end of its message are one transaction, so
//! that a message that comes again finds what it wrote and changes nothing.

use domain::community::{FeedKey, NotificationFacts, is_heard};
use domain::ids::UserId;
use domain::time::Timestamp;

use crate::failure::Result;
use crate::model::{NotificationMessage, NotificationsWrite};
use crate::params;
use crate::row::Row;
use crate::steps::outbox;
use crate::tx::Tx;

/// Answers whose notifications changed.
pub(super) async fn write(tx: &Tx<'_>, step: &NotificationsWrite) -> Result<Vec<UserId>> {
    let mut changed = Vec::new();
    for ((message, said), id) in step.messages.iter().zip(&step.ids) {
        let Some(recipient) = message.user else { continue };
        if write_one(tx, recipient, said, *id, step.now).await? && !changed.contains(&recipient) {
            changed.push(recipient);
        }
    }
    let messages = step.messages.iter().map(|(message, _)| message).collect();
    outbox::finish_given(tx, &step.fence, messages, step.now).await?;
    Ok(changed)
}

async fn write_one(
    tx: &Tx<'_>,
    recipient: UserId,
    said: &NotificationMessage,
    id: i64,
    now: Timestamp,
) -> Result<bool> {
    let Some(facts) = read_facts(tx, recipient, said).await? else { return Ok(false) };
    if !is_heard(&facts) {
        return Ok(false);
    }
    let (kind, about) = (said.kind.name(), said.about.name());
    let sql = "SELECT COUNT(*) FROM notifications
               WHERE user_id = $1 AND kind = $2 AND about = $3 AND about_id = $4 AND actor_id = $5";
    let known = tx.count(sql, params![recipient, kind, about, said.about_id, said.actor]).await?;
    let key = next_key(tx, recipient, id, now).await?;
    let new = tx
        .execute(
            "INSERT INTO notifications (user_id, kind, actor_id, object_id, about, about_id, made_ms, id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT (user_id, kind, actor_id, object_id) DO NOTHING",
            params![recipient, kind, said.actor, said.object, about, said.about_id, key.time, key.id],
        )
        .await?;
    if new == 0 {
        return Ok(false);
    }
    let people = i64::from(known == 0 && said.actor != 0);
    tx.execute(
        "INSERT INTO notification_groups (user_id, kind, about, about_id, newest_ms, newest_id, times, people, unread)
         VALUES ($1, $2, $3, $4, $5, $6, 1, $7, 1)
         ON CONFLICT (user_id, kind, about, about_id) DO UPDATE SET
             newest_ms = excluded.newest_ms, newest_id = excluded.newest_id,
             times = notification_groups.times + 1, people = notification_groups.people + excluded.people,
             unread = notification_groups.unread + 1",
        params![recipient, kind, about, said.about_id, key.time, key.id, people],
    )
    .await?;
    Ok(true)
}

/// Nothing when there is no such recipient.
async fn read_facts(
    tx: &Tx<'_>,
    recipient: UserId,
    said: &NotificationMessage,
) -> Result<Option<NotificationFacts>> {
    tx.one(
        "SELECT CAST(CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END AS BIGINT),
                (SELECT COUNT(*) FROM notification_switches s WHERE s.user_id = $1 AND s.kind = $2),
                (SELECT COUNT(*) FROM notification_mutes m WHERE m.user_id = $1
                    AND (m.muted = 'person' AND m.muted_id = $3 OR m.muted = 'post' AND m.muted_id = $4)),
                (SELECT COUNT(*) FROM blocks b WHERE (b.user_id = $1 AND b.blocked_id = $3)
                                                  OR (b.user_id = $3 AND b.blocked_id = $1))
         FROM users WHERE id = $1",
        params![recipient, said.kind.name(), said.actor, said.post.unwrap_or(0)],
        |row| {
            Ok(NotificationFacts {
                recipient,
                actor: (said.actor != 0).then_some(UserId(said.actor)),
                recipient_gone: row.flag()?,
                switched_off: row.int()? > 0,
                muted: row.int()? > 0,
                blocked: row.int()? > 0,
            })
        },
    )
    .await
}

/// After everything that this person was notified of: one worker writes the lane, so keys rise in the order of commits.
async fn next_key(tx: &Tx<'_>, recipient: UserId, id: i64, now: Timestamp) -> Result<FeedKey> {
    let sql = "SELECT newest_ms, newest_id FROM notification_groups WHERE user_id = $1
               ORDER BY newest_ms DESC, newest_id DESC LIMIT 1";
    let read = |row: &mut Row| Ok(FeedKey { time: row.time()?, id: row.int()? });
    let last = tx.one(sql, params![recipient], read).await?;
    Ok(last.map_or(FeedKey { time: now, id }, |last| last.next(now, id)))
}
