//! Sending: judged, numbered and counted under the locks on both people and on the conversation.

use domain::account::Ban;
use domain::community::{MessageFacts, NotificationKind, NotificationSubject, may_send};
use domain::ids::UserId;

use crate::failure::Result;
use crate::model::{CreateOutcome, MessageSend};
use crate::row::Row;
use crate::steps::community::{lock_both, lock_writer, relation};
use crate::steps::notifications::{NewNotification, notify};
use crate::steps::users;
use crate::tx::Tx;
use crate::{once, params};

/// A conversation that exists, locked.
#[derive(Clone, Copy, Debug)]
pub(super) struct LockedConversation {
    pub id: i64,
    /// The number of its last message.
    pub last: i64,
}

/// Answers the number of the message.
pub(super) async fn send(tx: &Tx<'_>, step: &MessageSend) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    step.ruling.check()?;
    let (me, other, now) = (step.sender, step.recipient, step.day.now);
    lock_both(tx, me, other).await?;
    let (_, newcomer) = lock_writer(tx, me, now).await?;
    if step.has_links {
        newcomer.check_links(now)?;
    }
    let found = lock(tx, me, other).await?;
    let facts = read_facts(tx, step, found).await?;
    may_send(&facts, newcomer, now)?;
    let conversation = match found {
        Some(found) => found,
        None => begin(tx, step).await?,
    };
    let n = conversation.last + 1;
    let sql = "INSERT INTO private_messages (conversation_id, n, sender_id, sealed, sent_ms) VALUES ($1, $2, $3, $4, $5)";
    tx.execute(sql, params![conversation.id, n, me, &step.sealed, now]).await?;
    let sql = "UPDATE conversations SET messages = $2 WHERE id = $1";
    tx.execute(sql, params![conversation.id, n]).await?;
    move_sides(tx, step, conversation.id, n).await?;
    let new = NewNotification {
        recipient: other,
        kind: NotificationKind::Message,
        actor: Some(me),
        object: conversation.id,
        about: (NotificationSubject::Person, me.0),
        post: None,
        at: now,
    };
    notify(tx, &[new]).await?;
    once::record(tx, step.once.as_ref(), n, now).await
}

async fn read_facts(
    tx: &Tx<'_>,
    step: &MessageSend,
    found: Option<LockedConversation>,
) -> Result<MessageFacts> {
    let (me, other) = (step.sender, step.recipient);
    let account = users::find(tx, other).await?.map(|other| other.account);
    let is_there = account
        .is_some_and(|account| !account.deleted && Ban::check(account.ban.as_ref(), step.day.now).is_ok());
    let between =
        if is_there && me != other { relation(tx, &(me, other)).await? } else { Default::default() };
    let sql = "SELECT COUNT(*) FROM conversations WHERE begun_by = $1 AND begun_day = $2";
    let begun_today = tx.count(sql, params![me, step.day.day]).await?;
    let sql =
        "SELECT COALESCE(MAX(sent), 0) FROM conversation_sides WHERE user_id = $1 AND conversation_id = $2";
    let (sent, is_answered) = match found {
        None => (None, false),
        Some(LockedConversation { id, .. }) => {
            let mine = tx.count(sql, params![me, id]).await?;
            (Some(mine), tx.count(sql, params![other, id]).await? > 0)
        }
    };
    let (blocked_by_me, blocks_me, follows_me) = (between.blocked_by_me, between.blocks_me, between.followed);
    Ok(MessageFacts {
        me,
        other,
        is_there,
        blocked_by_me,
        blocks_me,
        follows_me,
        sent,
        is_answered,
        begun_today,
    })
}

/// The conversation of two people, in whichever order.
pub(super) async fn lock(tx: &Tx<'_>, one: UserId, other: UserId) -> Result<Option<LockedConversation>> {
    let sql = "SELECT id, messages FROM conversations WHERE low_id = $1 AND high_id = $2 FOR UPDATE";
    let read = |row: &mut Row| Ok(LockedConversation { id: row.int()?, last: row.int()? });
    tx.one(sql, params![one.min(other), one.max(other)], read).await
}

async fn begin(tx: &Tx<'_>, step: &MessageSend) -> Result<LockedConversation> {
    let (one, other) = (step.sender, step.recipient);
    tx.execute(
        "INSERT INTO conversations (id, low_id, high_id, begun_by, begun_day) VALUES ($1, $2, $3, $4, $5)",
        params![step.conversation, one.min(other), one.max(other), one, step.day.day],
    )
    .await?;
    Ok(LockedConversation { id: step.conversation, last: 0 })
}

/// Whoever has no side, or has one no more, sees the conversation from this message on.
async fn move_sides(tx: &Tx<'_>, step: &MessageSend, conversation: i64, n: i64) -> Result<()> {
    let (me, other) = (step.sender, step.recipient);
    for (user, partner, sent) in [(me, other, 1_i64), (other, me, 0)] {
        tx.execute(
            "INSERT INTO conversation_sides (user_id, conversation_id, other_id, sent, from_n, read_n, unread, newest_ms)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT (user_id, conversation_id) DO UPDATE SET
                 sent = conversation_sides.sent + excluded.sent, newest_ms = excluded.newest_ms,
                 unread = conversation_sides.unread + excluded.unread",
            params![user, conversation, partner, sent, n, if sent > 0 { n } else { n - 1 }, 1 - sent, step.day.now],
        )
        .await?;
    }
    Ok(())
}
