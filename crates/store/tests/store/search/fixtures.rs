//! People who write, the relay and the job that keep the index, and readers.

use domain::community::PostTerms;
use domain::ids::{PostId, UserId};
use domain::search::{FoundPlace, IndexedKind, SearchQuery};
use domain::time::Timestamp;
use store::Db;
use store::model::*;

use crate::fixtures::*;
use crate::jobs::{claim, defaults};
use crate::outbox::hold_lane;

/// What nothing answers.
pub const NONE: [i64; 0] = [];
/// Long after everybody's account was made.
pub const LATER: Timestamp = Timestamp(T0.0 + 30 * domain::time::DAY_MS);

pub fn written(title: &str, body: &str) -> PostText {
    let terms = PostTerms::parse(title, None, body).unwrap();
    PostText { terms, excerpt: String::new(), has_links: false, ruling: Default::default() }
}

pub fn day(now: Timestamp) -> CommunityDay {
    let caps = domain::community::DailyCaps { posts: 500, comments: 50, likes: 50, follows: 500 };
    CommunityDay { day: now.0 / domain::time::DAY_MS, caps, now }
}

pub async fn publish(db: &Db, id: i64, author: UserId, title: &str, body: &str) -> PostId {
    let text = written(title, body);
    let step = PostPublish { id: PostId(id), author, text, merged_from: 100, day: day(LATER), once: None };
    PostId(db.post_publish(step).await.unwrap().id)
}

pub async fn follow(db: &Db, user: UserId, other: UserId) {
    db.follow(FollowSet { user, other, following_max: 500, day: day(LATER) }).await.unwrap();
}

pub async fn rename(db: &Db, user: UserId, name: &str) {
    let name = Some(name.to_owned());
    db.profile_edit(ProfileEdit { user, name, avatar: None, now: LATER }).await.unwrap();
}

pub async fn due(db: &Db, fence: &LaneFence) -> Vec<(Message, IndexedKind)> {
    let due = db.outbox_due(fence.clone(), LATER + 1_000, MESSAGES_MAX).await.unwrap();
    due.into_iter().map(|message| (message.clone(), IndexedKind::parse(&message.body).unwrap())).collect()
}

pub async fn handle(db: &Db, fence: &LaneFence, messages: Vec<(Message, IndexedKind)>) {
    let step = SearchIndexWrite { fence: fence.clone(), messages, now: LATER };
    db.search_index_write(step).await.unwrap();
}

/// Brings the index up to everything that waits, as the relay does; answers how many messages there were.
pub async fn relay(db: &Db) -> usize {
    let fence = hold_lane(db, SEARCH).await;
    let messages = due(db, &fence).await;
    let count = messages.len();
    handle(db, &fence, messages).await;
    assert_eq!(due(db, &fence).await.len(), 0, "they are gone");
    count
}

pub async fn job(db: &Db) -> Fence {
    db.jobs_declare(defaults(&["search_index"])).await.unwrap();
    db.job_claim(claim("w", 1, 0)).await.unwrap().unwrap().fence
}

/// Looks at all rows, `limit` at a time, as the job does; answers how many entries were wrong.
pub async fn rebuild(db: &Db, fence: &Fence, limit: u32) -> u64 {
    let mut changed = 0;
    for kind in IndexedKind::ALL {
        let mut after = Some(i64::MIN);
        while let Some(from) = after {
            let check = SearchIndexCheck { fence: fence.clone(), kind, after: from, limit };
            let checked = db.search_index_check(check).await.unwrap();
            (changed, after) = (changed + checked.changed, checked.next);
        }
    }
    changed
}

pub async fn page(
    db: &Db,
    (kind, query): (IndexedKind, &str),
    reader: Option<UserId>,
    after: Option<FoundPlace>,
    limit: u32,
) -> domain::search::FoundPage<FoundRow> {
    let query = SearchQuery::parse(query).unwrap();
    db.search_find(SearchFind { kind, query, after, limit, reader, now: LATER }).await.unwrap()
}

/// Everything that answers, page by page.
pub async fn found(db: &Db, kind: IndexedKind, query: &str, reader: Option<UserId>) -> Vec<i64> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let some = page(db, (kind, query), reader, after, 2).await;
        all.extend(some.items.iter().map(|(place, _)| place.id));
        after = some.next;
        if after.is_none() {
            return all;
        }
    }
}

pub async fn posts(db: &Db, query: &str, reader: Option<UserId>) -> Vec<i64> {
    found(db, IndexedKind::Post, query, reader).await
}

pub async fn people(db: &Db, query: &str, reader: Option<UserId>) -> Vec<i64> {
    found(db, IndexedKind::Person, query, reader).await
}
