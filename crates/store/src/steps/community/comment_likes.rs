//! Likes of comments, as those of posts.

use domain::community::{DailyAct, NotificationKind, NotificationSubject, PostState};
use domain::grants::OwnBehaviour;

use super::comments::{LockedComment, NOT_THERE, lock};
use super::{acts, gate};
use crate::failure::Result;
use crate::model::{CommentLike, LikeCount};
use crate::params;
use crate::row::Row;
use crate::steps::grants::own::OwnAct;
use crate::steps::notifications::{NewNotification, notify};
use crate::tx::Tx;

pub(super) async fn set(tx: &Tx<'_>, step: &CommentLike) -> Result<LikeCount> {
    let (_, newcomer) = gate::lock_writer(tx, step.user, step.day.now).await?;
    let found = lock(tx, step.comment).await?;
    let sql = "SELECT (SELECT COUNT(*) FROM blocks WHERE (user_id = $1 AND blocked_id = $2)
                                                      OR (user_id = $2 AND blocked_id = $1))
                    + (SELECT COUNT(*) FROM users WHERE id = $2 AND ban_until > $3)";
    let is_hidden = tx.count(sql, params![step.user, found.author, step.day.now]).await? > 0;
    if found.state != PostState::Visible || is_hidden {
        return Err(NOT_THERE.into());
    }
    let sql = "SELECT COUNT(*) FROM comment_likes WHERE user_id = $1 AND comment_id = $2";
    let is_liked = tx.count(sql, params![step.user, step.comment]).await? > 0;
    let delta: i64 = match (is_liked, step.liked) {
        (false, true) => {
            gate::count_act(tx, (step.user, newcomer), DailyAct::Like, &step.day).await?;
            let sql = "INSERT INTO comment_likes (user_id, comment_id, at_ms) VALUES ($1, $2, $3)";
            tx.execute(sql, params![step.user, step.comment, step.day.now]).await?;
            acts::report_towards(tx, act(step), newcomer, found.author, step.day.day).await?;
            if !found.gone {
                notify(tx, &[notification(step, &found)]).await?;
            }
            1
        }
        (true, false) => {
            let sql = "DELETE FROM comment_likes WHERE user_id = $1 AND comment_id = $2";
            tx.execute(sql, params![step.user, step.comment]).await?;
            acts::take_back(tx, act(step)).await?;
            -1
        }
        (true, true) | (false, false) => 0,
    };
    let sql = "UPDATE comments SET likes = likes + $2 WHERE id = $1 RETURNING likes";
    let likes = tx.one(sql, params![step.comment, delta], Row::int).await?.unwrap_or(0);
    Ok(LikeCount { liked: step.liked, likes })
}

fn act(step: &CommentLike) -> OwnAct {
    let object = format!("comment:{}", step.comment);
    OwnAct { kind: OwnBehaviour::Like, user: step.user, object, date: None, at: step.day.now }
}

fn notification(step: &CommentLike, found: &LockedComment) -> NewNotification {
    NewNotification {
        recipient: found.author,
        kind: NotificationKind::Like,
        actor: Some(step.user),
        object: step.comment.0,
        about: (NotificationSubject::Comment, step.comment.0),
        post: found.thread.post(),
        at: step.day.now,
    }
}
