//! Posts on their way into timelines. Each part of the way looks again at the post and at who follows its author.

use domain::community::FeedKey;
use domain::ids::{PostId, UserId};

use super::timelines::read_key;
use crate::failure::Result;
use crate::model::{FollowersAfter, PostFanOut};
use crate::params;
use crate::row::Row;
use crate::steps::activities::columns::to_unsigned;
use crate::tx::Tx;
use crate::value::Value;

/// Nothing where the post is everywhere already.
pub(super) async fn find(tx: &Tx<'_>, post: PostId) -> Result<Option<PostFanOut>> {
    tx.one(
        "SELECT o.author_id, o.published_ms, o.post_id, o.after_ms, o.after_id, u.followers
         FROM post_fan_outs o JOIN users u ON u.id = o.author_id WHERE o.post_id = $1",
        params![post],
        |row| {
            Ok(PostFanOut {
                author: UserId(row.int()?),
                key: read_key(row)?,
                after: read_key(row)?,
                followers: to_unsigned(row.int()?)?,
            })
        },
    )
    .await
}

pub(super) async fn followers(tx: &Tx<'_>, step: &FollowersAfter) -> Result<Vec<FeedKey>> {
    let Some(author) = author(tx, step.post).await? else { return Ok(Vec::new()) };
    let sql = "SELECT at_ms, user_id FROM follows WHERE followed_id = $1 AND (at_ms, user_id) > ($2, $3)
               ORDER BY at_ms, user_id LIMIT $4";
    tx.all(sql, params![author, step.after.time, step.after.id, step.limit], read_key).await
}

pub(super) async fn filter(tx: &Tx<'_>, post: PostId, users: &[UserId]) -> Result<Vec<UserId>> {
    let Some(author) = author(tx, post).await? else { return Ok(Vec::new()) };
    let keys: Vec<[Value; 2]> = users.iter().map(|user| [(*user).into(), author.into()]).collect();
    let sql = "SELECT user_id FROM follows WHERE user_id = $1 AND followed_id = $2";
    let found = tx.all_each(sql, &keys, |row| Ok(UserId(row.int()?))).await?;
    Ok(found.into_iter().flatten().collect())
}

pub(super) async fn advance(tx: &Tx<'_>, post: PostId, after: FeedKey) -> Result<()> {
    let sql = "UPDATE post_fan_outs SET after_ms = $2, after_id = $3 WHERE post_id = $1";
    tx.execute(sql, params![post, after.time, after.id]).await.map(drop)
}

pub(super) async fn finish(tx: &Tx<'_>, post: PostId) -> Result<()> {
    tx.execute("DELETE FROM post_fan_outs WHERE post_id = $1", params![post]).await.map(drop)
}

/// The author of a post that is still to be delivered.
async fn author(tx: &Tx<'_>, post: PostId) -> Result<Option<UserId>> {
    let sql = "SELECT author_id FROM posts WHERE id = $1 AND state <> 'deleted' AND author_gone = 0";
    Ok(tx.one(sql, params![post], Row::int).await?.map(UserId))
}
