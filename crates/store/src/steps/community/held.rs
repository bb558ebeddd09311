//! Texts that wait for a moderator: nobody but their authors sees them until then.

use domain::community::post::excerpt;
use domain::community::{CommentSubject, DecisionSubject};
use domain::ids::UserId;
use domain::time::Timestamp;

use crate::failure::{Fault, Result};
use crate::model::{FeedPage, FeedRequest, HeldRow, PersonCard, ThreadId};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

/// What a text is held for, since its last edit.
pub(super) async fn hold(
    tx: &Tx<'_>,
    (subject, id): (DecisionSubject, i64),
    author: UserId,
    words: &[String],
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "INSERT INTO held_texts (subject, subject_id, author_id, words, held_ms) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (subject, subject_id) DO UPDATE SET words = excluded.words",
        params![subject.name(), id, author, words.join("\n"), now],
    )
    .await
    .map(drop)
}

/// It was released, removed or deleted.
pub(super) async fn end(tx: &Tx<'_>, subject: DecisionSubject, id: i64) -> Result<()> {
    let sql = "DELETE FROM held_texts WHERE subject = $1 AND subject_id = $2";
    tx.execute(sql, params![subject.name(), id]).await.map(drop)
}

/// Those that wait, newest first.
pub(super) async fn find(tx: &Tx<'_>, page: &FeedRequest) -> Result<FeedPage<HeldRow>> {
    let before = page.before();
    let rows = tx
        .all(
            "SELECT h.subject, h.subject_id, u.id, u.name, u.avatar, u.level, h.words, h.held_ms
             FROM held_texts h JOIN users u ON u.id = h.author_id
             WHERE (h.held_ms, h.subject_id) < ($1, $2) ORDER BY h.held_ms DESC, h.subject_id DESC LIMIT $3",
            params![before.time, before.id, page.fetch()],
            read,
        )
        .await?;
    let mut page = FeedPage::cut(rows, *page, HeldRow::key);
    for row in &mut page.items {
        (row.excerpt, row.thread) = find_text(tx, row.subject, row.id).await?;
    }
    Ok(page)
}

fn read(row: &mut Row) -> Result<HeldRow, Fault> {
    let (subject, id) = (row.named(DecisionSubject::parse)?, row.int()?);
    let author =
        PersonCard { id: UserId(row.int()?), name: row.text()?, avatar: row.text()?, level: row.int()? };
    let words = row.text()?.lines().map(str::to_owned).collect();
    let thread = ThreadId { subject: CommentSubject::Post, id };
    Ok(HeldRow { subject, id, author, words, held: row.time()?, excerpt: String::new(), thread })
}

/// The beginning of a post or a comment, and where to read it.
pub(super) async fn find_text(tx: &Tx<'_>, subject: DecisionSubject, id: i64) -> Result<(String, ThreadId)> {
    let own = ThreadId { subject: CommentSubject::Post, id };
    let found = match subject {
        DecisionSubject::Post => {
            let sql = "SELECT title FROM posts WHERE id = $1";
            tx.one(sql, params![id], |row| Ok((row.text()?, own))).await?
        }
        DecisionSubject::Comment => {
            let sql = "SELECT body, subject, subject_id FROM comments WHERE id = $1";
            tx.one(sql, params![id], |row| {
                let body = row.text()?;
                let thread = ThreadId { subject: row.named(CommentSubject::parse)?, id: row.int()? };
                Ok((excerpt(&body), thread))
            })
            .await?
        }
    };
    Ok(found.unwrap_or_else(|| (String::new(), own)))
}
