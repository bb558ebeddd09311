//! People who write, and what they write.

use domain::community::{DailyCaps, FeedKey, PostTerms, WordRuling};
use domain::ids::{PostId, UserId};
use domain::time::{DAY_MS, Timestamp};
use store::Db;
use store::failure::Result;
use store::model::*;

use crate::fixtures::*;

pub const CAPS: DailyCaps = DailyCaps { posts: 50, comments: 50, likes: 50, follows: 50 };
/// Long after everybody's account was made.
pub const LATER: Timestamp = Timestamp(T0.0 + 30 * DAY_MS);
pub const MERGED_FROM: u32 = 3;

pub fn day(now: Timestamp) -> CommunityDay {
    CommunityDay { day: now.0 / DAY_MS, caps: CAPS, now }
}

pub fn text(title: &str) -> PostText {
    let terms = PostTerms::parse(title, None, "**text**").unwrap();
    PostText { terms, excerpt: "text".into(), has_links: false, ruling: WordRuling::default() }
}

/// For an act of a moderator, each with a number of its own.
pub fn terms(decision: i64) -> ReleaseTerms {
    ReleaseTerms { decision, merged_from: MERGED_FROM, day: LATER.0 / DAY_MS }
}

pub fn publish(
    db: &Db,
    id: i64,
    author: UserId,
    now: Timestamp,
) -> impl Future<Output = Result<CreateOutcome>> {
    db.post_publish(PostPublish {
        id: PostId(id),
        author,
        text: text(&format!("Post {id}")),
        merged_from: MERGED_FROM,
        day: day(now),
        once: None,
    })
}

/// Published now; its id.
pub async fn post(db: &Db, id: i64, author: UserId) -> PostId {
    PostId(publish(db, id, author, LATER).await.unwrap().id)
}

pub fn like(db: &Db, post: PostId, user: UserId, liked: bool) -> impl Future<Output = Result<LikeCount>> {
    db.post_like(PostLike { post, user, liked, day: day(LATER) })
}

pub fn vote(db: &Db, post: PostId, user: UserId, now: Timestamp) -> impl Future<Output = Result<VoteCount>> {
    db.post_vote(PostVote { post, user, site_day: now.0 / DAY_MS, now })
}

pub fn follow(db: &Db, user: UserId, other: UserId) -> impl Future<Output = Result<FollowOutcome>> {
    db.follow(FollowSet { user, other, following_max: 5, day: day(LATER) })
}

pub async fn page(
    db: &Db,
    list: PostList,
    reader: Option<UserId>,
    after: Option<FeedKey>,
) -> FeedPage<PostRow> {
    let page = FeedRequest { limit: 3, after };
    db.posts_find(PostsFind { list, reader, page, now: LATER }).await.unwrap()
}

/// All of a list, page by page.
pub async fn listed(db: &Db, list: PostList, reader: Option<UserId>) -> Vec<i64> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let some = page(db, list, reader, after).await;
        all.extend(some.items.iter().map(|row| row.id.0));
        after = some.next;
        if after.is_none() {
            return all;
        }
    }
}

pub async fn people(db: &Db, list: PersonList, reader: Option<UserId>) -> Vec<UserId> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = FeedRequest { limit: 2, after };
        let some = db.people_find(PeopleFind { list, reader, page, now: LATER }).await.unwrap();
        all.extend(some.items.iter().map(|row| row.person.id));
        after = some.next;
        if after.is_none() {
            return all;
        }
    }
}

pub async fn row(db: &Db, post: PostId, reader: Option<UserId>) -> PostRow {
    db.post_whole(post, reader, LATER).await.unwrap().unwrap().row
}

/// Posts, followers, following.
pub async fn counts(db: &Db, user: UserId) -> (i64, i64, i64) {
    let profile = db.account(user).await.unwrap().unwrap().profile;
    (profile.posts, profile.followers, profile.following)
}
