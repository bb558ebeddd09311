//! Posts as somebody sees them. What lists show is [`can_read`](domain::community::can_read) in SQL; the suite compares the
//! two for every state.

use domain::community::{ArticleScore, AuthorState, PostState};
use domain::ids::{PostId, UserId};
use domain::time::Timestamp;

use super::mentions::{self, MentionSubject};
use crate::failure::{Fault, Result};
use crate::model::{
    FeedPage, PersonCard, PostList, PostRow, PostVersion, PostWhole, PostsFind, PostsPick, TimelinePick,
};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::Value;

/// Nobody's id: whoever is signed out.
pub(crate) const NOBODY: i64 = 0;

/// `SELECT` of posts, to be read with [`read`]. `$1` is the reader, `$2` the moment of looking.
macro_rules! post_sql {
    ($($rest:literal),+) => {
        concat!(
            "SELECT p.id, p.author_id, p.author_gone, u.name, u.avatar, u.level,
                    CAST(CASE WHEN u.ban_until > $2 THEN 1 ELSE 0 END AS BIGINT),
                    p.state, p.title, p.link, p.excerpt, p.version, p.published_ms, p.edited_ms,
                    p.likes, p.votes, p.comments, p.score, p.pinned, p.featured, p.locked,
                    (SELECT COUNT(*) FROM post_likes l WHERE l.user_id = $1 AND l.post_id = p.id),
                    (SELECT COUNT(*) FROM post_votes v WHERE v.user_id = $1 AND v.post_id = p.id)
             FROM posts p JOIN users u ON u.id = p.author_id WHERE ",
            $($rest),+
        )
    };
}

/// The same for what lists show.
macro_rules! listed_sql {
    ($($rest:literal),+) => {
        post_sql!(
            "p.state = 'visible' AND (u.ban_until IS NULL OR u.ban_until <= $2)
             AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = $1 AND b.blocked_id = p.author_id)
             AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = p.author_id AND b.blocked_id = $1) ",
            $($rest),+
        )
    };
}

const LATEST: &str =
    listed_sql!("AND (p.published_ms, p.id) < ($3, $4) ORDER BY p.published_ms DESC, p.id DESC LIMIT $5");
const FEATURED: &str = listed_sql!(
    "AND p.featured = 1 AND (p.published_ms, p.id) < ($3, $4) ORDER BY p.published_ms DESC, p.id DESC LIMIT $5"
);
const BY_AUTHOR: &str = listed_sql!(
    "AND p.author_id = $6 AND p.author_gone = 0 AND (p.published_ms, p.id) < ($3, $4)
     ORDER BY p.published_ms DESC, p.id DESC LIMIT $5"
);
const MINE: &str = post_sql!(
    "p.state <> 'deleted' AND p.author_id = $1 AND p.author_gone = 0 AND (p.published_ms, p.id) < ($3, $4)
     ORDER BY p.published_ms DESC, p.id DESC LIMIT $5"
);

pub(super) async fn find(tx: &Tx<'_>, step: &PostsFind) -> Result<FeedPage<PostRow>> {
    let (before, reader) = (step.page.before(), reader_id(step.reader));
    let some = |sql| async move {
        tx.all(sql, params![reader, step.now, before.time, before.id, step.page.fetch()], read).await
    };
    let rows = match step.list {
        PostList::Latest => some(LATEST).await?,
        PostList::Featured => some(FEATURED).await?,
        PostList::Mine => some(MINE).await?,
        PostList::By(author) => {
            let values = params![reader, step.now, before.time, before.id, step.page.fetch(), author];
            tx.all(BY_AUTHOR, values, read).await?
        }
    };
    Ok(FeedPage::cut(rows, step.page, PostRow::key))
}

/// Those of some posts that this reader sees in lists, in the order they were asked for.
pub(super) async fn pick(tx: &Tx<'_>, step: &PostsPick) -> Result<Vec<PostRow>> {
    let reader = reader_id(step.reader);
    let keys: Vec<[Value; 3]> =
        step.ids.iter().map(|id| [Value::Int(reader), step.now.into(), (*id).into()]).collect();
    let found = tx.all_each(listed_sql!("AND p.id = $3"), &keys, read).await?;
    Ok(found.into_iter().flatten().collect())
}

/// A post that this reader sees in lists, with its text.
pub(crate) async fn find_listed_post(
    tx: &Tx<'_>,
    id: PostId,
    reader: Option<UserId>,
    now: Timestamp,
) -> Result<Option<(PostRow, String)>> {
    let sql = listed_sql!("AND p.id = $3");
    let Some(row) = tx.one(sql, params![reader_id(reader), now, id], read).await? else { return Ok(None) };
    let body = tx.one("SELECT body FROM posts WHERE id = $1", params![id], Row::text).await?;
    Ok(body.map(|body| (row, body)))
}

/// Those entries of a timeline that its reader still sees: visible, by somebody whom they follow or by themselves.
pub(super) async fn pick_timeline(tx: &Tx<'_>, step: &TimelinePick) -> Result<Vec<Option<PostRow>>> {
    let keys: Vec<[Value; 3]> =
        step.keys.iter().map(|key| [step.user.into(), step.now.into(), key.id.into()]).collect();
    let sql = listed_sql!(
        "AND p.id = $3 AND p.author_gone = 0 AND (p.author_id = $1 OR EXISTS (
             SELECT 1 FROM follows f WHERE f.user_id = $1 AND f.followed_id = p.author_id))"
    );
    let found = tx.all_each(sql, &keys, read).await?;
    Ok(found.into_iter().map(|rows| rows.into_iter().next()).collect())
}

/// A post with its text, whatever its state: who may read it is for the caller to ask.
pub(super) async fn whole(tx: &Tx<'_>, step: &PostsPick) -> Result<Option<PostWhole>> {
    let (Some(id), reader) = (step.ids.first(), reader_id(step.reader)) else { return Ok(None) };
    let row = tx.one(post_sql!("p.id = $3"), params![reader, step.now, *id], read).await?;
    let sql = "SELECT p.body,
            (SELECT COUNT(*) FROM blocks b WHERE (b.user_id = $1 AND b.blocked_id = p.author_id)
                                              OR (b.user_id = p.author_id AND b.blocked_id = $1))
         FROM posts p WHERE p.id = $2";
    let text = tx.one(sql, params![reader, *id], |row| Ok((row.text()?, row.int()? > 0))).await?;
    let mentions = mentions::find(tx, MentionSubject::Post, std::iter::once(id.0)).await?.pop();
    let mentions = mentions.unwrap_or_default();
    Ok(row.zip(text).map(|(row, (body, blocked))| PostWhole { row, body, mentions, blocked }))
}

/// The first of the hot list: pinned ones first, then by score.
pub(super) async fn hot(tx: &Tx<'_>, limit: &u32) -> Result<Vec<PostId>> {
    tx.all(
        "SELECT id FROM posts WHERE state = 'visible' ORDER BY pinned DESC, score DESC, id DESC LIMIT $1",
        params![*limit],
        |row| Ok(PostId(row.int()?)),
    )
    .await
}

/// What a post said before, newest first.
pub(super) async fn versions(tx: &Tx<'_>, post: &PostId) -> Result<Vec<PostVersion>> {
    tx.all(
        "SELECT version, title, link, body, until_ms FROM post_versions WHERE post_id = $1
         ORDER BY version DESC LIMIT 200",
        params![*post],
        |row| {
            Ok(PostVersion {
                version: count(row)?,
                title: row.text()?,
                link: row.opt_text()?,
                body: row.text()?,
                until: row.time()?,
            })
        },
    )
    .await
}

pub(super) fn reader_id(reader: Option<UserId>) -> i64 {
    reader.map_or(NOBODY, |reader| reader.0)
}

fn count(row: &mut Row) -> Result<u32, Fault> {
    u32::try_from(row.int()?).map_err(|error| Fault::caused("a version", error))
}

fn read(row: &mut Row) -> Result<PostRow, Fault> {
    let (id, author_id, gone) = (PostId(row.int()?), UserId(row.int()?), row.flag()?);
    let card = PersonCard { id: author_id, name: row.text()?, avatar: row.text()?, level: row.int()? };
    let author_state = match (row.flag()?, gone) {
        (true, _) => AuthorState::Banned,
        (false, true) => AuthorState::Gone,
        (false, false) => AuthorState::Active,
    };
    Ok(PostRow {
        id,
        author: (!gone).then_some(card),
        author_state,
        state: row.named(PostState::parse)?,
        title: row.text()?,
        link: row.opt_text()?,
        excerpt: row.text()?,
        version: count(row)?,
        published: row.time()?,
        edited: row.opt_time()?,
        likes: row.int()?,
        votes: row.int()?,
        comments: row.int()?,
        score: ArticleScore(row.int()?),
        pinned: row.flag()?,
        featured: row.flag()?,
        locked: row.flag()?,
        liked_by_me: row.int()? > 0,
        voted_by_me: row.int()? > 0,
    })
}
