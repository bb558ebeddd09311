//! Comments on posts, activities and people.

use domain::Rejection;
use domain::community::{CommentSubject, CommentText, WordRuling};
use domain::ids::{ActivityId, CommentId, PostId, UserId};
use domain::rejection::MissingThing;
use store::model::{
    AuditStamp, CommentCreate, CommentLike, CommentList, CommentModerate, CommentRow, CommentsFind,
    CommentsPick, FeedPage, FeedRequest, LikeCount, ThreadId,
};

use super::hot_list::SCANNED_MAX;
use super::snapshots::{SNAPSHOT_MAX, SnapshotPlace};
use super::{check_reader, people, posts, release_terms, today};
use crate::caller::Repeat;
use crate::failure::Result;
use crate::people::entry::once;
use crate::people::words::word_filter;
use crate::world::World;

const NOT_THERE: Rejection = Rejection::NotFound { what: MissingThing::Comment };

/// What somebody wants to say.
#[derive(Clone, Debug)]
pub struct CommentWritten {
    pub text: String,
    pub reply_to: Option<CommentId>,
}

pub async fn comment_create(
    world: &World,
    author: UserId,
    thread: ThreadId,
    repeat: Option<Repeat>,
    written: CommentWritten,
) -> Result<CommentRow> {
    let text = CommentText::parse(&written.text)?;
    check_thread(world, Some(author), thread).await?;
    let mut ruling = WordRuling::default();
    let text = CommentText::parse(&ruling.read(word_filter(world).await?.as_ref(), text.as_str()))?;
    let made = world
        .db
        .comment_create(CommentCreate {
            id: CommentId(world.next_id()),
            author,
            thread,
            reply_to: written.reply_to,
            text,
            ruling,
            day: today(world),
            once: repeat.map(|repeat| once(world, format!("user:{author}"), repeat, None)),
        })
        .await?;
    pick_one(world, Some(author), CommentId(made.id)).await
}

/// Passes a reader who may see what is commented on.
async fn check_thread(world: &World, reader: Option<UserId>, thread: ThreadId) -> Result<()> {
    check_reader(world, reader)?;
    match thread.subject {
        CommentSubject::Post => posts::post_get(world, reader, PostId(thread.id)).await.map(drop),
        CommentSubject::Person => people::member(world, reader, UserId(thread.id)).await.map(drop),
        CommentSubject::Activity => {
            let found = world.caches.activities.find(world, ActivityId(thread.id)).await?;
            found.map(drop).ok_or_else(|| Rejection::NotFound { what: MissingThing::Activity }.into())
        }
    }
}

async fn pick_one(world: &World, reader: Option<UserId>, id: CommentId) -> Result<CommentRow> {
    let found = world.db.comments_pick(CommentsPick { ids: vec![id], reader, now: world.now() }).await?;
    Ok(found.into_iter().next().ok_or(NOT_THERE)?)
}

/// Comments on a thing itself, newest first.
pub async fn comment_list(
    world: &World,
    reader: Option<UserId>,
    thread: ThreadId,
    page: FeedRequest,
) -> Result<FeedPage<CommentRow>> {
    check_thread(world, reader, thread).await?;
    let list = CommentList::Roots(thread);
    world.db.comments_find(CommentsFind { list, reader, page, now: world.now() }).await
}

/// The same, those that are liked most first, over a snapshot.
pub async fn top_comments(
    world: &World,
    reader: Option<UserId>,
    thread: ThreadId,
    limit: u32,
    after: Option<SnapshotPlace>,
) -> Result<(Vec<CommentRow>, Option<SnapshotPlace>)> {
    check_thread(world, reader, thread).await?;
    let now = world.now();
    let read = async {
        let liked = world.db.comments_liked_most(thread, SNAPSHOT_MAX).await?;
        Ok(liked.into_iter().map(|comment| comment.0).collect())
    };
    let snapshot = world.community.top_comments.find(thread, after, now, read).await?;
    let (wanted, mut items) = (limit as usize, Vec::new());
    let begin = after.map_or(0, |after| after.place as usize);
    let mut place = begin;
    while items.len() < wanted && place < snapshot.ids.len() && place - begin < SCANNED_MAX {
        let until = snapshot.ids.len().min(place + wanted - items.len());
        let ids = snapshot.ids[place..until].iter().map(|id| CommentId(*id)).collect();
        items.extend(world.db.comments_pick(CommentsPick { ids, reader, now }).await?);
        place = until;
    }
    let more = place < snapshot.ids.len();
    let place = u32::try_from(place).unwrap_or(SNAPSHOT_MAX);
    Ok((items, more.then_some(SnapshotPlace { taken: snapshot.taken, place })))
}

/// Everything under a comment on a thing itself, oldest first.
pub async fn reply_list(
    world: &World,
    reader: Option<UserId>,
    root: CommentId,
    page: FeedRequest,
) -> Result<FeedPage<CommentRow>> {
    let found = pick_one(world, reader, root).await?;
    check_thread(world, reader, found.thread).await?;
    let list = CommentList::Under(root);
    world.db.comments_find(CommentsFind { list, reader, page, now: world.now() }).await
}

/// Takes a comment back. The same again is the same.
pub async fn comment_delete(world: &World, author: UserId, id: CommentId) -> Result<()> {
    world.db.comment_delete(id, author, world.now()).await
}

/// Likes a comment, or takes it back. The same again is the same.
pub async fn comment_like(world: &World, user: UserId, comment: CommentId, liked: bool) -> Result<LikeCount> {
    world.db.comment_like(CommentLike { comment, user, liked, day: today(world) }).await
}

/// Removes a comment, or brings it back.
pub async fn comment_moderate(world: &World, id: CommentId, removed: bool, signed: AuditStamp) -> Result<()> {
    world.db.comment_moderate(CommentModerate { id, removed, signed, terms: release_terms(world) }).await
}
