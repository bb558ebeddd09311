//! Decisions about texts, and appeals against them: one for each decision, decided by another moderator.

use domain::Rejection;
use domain::community::{
    AppealFacts, AppealState, CommentSubject, DecisionSubject, ModerationAct, NotificationKind,
    NotificationSubject, may_judge_appeal,
};
use domain::ids::{CommentId, PostId, UserId};
use domain::rejection::MissingThing;
use domain::time::Timestamp;
use serde_json::json;

use super::words::read_moderator;
use super::{comments, held, moderate};
use crate::failure::{Fault, Result};
use crate::model::{
    AppealCaseRow, AppealCreate, AppealDecide, AppealRow, AppealsFind, AuditStamp, CommentModerate,
    DECISIONS_SHOWN_MAX, DecisionRow, FeedPage, PersonCard, PostModerate, ThreadId,
};
use crate::row::Row;
use crate::steps::notifications::{NewNotification, notify};
use crate::steps::users;
use crate::tx::Tx;
use crate::{audit, params};

/// A text of this person was removed.
pub(super) async fn record(
    tx: &Tx<'_>,
    (id, subject, subject_id): (i64, DecisionSubject, i64),
    author: UserId,
    signed: &AuditStamp,
) -> Result<()> {
    tx.execute(
        "INSERT INTO decisions (user_id, id, subject, subject_id, moderator_id, reason, decided_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        params![author, id, subject.name(), subject_id, signed.responsible, &signed.reason, signed.at],
    )
    .await
    .map(drop)
}

/// The text is back, or its author deleted it.
pub(super) async fn end(tx: &Tx<'_>, subject: DecisionSubject, id: i64, now: Timestamp) -> Result<()> {
    let sql = "UPDATE decisions SET over_ms = $3 WHERE subject = $1 AND subject_id = $2 AND over_ms IS NULL";
    tx.execute(sql, params![subject.name(), id, now]).await.map(drop)
}

/// Again with the same words is the same.
pub(super) async fn create(tx: &Tx<'_>, step: &AppealCreate) -> Result<()> {
    users::lock(tx, step.user).await?;
    let sql = "SELECT over_ms FROM decisions WHERE user_id = $1 AND id = $2 FOR UPDATE";
    let over = tx.one(sql, params![step.user, step.decision], Row::opt_time).await?;
    let over = over.ok_or(Rejection::NotFound { what: MissingThing::Decision })?;
    let sql = "SELECT text FROM appeals WHERE user_id = $1 AND decision_id = $2";
    match tx.one(sql, params![step.user, step.decision], Row::text).await? {
        Some(text) if text == step.text.as_str() => return Ok(()),
        Some(_) => return Err(Rejection::AppealMade.into()),
        None if over.is_some() => return Err(Rejection::DecisionOver.into()),
        None => {}
    }
    tx.execute(
        "INSERT INTO appeals (user_id, decision_id, text, state, made_ms) VALUES ($1, $2, $3, $4, $5)",
        params![step.user, step.decision, step.text.as_str(), AppealState::Open.name(), step.now],
    )
    .await
    .map(drop)
}

struct LockedAppeal {
    subject: DecisionSubject,
    subject_id: i64,
    in_effect: bool,
    facts: AppealFacts,
}

/// Decides; granted, the text comes back in the same transaction.
pub(super) async fn decide(tx: &Tx<'_>, step: &AppealDecide) -> Result<()> {
    let found = lock(tx, step.decision).await?;
    let to = if step.granted { AppealState::Granted } else { AppealState::Denied };
    // Decided the same way already: again is the same.
    if found.facts.state == to {
        return Ok(());
    }
    may_judge_appeal(&found.facts, step.signed.responsible)?;
    let author = found.facts.author;
    let sql =
        "UPDATE appeals SET state = $3, answer = $4, closed_ms = $5 WHERE user_id = $1 AND decision_id = $2";
    let (answer, at) = (&step.signed.reason, step.signed.at);
    tx.execute(sql, params![author, step.decision, to.name(), answer, at]).await?;
    if step.granted && found.in_effect {
        // Its author hears of the text that is back.
        restore(tx, step, &found).await?;
    } else {
        let about = match found.subject {
            DecisionSubject::Post => (NotificationSubject::Post, found.subject_id),
            DecisionSubject::Comment => (NotificationSubject::Comment, found.subject_id),
        };
        let new = NewNotification {
            recipient: author,
            kind: NotificationKind::Moderation,
            actor: None,
            object: step.terms.decision,
            about,
            post: None,
            at,
        };
        notify(tx, &[new]).await?;
    }
    let (before, after) = (json!({ "state": found.facts.state }), json!({ "state": to }));
    let (action, subject) = (format!("appeal.{}", to.name()), format!("appeal:{}", step.decision));
    audit::write(tx, &step.signed, &action, &subject, &before, &after).await
}

async fn restore(tx: &Tx<'_>, step: &AppealDecide, found: &LockedAppeal) -> Result<()> {
    let (signed, terms) = (step.restored.clone(), step.terms);
    match found.subject {
        DecisionSubject::Post => {
            let act = ModerationAct::Restore;
            let step = PostModerate { id: PostId(found.subject_id), act, signed, terms };
            moderate::apply(tx, &step).await
        }
        DecisionSubject::Comment => {
            let step = CommentModerate { id: CommentId(found.subject_id), removed: false, signed, terms };
            comments::moderate(tx, &step).await
        }
    }
}

async fn lock(tx: &Tx<'_>, decision: i64) -> Result<LockedAppeal> {
    let missing = Rejection::NotFound { what: MissingThing::Appeal };
    let sql = "SELECT user_id FROM decisions WHERE id = $1";
    let author =
        tx.one(sql, params![decision], Row::int).await?.map(UserId).ok_or_else(|| missing.clone())?;
    // People before what they wrote, as everywhere.
    tx.one("SELECT id FROM users WHERE id = $1 FOR UPDATE", params![author], Row::int).await?;
    let sql = "SELECT d.subject, d.subject_id, d.moderator_id, d.over_ms, a.state
               FROM decisions d JOIN appeals a ON a.user_id = d.user_id AND a.decision_id = d.id
               WHERE d.user_id = $1 AND d.id = $2";
    let found = tx
        .one(sql, params![author, decision], |row| {
            let (subject, subject_id) = (row.named(DecisionSubject::parse)?, row.int()?);
            let decided_by = row.opt_int()?.map(UserId);
            let in_effect = row.opt_time()?.is_none();
            let facts = AppealFacts { author, decided_by, state: row.named(AppealState::parse)? };
            Ok(LockedAppeal { subject, subject_id, in_effect, facts })
        })
        .await?;
    Ok(found.ok_or(missing)?)
}

/// What was decided about somebody's texts, newest first.
pub(super) async fn decisions(tx: &Tx<'_>, user: &UserId) -> Result<Vec<DecisionRow>> {
    let mut rows = tx
        .all(
            "SELECT d.id, d.subject, d.subject_id, d.reason, d.decided_ms, d.over_ms,
                    a.text, a.state, a.made_ms, a.answer, a.closed_ms
             FROM decisions d LEFT JOIN appeals a ON a.user_id = d.user_id AND a.decision_id = d.id
             WHERE d.user_id = $1 ORDER BY d.id DESC LIMIT $2",
            params![*user, DECISIONS_SHOWN_MAX],
            read_decision,
        )
        .await?;
    for row in &mut rows {
        (row.excerpt, row.thread) = held::find_text(tx, row.subject, row.subject_id).await?;
    }
    Ok(rows)
}

pub(super) async fn find(tx: &Tx<'_>, step: &AppealsFind) -> Result<FeedPage<AppealCaseRow>> {
    let before = step.page.before();
    let rows = tx
        .all(
            "SELECT d.id, d.subject, d.subject_id, d.reason, d.decided_ms, d.over_ms,
                    a.text, a.state, a.made_ms, a.answer, a.closed_ms,
                    u.id, u.name, u.avatar, u.level, m.id, m.name, m.avatar, m.level
             FROM appeals a JOIN decisions d ON d.user_id = a.user_id AND d.id = a.decision_id
             JOIN users u ON u.id = a.user_id
             LEFT JOIN users m ON m.id = d.moderator_id AND m.deleted_at IS NULL
             WHERE a.state = $1 AND (a.made_ms, a.decision_id) < ($2, $3)
             ORDER BY a.made_ms DESC, a.decision_id DESC LIMIT $4",
            params![step.state.name(), before.time, before.id, step.page.fetch()],
            |row| {
                let decision = read_decision(row)?;
                let appeal = decision.appeal.clone().ok_or_else(|| Fault::new("an appeal without words"))?;
                let author = PersonCard {
                    id: UserId(row.int()?),
                    name: row.text()?,
                    avatar: row.text()?,
                    level: row.int()?,
                };
                Ok(AppealCaseRow { decision, appeal, author, moderator: read_moderator(row)? })
            },
        )
        .await?;
    let mut page = FeedPage::cut(rows, step.page, AppealCaseRow::key);
    for AppealCaseRow { decision, .. } in &mut page.items {
        (decision.excerpt, decision.thread) =
            held::find_text(tx, decision.subject, decision.subject_id).await?;
    }
    Ok(page)
}

fn read_decision(row: &mut Row) -> Result<DecisionRow, Fault> {
    let (id, subject, subject_id) = (row.int()?, row.named(DecisionSubject::parse)?, row.int()?);
    let (reason, decided, over) = (row.text()?, row.time()?, row.opt_time()?);
    let (text, state, made) = (row.opt_text()?, row.opt_named(AppealState::parse)?, row.opt_time()?);
    let (answer, closed) = (row.opt_text()?.unwrap_or_default(), row.opt_time()?);
    let appeal = match (text, state, made) {
        (Some(text), Some(state), Some(made)) => Some(AppealRow { text, state, made, answer, closed }),
        _ => None,
    };
    let thread = ThreadId { subject: CommentSubject::Post, id: subject_id };
    Ok(DecisionRow { id, subject, subject_id, thread, excerpt: String::new(), reason, decided, over, appeal })
}
