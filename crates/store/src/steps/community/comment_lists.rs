//! Comments as somebody sees them. A page is one query with its authors and those they reply to (hole 60). What cannot be read
//! and has nothing under it is left out; the cursor goes on after what was looked at.

use domain::community::{AuthorState, CommentSight, CommentSubject, PostReader, PostState, show_comment};
use domain::ids::{CommentId, UserId};

use super::lists::reader_id;
use super::mentions::{self, MentionSubject};
use crate::failure::{Fault, Result};
use crate::model::{CommentList, CommentRow, CommentsFind, CommentsPick, FeedPage, PersonCard, ThreadId};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::Value;

/// `$1` is the reader, `$2` the moment of looking.
macro_rules! comment_sql {
    ($($rest:literal),+) => {
        concat!(
            "SELECT c.id, c.subject, c.subject_id, c.author_id, c.author_gone, u.name, u.avatar, u.level,
                    CAST(CASE WHEN u.ban_until > $2 THEN 1 ELSE 0 END AS BIGINT),
                    (SELECT COUNT(*) FROM blocks b WHERE (b.user_id = $1 AND b.blocked_id = c.author_id)
                                                      OR (b.user_id = c.author_id AND b.blocked_id = $1)),
                    c.state, c.root_id, c.parent_id, c.depth, c.reply_to,
                    CAST(CASE WHEN r.id IS NULL OR r.author_gone = 1 OR v.ban_until > $2 THEN 0 ELSE 1 END AS BIGINT),
                    v.id, v.name, v.avatar, v.level, c.body, c.made_ms, c.likes, c.replies,
                    (SELECT COUNT(*) FROM comment_likes l WHERE l.user_id = $1 AND l.comment_id = c.id)
             FROM comments c JOIN users u ON u.id = c.author_id
             LEFT JOIN comments r ON r.id = c.reply_to LEFT JOIN users v ON v.id = r.author_id
             WHERE (c.state = 'visible' OR c.replies > 0 OR c.author_id = $1) AND ",
            $($rest),+
        )
    };
}

const ROOTS: &str = comment_sql!(
    "c.root_id IS NULL AND c.subject = $6 AND c.subject_id = $7 AND (c.made_ms, c.id) < ($3, $4)
     ORDER BY c.made_ms DESC, c.id DESC LIMIT $5"
);
const UNDER: &str =
    comment_sql!("c.root_id = $6 AND (c.made_ms, c.id) > ($3, $4) ORDER BY c.made_ms, c.id LIMIT $5");

pub(super) async fn find(tx: &Tx<'_>, step: &CommentsFind) -> Result<FeedPage<CommentRow>> {
    let (reader, fetch, now) = (reader_id(step.reader), step.page.fetch(), step.now);
    let rows = match step.list {
        CommentList::Roots(ThreadId { subject, id }) => {
            let before = step.page.before();
            let values = params![reader, now, before.time, before.id, fetch, subject.name(), id];
            tx.all(ROOTS, values, |row| read(row, reader)).await?
        }
        CommentList::Under(root) => {
            let (time, id) = step.page.after.map_or((i64::MIN, i64::MIN), |after| (after.time.0, after.id));
            tx.all(UNDER, params![reader, now, time, id, fetch, root], |row| read(row, reader)).await?
        }
    };
    let mut page = FeedPage::cut(rows, step.page, CommentRow::key);
    page.items.retain(|row| row.sight != CommentSight::Nothing);
    add_mentions(tx, &mut page.items).await?;
    Ok(page)
}

/// Some comments by id, in the order they were asked for.
pub(super) async fn pick(tx: &Tx<'_>, step: &CommentsPick) -> Result<Vec<CommentRow>> {
    let reader = reader_id(step.reader);
    let keys: Vec<[Value; 3]> =
        step.ids.iter().map(|id| [Value::Int(reader), step.now.into(), (*id).into()]).collect();
    let found = tx.all_each(comment_sql!("c.id = $3"), &keys, |row| Ok(row.clone())).await?;
    let mut rows = Vec::with_capacity(found.len());
    for mut row in found.into_iter().flatten() {
        rows.push(read(&mut row, reader)?);
    }
    rows.retain(|row| row.sight != CommentSight::Nothing);
    add_mentions(tx, &mut rows).await?;
    Ok(rows)
}

/// Who is named in those comments that name anybody, in one query.
async fn add_mentions(tx: &Tx<'_>, rows: &mut [CommentRow]) -> Result<()> {
    let mut naming: Vec<&mut CommentRow> = rows.iter_mut().filter(|row| row.body.contains('@')).collect();
    let ids: Vec<i64> = naming.iter().map(|row| row.id.0).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let found = mentions::find(tx, MentionSubject::Comment, ids.into_iter()).await?;
    for (row, mentions) in naming.iter_mut().zip(found) {
        row.mentions = mentions;
    }
    Ok(())
}

/// The comments on a thing that are liked most.
pub(super) async fn liked_most(tx: &Tx<'_>, (thread, limit): &(ThreadId, u32)) -> Result<Vec<CommentId>> {
    tx.all(
        "SELECT id FROM comments WHERE root_id IS NULL AND subject = $1 AND subject_id = $2
            AND (state = 'visible' OR replies > 0)
         ORDER BY likes DESC, id DESC LIMIT $3",
        params![thread.subject.name(), thread.id, *limit],
        |row| Ok(CommentId(row.int()?)),
    )
    .await
}

fn read(row: &mut Row, reader: i64) -> Result<CommentRow, Fault> {
    let id = CommentId(row.int()?);
    let thread = ThreadId { subject: row.named(CommentSubject::parse)?, id: row.int()? };
    let (author_id, gone) = (row.int()?, row.flag()?);
    let card =
        PersonCard { id: UserId(author_id), name: row.text()?, avatar: row.text()?, level: row.int()? };
    let author_state = match (row.flag()?, gone) {
        (true, _) => AuthorState::Banned,
        (false, true) => AuthorState::Gone,
        (false, false) => AuthorState::Active,
    };
    let blocked = row.int()? > 0;
    let state = row.named(PostState::parse)?;
    let (root, parent) = (row.opt_int()?.map(CommentId), row.opt_int()?.map(CommentId));
    let depth = u32::try_from(row.int()?).map_err(|error| Fault::caused("a depth", error))?;
    let reply_to = row.opt_int()?.map(CommentId);
    let is_named = row.flag()?;
    let other = (row.opt_int()?, row.opt_text()?, row.opt_text()?, row.opt_int()?);
    let other = match other {
        (Some(id), Some(name), Some(avatar), Some(level)) if is_named => {
            Some(PersonCard { id: UserId(id), name, avatar, level })
        }
        _ => None,
    };
    let (body, made, likes, replies) = (row.text()?, row.time()?, row.int()?, row.int()?);
    let as_whom = match (reader == author_id && !gone, blocked) {
        (true, _) => PostReader::Author,
        (false, true) => PostReader::Blocked,
        (false, false) => PostReader::Anybody,
    };
    let sight = show_comment(state, author_state, as_whom, replies);
    let is_whole = sight == CommentSight::Whole;
    Ok(CommentRow {
        id,
        thread,
        author: (is_whole && !gone).then_some(card),
        author_state,
        state,
        sight,
        root,
        parent,
        depth,
        reply_to: reply_to.map(|id| (id, other.filter(|_| is_whole))),
        body: if is_whole { body } else { String::new() },
        mentions: Vec::new(),
        made,
        likes,
        replies,
        liked_by_me: row.int()? > 0,
    })
}
