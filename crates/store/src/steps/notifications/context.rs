//! What is shown of the thing that a group of notifications is about, as far as its reader may see it.

use domain::community::post::excerpt;
use domain::community::{CommentSubject, NotificationKind, NotificationSubject, PostState};
use domain::ids::UserId;

use crate::failure::Result;
use crate::model::{NotificationContext, NotificationRow, ThreadId};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

/// Nothing when the thing itself cannot be seen any more.
pub(super) async fn find(
    tx: &Tx<'_>,
    user: UserId,
    group: &NotificationRow,
) -> Result<Option<NotificationContext>> {
    let id = group.about_id;
    let context = match group.about {
        NotificationSubject::Post => post(tx, user, id).await?,
        NotificationSubject::Comment => comment(tx, user, id).await?,
        NotificationSubject::Activity => activity(tx, id).await?,
        NotificationSubject::Person => {
            let thread = ThreadId { subject: CommentSubject::Person, id };
            Some(NotificationContext { thread: Some(thread), ..NotificationContext::default() })
        }
        NotificationSubject::Parcel => Some(NotificationContext::default()),
    };
    let Some(mut context) = context else { return Ok(None) };
    if matches!(group.kind, NotificationKind::Comment | NotificationKind::Reply) {
        let sql = "SELECT body FROM comments WHERE id = $1";
        context.text = tx.one(sql, params![group.object], Row::text).await?.as_deref().map(excerpt);
    }
    Ok(Some(context))
}

/// One's own, also while it is hidden from others.
async fn post(tx: &Tx<'_>, user: UserId, id: i64) -> Result<Option<NotificationContext>> {
    let sql = "SELECT title, state FROM posts WHERE id = $1 AND state <> 'deleted'
                  AND (state = 'visible' OR (author_id = $2 AND author_gone = 0))";
    let thread = Some(ThreadId { subject: CommentSubject::Post, id });
    tx.one(sql, params![id, user], |row| {
        let (title, state) = (Some(row.text()?), Some(row.named(PostState::parse)?));
        Ok(NotificationContext { title, state, thread, ..NotificationContext::default() })
    })
    .await
}

async fn comment(tx: &Tx<'_>, user: UserId, id: i64) -> Result<Option<NotificationContext>> {
    let sql = "SELECT body, state, subject, subject_id FROM comments WHERE id = $1 AND state <> 'deleted'
                  AND (state = 'visible' OR (author_id = $2 AND author_gone = 0))";
    tx.one(sql, params![id, user], |row| {
        let (title, state) = (Some(excerpt(&row.text()?)), Some(row.named(PostState::parse)?));
        let thread = ThreadId { subject: row.named(CommentSubject::parse)?, id: row.int()? };
        Ok(NotificationContext { title, state, thread: Some(thread), ..NotificationContext::default() })
    })
    .await
}

async fn activity(tx: &Tx<'_>, id: i64) -> Result<Option<NotificationContext>> {
    let sql = "SELECT v.name, v.name_en FROM activities a
               JOIN activity_versions v ON v.activity_id = a.id AND v.number = a.live_version WHERE a.id = $1";
    let thread = Some(ThreadId { subject: CommentSubject::Activity, id });
    tx.one(sql, params![id], |row| {
        let (title, title_en) = (Some(row.text()?), Some(row.text()?).filter(|en| !en.is_empty()));
        Ok(NotificationContext { title, title_en, thread, ..NotificationContext::default() })
    })
    .await
}
