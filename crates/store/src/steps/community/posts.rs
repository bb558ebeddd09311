//! Posts as their authors write them: published, edited, taken back. What is held for a moderator causes nothing until it is
//! released.

use domain::Rejection;
use domain::community::{
    ArticleScore, DailyAct, DecisionSubject, FeedKey, Link, Newcomer, NotificationKind, NotificationSubject,
    PostState,
};
use domain::grants::OwnBehaviour;
use domain::ids::{PostId, UserId};
use domain::rejection::MissingThing;
use domain::search::IndexedKind;
use domain::time::Timestamp;
use domain::webhook::EventKind;
use serde_json::json;

use super::mentions::{self, MentionSubject};
use super::{acts, appeals, gate, held};
use crate::failure::{Fault, Result};
use crate::model::{CreateOutcome, FAN_OUTS, NewMessage, PostEdit, PostPublish};
use crate::row::Row;
use crate::steps::events::{NewEvent, tell};
use crate::steps::notifications::{NewNotification, notify};
use crate::steps::users::{self, User};
use crate::steps::{outbox, search};
use crate::tx::Tx;
use crate::{once, params};

const NOT_THERE: Rejection = Rejection::NotFound { what: MissingThing::Post };

pub(super) async fn publish(tx: &Tx<'_>, step: &PostPublish) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    step.text.ruling.check()?;
    let (author, newcomer) = gate::lock_writer(tx, step.author, step.day.now).await?;
    if step.text.has_links {
        newcomer.check_links(step.day.now)?;
    }
    gate::count_act(tx, (step.author, newcomer), DailyAct::Post, &step.day).await?;
    let is_held = step.text.ruling.is_held();
    // What waits is in nobody else's lists: it gets its place when it is released.
    let key = if is_held {
        FeedKey { time: step.day.now, id: step.id.0 }
    } else {
        take_key(tx, step.id, step.day.now).await?
    };
    let state = if is_held { PostState::Held } else { PostState::Visible };
    let terms = &step.text.terms;
    // The author is the first voter.
    let (votes, score) = (1_i64, ArticleScore::of(key.time, 1));
    let merged = is_merged(&author, step.merged_from);
    tx.execute(
        "INSERT INTO posts (id, author_id, state, title, link, body, excerpt, published_ms, votes, score, merged,
                            shown)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        params![
            step.id,
            step.author,
            state.name(),
            terms.title.as_str(),
            terms.link.as_ref().map(Link::as_str),
            &terms.body,
            &step.text.excerpt,
            key.time,
            votes,
            score.0,
            merged,
            !is_held,
        ],
    )
    .await?;
    search::mark(tx, IndexedKind::Post, step.id.0, key.time).await?;
    let sql = "INSERT INTO post_votes (user_id, post_id, at_ms) VALUES ($1, $2, $3)";
    tx.execute(sql, params![step.author, step.id, key.time]).await?;
    if is_held {
        let subject = (DecisionSubject::Post, step.id.0);
        held::hold(tx, subject, step.author, &step.text.ruling.held_for, step.day.now).await?;
    } else {
        add_posts(tx, step.author, 1).await?;
        let new = NewPost {
            key,
            author: step.author,
            newcomer,
            now: step.day.now,
            merged,
            title: terms.title.as_str(),
            body: &terms.body,
        };
        announce(tx, &new).await?;
    }
    once::record(tx, step.once.as_ref(), step.id.0, step.day.now).await
}

/// A post that others see for the first time.
struct NewPost<'a> {
    key: FeedKey,
    author: UserId,
    newcomer: Newcomer,
    /// The clock, which may be behind the key.
    now: Timestamp,
    merged: bool,
    title: &'a str,
    body: &'a str,
}

/// What the first showing of a post causes, once.
async fn announce(tx: &Tx<'_>, new: &NewPost<'_>) -> Result<()> {
    let (id, at) = (PostId(new.key.id), new.key.time);
    reach_timelines(tx, new.author, new.key, new.merged).await?;
    acts::report_post(tx, new.author, new.newcomer, id, new.now).await?;
    let data = json!({ "post_id": id.to_string(), "title": new.title, "published_ms": at.0 });
    tell(tx, &[NewEvent::of(EventKind::PostPublished, id.0, Some(new.author), data, at)]).await?;
    tell_named(tx, id, new.author, new.body, at).await
}

fn is_merged(author: &User, merged_from: u32) -> bool {
    author.account.profile.followers >= i64::from(merged_from)
}

/// A moderator let a post be seen that was held: the first time it gets its place in lists and is announced, after an edit
/// only those hear of it whom the edit names. The author's row and the post are locked, and its state is written.
pub(super) async fn release(
    tx: &Tx<'_>,
    (id, author): (PostId, &User),
    merged_from: u32,
    now: Timestamp,
) -> Result<()> {
    let sql = "SELECT shown, votes, title, body FROM posts WHERE id = $1";
    let read = |row: &mut Row| Ok((row.flag()?, row.int()?, row.text()?, row.text()?));
    let (shown, votes, title, body) = tx.one(sql, params![id], read).await?.ok_or(NOT_THERE)?;
    if shown {
        return tell_named(tx, id, author.id(), &body, now).await;
    }
    let key = take_key(tx, id, now).await?;
    let (merged, score) = (is_merged(author, merged_from), ArticleScore::of(key.time, votes));
    let sql = "UPDATE posts SET shown = 1, published_ms = $2, score = $3, merged = $4 WHERE id = $1";
    tx.execute(sql, params![id, key.time, score.0, merged]).await?;
    let newcomer = gate::newcomer(author);
    let (title, body) = (title.as_str(), body.as_str());
    announce(tx, &NewPost { key, author: author.id(), newcomer, now, merged, title, body }).await
}

/// Lets a post come into timelines: it is merged at read for good, or until the relay has delivered it to all that are alive.
async fn reach_timelines(tx: &Tx<'_>, author: UserId, key: FeedKey, is_merged: bool) -> Result<()> {
    if is_merged {
        let sql = "INSERT INTO merged_authors (author_id) VALUES ($1) ON CONFLICT (author_id) DO NOTHING";
        return tx.execute(sql, params![author]).await.map(drop);
    }
    let sql = "INSERT INTO post_fan_outs (post_id, author_id, published_ms) VALUES ($1, $2, $3)";
    tx.execute(sql, params![key.id, author, key.time]).await?;
    let message = NewMessage {
        id: key.id,
        lane: FAN_OUTS.to_owned(),
        user: None,
        kind: FAN_OUTS,
        subject: key.id,
        body: String::new(),
        made: key.time,
        due: key.time,
    };
    outbox::put(tx, &[message]).await
}

/// Who is named hears of it; whoever was named before an edit heard of it then.
async fn tell_named(tx: &Tx<'_>, id: PostId, author: UserId, body: &str, now: Timestamp) -> Result<()> {
    let named = mentions::write(tx, (MentionSubject::Post, id.0), body, author, now).await?;
    let new = |recipient| NewNotification {
        recipient,
        kind: NotificationKind::Mention,
        actor: Some(author),
        object: id.0,
        about: (NotificationSubject::Post, id.0),
        post: Some(id.0),
        at: now,
    };
    notify(tx, &named.into_iter().map(new).collect::<Vec<_>>()).await
}

/// The next key of all posts. Its lock is held until the transaction ends, so that keys rise in the order of commits.
async fn take_key(tx: &Tx<'_>, post: PostId, now: Timestamp) -> Result<FeedKey> {
    let last = tx
        .one("SELECT time_ms, post_id FROM community_clock WHERE id = 1 FOR UPDATE", params![], |row| {
            Ok(FeedKey { time: row.time()?, id: row.int()? })
        })
        .await?
        .ok_or_else(|| Fault::new("the clock of posts is gone"))?;
    let key = last.next(now, post.0);
    let sql = "UPDATE community_clock SET time_ms = $1, post_id = $2 WHERE id = 1";
    tx.execute(sql, params![key.time, key.id]).await?;
    Ok(key)
}

/// Counts posts that others can see, on their author's row.
pub(super) async fn add_posts(tx: &Tx<'_>, author: UserId, delta: i64) -> Result<()> {
    tx.execute("UPDATE users SET posts = posts + $2 WHERE id = $1", params![author, delta]).await.map(drop)
}

pub(super) async fn edit(tx: &Tx<'_>, step: &PostEdit) -> Result<u32> {
    step.text.ruling.check()?;
    let (_, newcomer) = gate::lock_writer(tx, step.author, step.day.now).await?;
    if step.text.has_links {
        newcomer.check_links(step.day.now)?;
    }
    let (state, version) = lock_own(tx, step.id, step.author).await?;
    if !matches!(state, PostState::Visible | PostState::Held) {
        return Err(NOT_THERE.into());
    }
    if version != i64::from(step.version) {
        let newest = u32::try_from(version).unwrap_or(u32::MAX);
        return Err(Rejection::VersionStale { newest }.into());
    }
    gate::count_act(tx, (step.author, newcomer), DailyAct::Edit, &step.day).await?;
    tx.execute(
        "INSERT INTO post_versions (post_id, version, title, link, body, until_ms)
         SELECT id, version, title, link, body, $2 FROM posts WHERE id = $1",
        params![step.id, step.day.now],
    )
    .await?;
    let terms = &step.text.terms;
    tx.execute(
        "UPDATE posts SET title = $2, link = $3, body = $4, excerpt = $5, version = version + 1, edited_ms = $6
         WHERE id = $1",
        params![
            step.id,
            terms.title.as_str(),
            terms.link.as_ref().map(Link::as_str),
            &terms.body,
            &step.text.excerpt,
            step.day.now,
        ],
    )
    .await?;
    search::mark(tx, IndexedKind::Post, step.id.0, step.day.now).await?;
    if step.text.ruling.is_held() {
        hold_edited(tx, step, state).await?;
    } else if state == PostState::Visible {
        tell_named(tx, step.id, step.author, &terms.body, step.day.now).await?;
    }
    Ok(step.version + 1)
}

/// What an edit wrote waits too, and what it replaced is not seen meanwhile.
async fn hold_edited(tx: &Tx<'_>, step: &PostEdit, state: PostState) -> Result<()> {
    let sql = "UPDATE posts SET state = $2, pinned = 0, featured = 0 WHERE id = $1";
    tx.execute(sql, params![step.id, PostState::Held.name()]).await?;
    if state == PostState::Visible {
        add_posts(tx, step.author, -1).await?;
    }
    held::hold(tx, (DecisionSubject::Post, step.id.0), step.author, &step.text.ruling.held_for, step.day.now)
        .await
}

/// Takes a post back. Again is the same; what a moderator removed stays removed.
pub(super) async fn delete(tx: &Tx<'_>, (id, author, now): &(PostId, UserId, Timestamp)) -> Result<()> {
    users::lock(tx, *author).await?;
    let (state, _) = lock_own(tx, *id, *author).await?;
    if state == PostState::Deleted {
        return Ok(());
    }
    let sql = "UPDATE posts SET state = $2, pinned = 0, featured = 0 WHERE id = $1";
    tx.execute(sql, params![*id, PostState::Deleted.name()]).await?;
    search::mark(tx, IndexedKind::Post, id.0, *now).await?;
    if state == PostState::Visible {
        add_posts(tx, *author, -1).await?;
    }
    held::end(tx, DecisionSubject::Post, id.0).await?;
    appeals::end(tx, DecisionSubject::Post, id.0, *now).await?;
    acts::take_back(tx, acts::on_post(OwnBehaviour::Post, *author, *id, *now)).await
}

/// A post of this author, locked. Nobody else's is there.
async fn lock_own(tx: &Tx<'_>, id: PostId, author: UserId) -> Result<(PostState, i64)> {
    let sql =
        "SELECT state, version FROM posts WHERE id = $1 AND author_id = $2 AND author_gone = 0 FOR UPDATE";
    let read = |row: &mut Row| Ok((row.named(PostState::parse)?, row.int()?));
    Ok(tx.one(sql, params![id, author], read).await?.ok_or(NOT_THERE)?)
}
