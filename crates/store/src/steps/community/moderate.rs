//! What moderators do to posts, each with its line in the audit log.

use domain::Rejection;
use domain::community::{
    DecisionSubject, ModeratedPost, NotificationKind, NotificationSubject, PostState, moderate,
};
use domain::grants::OwnBehaviour;
use domain::ids::{PostId, UserId};
use domain::rejection::MissingThing;
use domain::search::IndexedKind;
use domain::webhook::EventKind;
use serde_json::{Value as Json, json};

use super::posts::{self, add_posts};
use super::{acts, appeals, held};
use crate::failure::Result;
use crate::model::PostModerate;
use crate::row::Row;
use crate::steps::events::{NewEvent, tell};
use crate::steps::notifications::{NewNotification, notify};
use crate::steps::{search, users};
use crate::tx::Tx;
use crate::{audit, params};

const NOT_THERE: Rejection = Rejection::NotFound { what: MissingThing::Post };

pub(super) async fn apply(tx: &Tx<'_>, step: &PostModerate) -> Result<()> {
    // Those who pin at the same time queue up here.
    tx.exclusive("pinned posts").await?;
    let sql = "SELECT author_id FROM posts WHERE id = $1";
    let author = tx.one(sql, params![step.id], Row::int).await?.ok_or(NOT_THERE)?;
    // The author's row counts their posts, and is locked before the post everywhere.
    tx.one("SELECT id FROM users WHERE id = $1 FOR UPDATE", params![author], Row::int).await?;
    let before = lock(tx, step.id).await?;
    let pinned =
        tx.count("SELECT COUNT(*) FROM posts WHERE state = 'visible' AND pinned = 1", params![]).await?;
    let after = moderate(before, step.act, step.signed.responsible, pinned)?;
    if after == before {
        return Ok(());
    }
    tx.execute(
        "UPDATE posts SET state = $2, pinned = $3, featured = $4, locked = $5 WHERE id = $1",
        params![step.id, after.state.name(), after.pinned, after.featured, after.locked],
    )
    .await?;
    search::mark(tx, IndexedKind::Post, step.id.0, step.signed.at).await?;
    let is_shown = |post: &ModeratedPost| i64::from(post.state == PostState::Visible);
    let sql = "SELECT author_gone, shown FROM posts WHERE id = $1";
    let (gone, shown) =
        tx.one(sql, params![step.id], |row| Ok((row.flag()?, row.flag()?))).await?.ok_or(NOT_THERE)?;
    if !gone {
        add_posts(tx, before.author, is_shown(&after) - is_shown(&before)).await?;
    }
    if after.state == PostState::Removed && before.state != PostState::Removed {
        let removed = acts::on_post(OwnBehaviour::Post, before.author, step.id, step.signed.at);
        acts::take_back(tx, removed).await?;
        if shown {
            let data = json!({ "post_id": step.id.to_string(), "note": step.signed.reason });
            let (kind, at) = (EventKind::PostRemoved, step.signed.at);
            tell(tx, &[NewEvent::of(kind, step.id.0, Some(before.author), data, at)]).await?;
        }
        if !gone {
            let of = (step.terms.decision, DecisionSubject::Post, step.id.0);
            appeals::record(tx, of, before.author, &step.signed).await?;
        }
    }
    if after.state != before.state {
        held::end(tx, DecisionSubject::Post, step.id.0).await?;
    }
    if after.state == PostState::Visible && before.state != PostState::Visible {
        appeals::end(tx, DecisionSubject::Post, step.id.0, step.signed.at).await?;
        if !gone && (before.state == PostState::Held || !shown) {
            let author = users::find(tx, before.author).await?.ok_or(NOT_THERE)?;
            posts::release(tx, (step.id, &author), step.terms.merged_from, step.signed.at).await?;
        }
    }
    if !gone && after.state != before.state {
        let new = NewNotification {
            recipient: before.author,
            kind: NotificationKind::Moderation,
            actor: None,
            object: step.terms.decision,
            about: (NotificationSubject::Post, step.id.0),
            post: None,
            at: step.signed.at,
        };
        notify(tx, &[new]).await?;
    }
    let (action, subject) = (format!("post.{}", step.act.name()), format!("post:{}", step.id));
    audit::write(tx, &step.signed, &action, &subject, &audit_json(&before), &audit_json(&after)).await
}

async fn lock(tx: &Tx<'_>, id: PostId) -> Result<ModeratedPost> {
    let sql = "SELECT author_id, state, pinned, featured, locked FROM posts WHERE id = $1 FOR UPDATE";
    let post = tx
        .one(sql, params![id], |row| {
            Ok(ModeratedPost {
                author: UserId(row.int()?),
                state: row.named(PostState::parse)?,
                pinned: row.flag()?,
                featured: row.flag()?,
                locked: row.flag()?,
            })
        })
        .await?;
    Ok(post.ok_or(NOT_THERE)?)
}

fn audit_json(post: &ModeratedPost) -> Json {
    let ModeratedPost { author: _, state, pinned, featured, locked } = post;
    json!({ "state": state, "pinned": pinned, "featured": featured, "locked": locked })
}
