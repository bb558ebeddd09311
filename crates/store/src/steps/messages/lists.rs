//! Conversations and messages as one of the two sees them. Whoever is blocked either way, or banned, is in no list.

use domain::Rejection;
use domain::ids::UserId;
use domain::rejection::MissingThing;
use domain::time::Timestamp;

use crate::failure::{Fault, Result};
use crate::model::{
    ConversationRow, ConversationsFind, FeedPage, MessagesFind, MessagesPage, MessagesPlace, PersonCard,
    PrivateMessageRow,
};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

pub(super) async fn conversations(
    tx: &Tx<'_>,
    step: &ConversationsFind,
) -> Result<FeedPage<ConversationRow>> {
    let before = step.page.before();
    let rows = tx
        .all(
            "SELECT s.conversation_id, u.id, u.name, u.avatar, u.level,
                    CAST(CASE WHEN u.deleted_at IS NULL THEN 0 ELSE 1 END AS BIGINT),
                    s.unread, m.n, m.sender_id, m.sealed, s.newest_ms
             FROM conversation_sides s
             JOIN conversations c ON c.id = s.conversation_id
             JOIN private_messages m ON m.conversation_id = c.id AND m.n = c.messages
             JOIN users u ON u.id = s.other_id
             WHERE s.user_id = $1 AND (s.newest_ms, s.conversation_id) < ($2, $3)
               AND (u.ban_until IS NULL OR u.ban_until <= $4)
               AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = $1 AND b.blocked_id = u.id)
               AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = u.id AND b.blocked_id = $1)
             ORDER BY s.newest_ms DESC, s.conversation_id DESC LIMIT $5",
            params![step.user, before.time, before.id, step.now, step.page.fetch()],
            |row| {
                let id = row.int()?;
                let other = PersonCard {
                    id: UserId(row.int()?),
                    name: row.text()?,
                    avatar: row.text()?,
                    level: row.int()?,
                };
                let is_gone = row.flag()?;
                let unread = row.int()?;
                let other_id = other.id;
                let other = (!is_gone).then_some(other);
                Ok(ConversationRow { id, other_id, other, unread, newest: read(row)? })
            },
        )
        .await?;
    Ok(FeedPage::cut(rows, step.page, ConversationRow::key))
}

/// Messages that were not read, of people who are in the list.
pub(super) async fn count_unread(tx: &Tx<'_>, (user, now): &(UserId, Timestamp)) -> Result<i64> {
    tx.count(
        "SELECT CAST(COALESCE(SUM(s.unread), 0) AS BIGINT) FROM conversation_sides s JOIN users u ON u.id = s.other_id
         WHERE s.user_id = $1 AND s.unread > 0 AND (u.ban_until IS NULL OR u.ban_until <= $2)
           AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = $1 AND b.blocked_id = u.id)
           AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = u.id AND b.blocked_id = $1)",
        params![*user, *now],
    )
    .await
}

/// A conversation that one of the two has a part in.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConversationSide {
    pub id: i64,
    from: i64,
    /// The number of the last message.
    pub last: i64,
}

/// Nothing when the two never wrote to each other; nobody, when one has blocked the other.
pub(super) async fn find_side(tx: &Tx<'_>, user: UserId, other: UserId) -> Result<Option<ConversationSide>> {
    let sql = "SELECT COUNT(*) FROM users WHERE id = $2 AND id <> $1
                  AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = $1 AND b.blocked_id = $2)
                  AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = $2 AND b.blocked_id = $1)";
    if tx.count(sql, params![user, other]).await? == 0 {
        return Err(Rejection::NotFound { what: MissingThing::User }.into());
    }
    let sql = "SELECT c.id, s.from_n, c.messages FROM conversations c
               JOIN conversation_sides s ON s.conversation_id = c.id AND s.user_id = $3
               WHERE c.low_id = $1 AND c.high_id = $2";
    let read = |row: &mut Row| Ok(ConversationSide { id: row.int()?, from: row.int()?, last: row.int()? });
    tx.one(sql, params![user.min(other), user.max(other), user], read).await
}

pub(super) async fn messages(tx: &Tx<'_>, step: &MessagesFind) -> Result<MessagesPage> {
    let Some(side) = find_side(tx, step.user, step.other).await? else {
        return Ok(MessagesPage::default());
    };
    let fetch = i64::from(step.limit) + 1;
    let older = "SELECT n, sender_id, sealed, sent_ms FROM private_messages
                 WHERE conversation_id = $1 AND n >= $2 AND n < $3 ORDER BY n DESC LIMIT $4";
    let newer = "SELECT n, sender_id, sealed, sent_ms FROM private_messages
                 WHERE conversation_id = $1 AND n >= $2 AND n > $3 ORDER BY n LIMIT $4";
    let (sql, place) = match step.place {
        MessagesPlace::Newest => (older, i64::MAX),
        MessagesPlace::Before(n) => (older, n),
        MessagesPlace::After(n) => (newer, n),
    };
    let mut items = tx.all(sql, params![side.id, side.from, place, fetch], read).await?;
    let more = items.len() > step.limit as usize;
    items.truncate(step.limit as usize);
    let sql =
        "SELECT COALESCE(MAX(read_n), 0) FROM conversation_sides WHERE user_id = $1 AND conversation_id = $2";
    let read_by_other = tx.count(sql, params![step.other, side.id]).await?;
    Ok(MessagesPage { items, more, read_by_other })
}

fn read(row: &mut Row) -> Result<PrivateMessageRow, Fault> {
    Ok(PrivateMessageRow {
        n: row.int()?,
        sender: UserId(row.int()?),
        sealed: row.opt_bytes()?,
        sent: row.time()?,
    })
}
