//! Likes: a row each. The count moves exactly when a row does, in the same transaction, so a repetition changes nothing and
//! the two never drift (hole 58).

use domain::Rejection;
use domain::community::{
    AuthorState, DailyAct, NotificationKind, NotificationSubject, PostReader, PostState, can_read,
};
use domain::grants::OwnBehaviour;
use domain::ids::{PostId, UserId};
use domain::rejection::MissingThing;
use domain::time::Timestamp;

use super::{acts, gate};
use crate::failure::Result;
use crate::model::{LikeCount, PostLike};
use crate::params;
use crate::row::Row;
use crate::steps::notifications::{NewNotification, notify};
use crate::tx::Tx;

pub(super) async fn set(tx: &Tx<'_>, step: &PostLike) -> Result<LikeCount> {
    let (_, newcomer) = gate::lock_writer(tx, step.user, step.day.now).await?;
    let post = lock_readable(tx, step.post, step.user, step.day.now).await?;
    let sql = "SELECT COUNT(*) FROM post_likes WHERE user_id = $1 AND post_id = $2";
    let is_liked = tx.count(sql, params![step.user, step.post]).await? > 0;
    let delta: i64 = match (is_liked, step.liked) {
        (false, true) => {
            gate::count_act(tx, (step.user, newcomer), DailyAct::Like, &step.day).await?;
            let sql = "INSERT INTO post_likes (user_id, post_id, at_ms) VALUES ($1, $2, $3)";
            tx.execute(sql, params![step.user, step.post, step.day.now]).await?;
            if let Some(author) = post.author {
                let liked = acts::on_post(OwnBehaviour::Like, step.user, step.post, step.day.now);
                acts::report_towards(tx, liked, newcomer, author, step.day.day).await?;
            }
            tell_author(tx, step, &post).await?;
            1
        }
        (true, false) => {
            let sql = "DELETE FROM post_likes WHERE user_id = $1 AND post_id = $2";
            tx.execute(sql, params![step.user, step.post]).await?;
            acts::take_back(tx, acts::on_post(OwnBehaviour::Like, step.user, step.post, step.day.now))
                .await?;
            -1
        }
        (true, true) | (false, false) => 0,
    };
    let sql = "UPDATE posts SET likes = likes + $2 WHERE id = $1 RETURNING likes";
    let likes = tx.one(sql, params![step.post, delta], Row::int).await?.unwrap_or(0);
    Ok(LikeCount { liked: step.liked, likes })
}

async fn tell_author(tx: &Tx<'_>, step: &PostLike, post: &ReadablePost) -> Result<()> {
    let Some(recipient) = post.author else { return Ok(()) };
    let new = NewNotification {
        recipient,
        kind: NotificationKind::Like,
        actor: Some(step.user),
        object: step.post.0,
        about: (NotificationSubject::Post, step.post.0),
        post: Some(step.post.0),
        at: step.day.now,
    };
    notify(tx, &[new]).await
}

/// A post that somebody may read, locked.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadablePost {
    /// Nobody, once the account was deleted.
    pub author: Option<UserId>,
    pub published: Timestamp,
}

/// Locks a post that this person may read.
pub(super) async fn lock_readable(
    tx: &Tx<'_>,
    post: PostId,
    reader: UserId,
    now: Timestamp,
) -> Result<ReadablePost> {
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
    if !can_read(state, author_state, as_whom) {
        return Err(missing.into());
    }
    Ok(ReadablePost { author: (!gone).then_some(author), published })
}
