//! Comments: made, taken back, judged. The counts above a comment move exactly when it becomes readable or stops to be.

use domain::Rejection;
use domain::access::own_account;
use domain::account::Ban;
use domain::community::{
    CommentPlace, CommentSubject, DailyAct, DecisionSubject, FeedKey, Newcomer, PostState,
};
use domain::grants::OwnBehaviour;
use domain::ids::{CommentId, PostId, UserId};
use domain::rejection::MissingThing;
use domain::time::Timestamp;
use domain::webhook::EventKind;
use serde_json::json;

use super::comment_news::{self, NewComment};
use super::{acts, appeals, gate, held, likes};
use crate::failure::{Fault, Result};
use crate::model::{CommentCreate, CommentModerate, CreateOutcome, ThreadId};
use crate::row::Row;
use crate::steps::events::{NewEvent, tell};
use crate::steps::grants::own::{self, OwnAct, SocialAct};
use crate::steps::users;
use crate::tx::Tx;
use crate::{audit, once, params};

pub(super) const NOT_THERE: Rejection = Rejection::NotFound { what: MissingThing::Comment };

/// A comment as a step judges it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LockedComment {
    pub thread: ThreadId,
    pub author: UserId,
    pub gone: bool,
    pub state: PostState,
    pub place: CommentPlace,
}

pub(super) async fn create(tx: &Tx<'_>, step: &CommentCreate) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    step.ruling.check()?;
    let (_, newcomer) = gate::lock_writer(tx, step.author, step.day.now).await?;
    if step.text.has_links() {
        newcomer.check_links(step.day.now)?;
    }
    let owner = check_subject(tx, step.thread, step.author, step.day.now).await?;
    let key = take_key(tx, step.thread, step.id, step.day.now).await?;
    let replied = match step.reply_to {
        None => None,
        Some(reply_to) => Some(lock_replied(tx, step, reply_to).await?),
    };
    let place = match (&replied, step.reply_to) {
        (Some(replied), Some(reply_to)) => replied.place.reply(reply_to.0),
        (_, _) => CommentPlace::ROOT,
    };
    gate::count_act(tx, (step.author, newcomer), DailyAct::Comment, &step.day).await?;
    let is_held = step.ruling.is_held();
    let state = if is_held { PostState::Held } else { PostState::Visible };
    tx.execute(
        "INSERT INTO comments (id, subject, subject_id, author_id, state, root_id, parent_id, depth, reply_to,
                               body, made_ms, shown)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        params![
            step.id,
            step.thread.subject.name(),
            step.thread.id,
            step.author,
            state.name(),
            place.root,
            place.parent,
            place.depth,
            step.reply_to,
            step.text.as_str(),
            key.time,
            !is_held,
        ],
    )
    .await?;
    if is_held {
        let subject = (DecisionSubject::Comment, step.id.0);
        held::hold(tx, subject, step.author, &step.ruling.held_for, step.day.now).await?;
    } else {
        count(tx, step.thread, place.parent, 1).await?;
        let new = NewComment {
            id: step.id,
            author: step.author,
            thread: step.thread,
            reply_to: step.reply_to,
            text: step.text.as_str(),
            at: step.day.now,
        };
        announce(tx, &new, (newcomer, step.day.day), owner, replied.as_ref()).await?;
    }
    once::record(tx, step.once.as_ref(), step.id.0, step.day.now).await
}

/// What the first showing of a comment causes, once.
async fn announce(
    tx: &Tx<'_>,
    new: &NewComment<'_>,
    (account, day): (Newcomer, i64),
    owner: Option<UserId>,
    replied: Option<&LockedComment>,
) -> Result<()> {
    // The first comment of somebody on a thing is what counts; those that follow are talk.
    if is_first(tx, new.thread, new.author, new.id).await? {
        let act = act(new.thread, new.author, new.at);
        own::report_social(tx, SocialAct { act, account, author: owner, day }).await?;
    }
    let mut data = json!({
        "comment_id": new.id.to_string(),
        "on": new.thread.subject.name(),
        "subject_id": new.thread.id.to_string(),
    });
    if let Some(reply_to) = new.reply_to {
        data["reply_to"] = reply_to.to_string().into();
    }
    let made = tx.count("SELECT made_ms FROM comments WHERE id = $1", params![new.id]).await?;
    let event = NewEvent::of(EventKind::CommentMade, new.id.0, Some(new.author), data, Timestamp(made));
    tell(tx, &[event]).await?;
    comment_news::tell_people(tx, new, owner, replied).await
}

/// A moderator let a comment be seen that was held: it gets its place in the thread, and is announced. Its thread is locked.
async fn release(
    tx: &Tx<'_>,
    id: CommentId,
    found: &LockedComment,
    (day, now): (i64, Timestamp),
) -> Result<()> {
    let key = take_key(tx, found.thread, id, now).await?;
    let sql = "UPDATE comments SET shown = 1, made_ms = $2 WHERE id = $1 RETURNING reply_to, body";
    let read = |row: &mut Row| Ok((row.opt_int()?.map(CommentId), row.text()?));
    let (reply_to, body) = tx.one(sql, params![id, key.time], read).await?.ok_or(NOT_THERE)?;
    let Some(author) = users::find(tx, found.author).await?.filter(|_| !found.gone) else { return Ok(()) };
    let replied = match reply_to {
        Some(reply_to) => {
            Some(lock(tx, reply_to).await?).filter(|replied| replied.state == PostState::Visible)
        }
        None => None,
    };
    let owner = find_owner(tx, found.thread).await?;
    let (author, text) = (gate::newcomer(&author), body.as_str());
    let new = NewComment { id, author: found.author, thread: found.thread, reply_to, text, at: now };
    announce(tx, &new, (author, day), owner, replied.as_ref()).await
}

/// Whose a thread is, if they have an account.
async fn find_owner(tx: &Tx<'_>, thread: ThreadId) -> Result<Option<UserId>> {
    let sql = match thread.subject {
        CommentSubject::Activity => return Ok(None),
        CommentSubject::Post => "SELECT author_id FROM posts WHERE id = $1 AND author_gone = 0",
        CommentSubject::Person => "SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL",
    };
    Ok(tx.one(sql, params![thread.id], Row::int).await?.map(UserId))
}

fn act(thread: ThreadId, user: UserId, at: Timestamp) -> OwnAct {
    let object = format!("{}:{}", thread.subject.name(), thread.id);
    OwnAct { kind: OwnBehaviour::Comment, user, object, date: None, at }
}

/// Whether somebody's comment is the first of theirs on a thing that others saw, those that are gone counted.
async fn is_first(tx: &Tx<'_>, thread: ThreadId, author: UserId, id: CommentId) -> Result<bool> {
    let sql = "SELECT COUNT(*) FROM comments c JOIN comments me ON me.id = $4
               WHERE c.author_id = $3 AND c.subject = $1 AND c.subject_id = $2
                 AND c.shown = 1 AND (c.made_ms, c.id) < (me.made_ms, me.id)";
    Ok(tx.count(sql, params![thread.subject.name(), thread.id, author, id]).await? == 0)
}

/// Passes whoever may comment on this; answers whose it is. Whether an activity is there is the caller's to ask.
async fn check_subject(
    tx: &Tx<'_>,
    thread: ThreadId,
    author: UserId,
    now: Timestamp,
) -> Result<Option<UserId>> {
    match thread.subject {
        CommentSubject::Activity => Ok(None),
        CommentSubject::Post => {
            let post = likes::lock_readable(tx, PostId(thread.id), author, now).await?;
            let sql = "SELECT locked FROM posts WHERE id = $1";
            if tx.count(sql, params![thread.id]).await? > 0 {
                return Err(Rejection::CommentsLocked.into());
            }
            Ok(post.author)
        }
        CommentSubject::Person => {
            let missing = Rejection::NotFound { what: MissingThing::User };
            let other = users::find(tx, UserId(thread.id)).await?.filter(|other| !other.account.deleted);
            let Some(other) = other else { return Err(missing.into()) };
            let is_banned = Ban::check(other.account.ban.as_ref(), now).is_err();
            if is_banned || is_blocked(tx, author, other.id()).await? {
                return Err(missing.into());
            }
            Ok(Some(other.id()))
        }
    }
}

async fn is_blocked(tx: &Tx<'_>, one: UserId, other: UserId) -> Result<bool> {
    let sql = "SELECT COUNT(*) FROM blocks WHERE (user_id = $1 AND blocked_id = $2)
                                              OR (user_id = $2 AND blocked_id = $1)";
    Ok(tx.count(sql, params![one, other]).await? > 0)
}

/// The comment that a reply is to. What is not there for the reply's author any more is not replied to.
async fn lock_replied(tx: &Tx<'_>, step: &CommentCreate, reply_to: CommentId) -> Result<LockedComment> {
    let found = lock(tx, reply_to).await?;
    let is_open = found.thread == step.thread && found.state == PostState::Visible;
    if !is_open || is_blocked(tx, step.author, found.author).await? {
        return Err(NOT_THERE.into());
    }
    Ok(found)
}

/// The next key of a thread, under the lock on its row.
async fn take_key(tx: &Tx<'_>, thread: ThreadId, comment: CommentId, now: Timestamp) -> Result<FeedKey> {
    let (subject, id) = (thread.subject.name(), thread.id);
    tx.execute(
        "INSERT INTO comment_threads (subject, subject_id) VALUES ($1, $2)
         ON CONFLICT (subject, subject_id) DO NOTHING",
        params![subject, id],
    )
    .await?;
    let last = tx
        .one(
            "SELECT time_ms, comment_id FROM comment_threads WHERE subject = $1 AND subject_id = $2 FOR UPDATE",
            params![subject, id],
            |row| Ok(FeedKey { time: row.time()?, id: row.int()? }),
        )
        .await?
        .ok_or_else(|| Fault::new("a thread that was just made is gone"))?;
    let key = last.next(now, comment.0);
    let sql =
        "UPDATE comment_threads SET time_ms = $3, comment_id = $4 WHERE subject = $1 AND subject_id = $2";
    tx.execute(sql, params![subject, id, key.time, key.id]).await?;
    Ok(key)
}

/// Counts a comment that became readable, or stopped to be: in its thread, on its post, and above it in the tree.
async fn count(tx: &Tx<'_>, thread: ThreadId, parent: Option<i64>, delta: i64) -> Result<()> {
    let sql = "UPDATE comment_threads SET comments = comments + $3 WHERE subject = $1 AND subject_id = $2";
    tx.execute(sql, params![thread.subject.name(), thread.id, delta]).await?;
    if thread.subject == CommentSubject::Post {
        let sql = "UPDATE posts SET comments = comments + $2 WHERE id = $1";
        tx.execute(sql, params![thread.id, delta]).await?;
    }
    let mut above = parent;
    // As many as the tree is deep.
    while let Some(id) = above {
        let sql = "UPDATE comments SET replies = replies + $2 WHERE id = $1 RETURNING parent_id";
        above = tx.one(sql, params![id, delta], Row::opt_int).await?.flatten();
    }
    Ok(())
}

/// Takes a comment back. Again is the same.
pub(super) async fn delete(tx: &Tx<'_>, (id, author, now): &(CommentId, UserId, Timestamp)) -> Result<()> {
    users::lock(tx, *author).await?;
    lock_thread_of(tx, *id).await?;
    let found = lock(tx, *id).await?;
    if found.author != *author || found.gone {
        return Err(NOT_THERE.into());
    }
    if found.state != PostState::Deleted {
        change_state(tx, *id, &found, PostState::Deleted, *now).await?;
        appeals::end(tx, DecisionSubject::Comment, id.0, *now).await?;
    }
    Ok(())
}

/// Removes a comment or brings it back, with a line in the audit log. What is so already stays so.
pub(super) async fn moderate(tx: &Tx<'_>, step: &CommentModerate) -> Result<()> {
    lock_thread_of(tx, step.id).await?;
    let found = lock(tx, step.id).await?;
    if own_account(step.signed.responsible, found.author).is_err() {
        return Err(Rejection::OwnWork.into());
    }
    let to = if step.removed { PostState::Removed } else { PostState::Visible };
    if found.state == PostState::Deleted {
        return Err(NOT_THERE.into());
    }
    if found.state == to {
        return Ok(());
    }
    change_state(tx, step.id, &found, to, step.signed.at).await?;
    if step.removed && !found.gone {
        let of = (step.terms.decision, DecisionSubject::Comment, step.id.0);
        appeals::record(tx, of, found.author, &step.signed).await?;
    } else {
        appeals::end(tx, DecisionSubject::Comment, step.id.0, step.signed.at).await?;
    }
    let shown = tx.count("SELECT shown FROM comments WHERE id = $1", params![step.id]).await? > 0;
    if !step.removed && !shown {
        release(tx, step.id, &found, (step.terms.day, step.signed.at)).await?;
    }
    let (action, subject) =
        (if step.removed { "comment.remove" } else { "comment.restore" }, format!("comment:{}", step.id));
    let (before, after) = (json!({ "state": found.state }), json!({ "state": to }));
    if !found.gone {
        comment_news::tell_judged(tx, step, &found).await?;
    }
    audit::write(tx, &step.signed, action, &subject, &before, &after).await
}

async fn change_state(
    tx: &Tx<'_>,
    id: CommentId,
    found: &LockedComment,
    to: PostState,
    now: Timestamp,
) -> Result<()> {
    tx.execute("UPDATE comments SET state = $2 WHERE id = $1", params![id, to.name()]).await?;
    held::end(tx, DecisionSubject::Comment, id.0).await?;
    let is_shown = |state| i64::from(state == PostState::Visible);
    let delta = is_shown(to) - is_shown(found.state);
    if delta != 0 {
        count(tx, found.thread, found.place.parent, delta).await?;
    }
    if delta < 0 && is_first(tx, found.thread, found.author, id).await? {
        acts::take_back(tx, act(found.thread, found.author, now)).await?;
    }
    Ok(())
}

/// The thread before its comments, as whoever comments locks them: on a post the post first.
async fn lock_thread_of(tx: &Tx<'_>, id: CommentId) -> Result<()> {
    let sql = "SELECT subject, subject_id FROM comments WHERE id = $1";
    let read = |row: &mut Row| Ok((row.named(CommentSubject::parse)?, row.int()?));
    let (subject, subject_id) = tx.one(sql, params![id], read).await?.ok_or(NOT_THERE)?;
    if subject == CommentSubject::Post {
        tx.one("SELECT id FROM posts WHERE id = $1 FOR UPDATE", params![subject_id], Row::int).await?;
    }
    let sql = "SELECT subject_id FROM comment_threads WHERE subject = $1 AND subject_id = $2 FOR UPDATE";
    tx.one(sql, params![subject.name(), subject_id], Row::int).await?;
    Ok(())
}

pub(super) async fn lock(tx: &Tx<'_>, id: CommentId) -> Result<LockedComment> {
    let sql = "SELECT subject, subject_id, author_id, author_gone, state, root_id, parent_id, depth
         FROM comments WHERE id = $1 FOR UPDATE";
    let found = tx
        .one(sql, params![id], |row| {
            let thread = ThreadId { subject: row.named(CommentSubject::parse)?, id: row.int()? };
            let (author, gone) = (UserId(row.int()?), row.flag()?);
            let state = row.named(PostState::parse)?;
            let (root, parent) = (row.opt_int()?, row.opt_int()?);
            let depth = u32::try_from(row.int()?).map_err(|error| Fault::caused("a depth", error))?;
            Ok(LockedComment { thread, author, gone, state, place: CommentPlace { root, parent, depth } })
        })
        .await?;
    Ok(found.ok_or(NOT_THERE)?)
}
