//! Likes: a row each. The count moves exactly when a row does, in the same transaction, so a repetition changes nothing and
//! the two never drift (hole 58).

use domain::Rejection;
use domain::community::{AuthorState, DailyAct, PostReader, PostState, can_read};
use domain::ids::{PostId, UserId};
use domain::rejection::MissingThing;
use domain::time::Timestamp;

use super::gate;
use crate::failure::Result;
use crate::model::{LikeCount, PostLike};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

pub(super) async fn set(tx: &Tx<'_>, step: &PostLike) -> Result<LikeCount> {
    let (_, newcomer) = gate::lock_writer(tx, step.user, step.day.now).await?;
    lock_readable(tx, step.post, step.user, step.day.now).await?;
    let sql = "SELECT COUNT(*) FROM post_likes WHERE user_id = $1 AND post_id = $2";
    let is_liked = tx.count(sql, params![step.user, step.post]).await? > 0;
    let delta: i64 = match (is_liked, step.liked) {
        (false, true) => {
            gate::count_act(tx, (step.user, newcomer), DailyAct::Like, &step.day).await?;
            let sql = "INSERT INTO post_likes (user_id, post_id, at_ms) VALUES ($1, $2, $3)";
            tx.execute(sql, params![step.user, step.post, step.day.now]).await?;
            1
        }
        (true, false) => {
            let sql = "DELETE FROM post_likes WHERE user_id = $1 AND post_id = $2";
            tx.execute(sql, params![step.user, step.post]).await?;
            -1
        }
        (true, true) | (false, false) => 0,
    };
    let sql = "UPDATE posts SET likes = likes + $2 WHERE id = $1 RETURNING likes";
    let likes = tx.one(sql, params![step.post, delta], Row::int).await?.unwrap_or(0);
    Ok(LikeCount { liked: step.liked, likes })
}

/// Locks a post that this person may read; its publishing time and its author.
pub(super) async fn lock_readable(
    tx: &Tx<'_>,
    post: PostId,
    reader: UserId,
    now: Timestamp,
) -> Result<(UserId, Timestamp)> {
    let found = tx
        .one(
            "SELECT author_id, author_gone, state, published_ms FROM posts WHERE id = $1 FOR UPDATE",
            params![post],
            |row| Ok((UserId(row.int()?), row.flag()?, row.named(PostState::parse)?, row.time()?)),
        )
        .await?;
    let missing = Rejection::NotFound { what: MissingThing::Post };
    let Some((author, gone, state, published)) = found else { return Err(missing.into()) };
    let sql = "SELECT COUNT(*) FROM users WHERE id = $1 AND ban_until > $2";
    let author_state = if tx.count(sql, params![author, now]).await? > 0 {
        AuthorState::Banned
    } else if gone {
        AuthorState::Gone
    } else {
        AuthorState::Active
    };
    let sql = "SELECT COUNT(*) FROM blocks WHERE (user_id = $1 AND blocked_id = $2)
                                              OR (user_id = $2 AND blocked_id = $1)";
    let blocked = tx.count(sql, params![reader, author]).await? > 0;
    // Its author sees it in every state; what is not shown to others is not liked or voted for either.
    let as_whom = if blocked { PostReader::Blocked } else { PostReader::Anybody };
    if can_read(state, author_state, as_whom) { Ok((author, published)) } else { Err(missing.into()) }
}
