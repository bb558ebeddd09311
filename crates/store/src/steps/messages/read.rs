//! The marker of what was read. It only goes forward.

use super::lists::find_side;
use super::send;
use crate::failure::Result;
use crate::model::MessagesRead;
use crate::params;
use crate::tx::Tx;

pub(super) async fn mark(tx: &Tx<'_>, step: &MessagesRead) -> Result<()> {
    // Whoever sends counts under this lock.
    send::lock(tx, step.user, step.other).await?;
    let Some(side) = find_side(tx, step.user, step.other).await? else { return Ok(()) };
    let until = step.until.min(side.last);
    tx.execute(
        "UPDATE conversation_sides SET read_n = $3, unread = (
             SELECT COUNT(*) FROM private_messages m
             WHERE m.conversation_id = $2 AND m.n > $3 AND m.sender_id <> $1)
         WHERE user_id = $1 AND conversation_id = $2 AND read_n < $3",
        params![step.user, side.id, until],
    )
    .await
    .map(drop)
}
