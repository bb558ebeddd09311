//! The index follows the rows, whatever comes late, twice or not at all.

use std::collections::BTreeSet;

use domain::access::Role;
use domain::community::ModerationAct;
use domain::ids::{PostId, UserId};
use domain::search::{IndexedKind, SearchDocument, SearchQuery, plain_words};
use futures::future::join_all;
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::both;
use crate::community::fixtures::terms;
use crate::fixtures::*;
use crate::outbox::hold_lane;

on_both! {
    a_message_that_comes_three_times_changes_nothing,
    messages_in_another_order_come_to_the_same,
    a_change_while_the_index_is_written_is_not_lost,
    what_nobody_was_told_is_found_by_the_job,
    a_worker_that_lost_its_lane_writes_nothing,
}

async fn a_message_that_comes_three_times_changes_nothing(db: &Db) {
    let (ann, fence) = (user(db, 1, &[]).await, hold_lane(db, SEARCH).await);
    publish(db, 10, ann, "好运", "x").await;
    let messages = due(db, &fence).await;
    assert_eq!(messages.len(), 1);
    handle(db, &fence, messages.clone()).await;
    let once = (posts(db, "好运", None).await, db.search_index_list().await.unwrap());
    for _ in 0..3 {
        handle(db, &fence, messages.clone()).await;
        assert_eq!((posts(db, "好运", None).await, db.search_index_list().await.unwrap()), once);
    }
    assert_eq!(once.0, [10]);
}

async fn edit(db: &Db, id: i64, author: UserId, version: u32, title: &str) {
    let step = PostEdit {
        id: PostId(id),
        author,
        version,
        text: written(title, "x"),
        day: day(LATER + i64::from(version)),
    };
    db.post_edit(step).await.unwrap();
}

async fn messages_in_another_order_come_to_the_same(db: &Db) {
    let (ann, fence) = (user(db, 1, &[]).await, hold_lane(db, SEARCH).await);
    publish(db, 10, ann, "one", "x").await;
    edit(db, 10, ann, 1, "two").await;
    let before = due(db, &fence).await;
    edit(db, 10, ann, 2, "three").await;
    let after = due(db, &fence).await.into_iter().filter(|message| !before.contains(message)).collect();
    handle(db, &fence, after).await;
    assert_eq!(posts(db, "three", None).await, [10]);
    for message in before.into_iter().rev() {
        handle(db, &fence, vec![message]).await;
        assert_eq!(posts(db, "three", None).await, [10], "an old message tells nothing old");
    }
    assert_eq!((posts(db, "one", None).await, posts(db, "two", None).await), (vec![], vec![]));
}

async fn a_change_while_the_index_is_written_is_not_lost(db: &Db) {
    let (ann, fence) = (user(db, 1, &[]).await, hold_lane(db, SEARCH).await);
    for id in 10..40 {
        publish(db, id, ann, "one", "x").await;
    }
    // All of one moment, so that each edit has the message that waits already.
    let edits = join_all((10..40).map(|id| {
        let step =
            PostEdit { id: PostId(id), author: ann, version: 1, text: written("two", "x"), day: day(LATER) };
        db.post_edit(step)
    }));
    let relay = async {
        for message in due(db, &fence).await {
            handle(db, &fence, vec![message]).await;
        }
    };
    let (edited, ()) = futures::join!(edits, relay);
    assert!(edited.iter().all(Result::is_ok));
    let rest = due(db, &fence).await;
    handle(db, &fence, rest).await;
    assert_eq!((posts(db, "two", None).await.len(), posts(db, "one", None).await.len()), (30, 0));
}

async fn what_nobody_was_told_is_found_by_the_job(db: &Db) {
    let (ann, fence) = (user(db, 1, &[]).await, job(db).await);
    for id in 10..17 {
        publish(db, id, ann, "好运", "x").await;
    }
    assert_eq!(rebuild(db, &fence, 3).await, 8, "seven posts and their author");
    assert_eq!(posts(db, "好运", None).await.len(), 7);
    assert_eq!(rebuild(db, &fence, 3).await, 0, "nothing is written twice");
    db.post_delete(PostId(12), ann, LATER).await.unwrap();
    assert_eq!(rebuild(db, &fence, 3).await, 1, "what is gone is taken out");
}

async fn a_worker_that_lost_its_lane_writes_nothing(db: &Db) {
    let (ann, old) = (user(db, 1, &[]).await, hold_lane(db, SEARCH).await);
    publish(db, 10, ann, "好运", "x").await;
    let messages = due(db, &old).await;
    let stale = LaneFence { term: old.term - 1, ..old };
    let step = SearchIndexWrite { fence: stale, messages, now: LATER };
    assert_eq!(said(db.search_index_write(step).await), "lease_lost");
    assert!(db.search_index_list().await.unwrap().is_empty());
}

const WORDS: [&str; 8] = ["抽奖", "活动", "lucky", "Draw", "奖品", "好运", "x1", "中奖"];

/// Numbers that look like chance and come again.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, max: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % max
    }

    fn text(&mut self) -> String {
        let words: Vec<&str> = (0..=self.below(3)).map(|_| WORDS[self.below(WORDS.len())]).collect();
        words.join(if self.below(2) == 0 { " " } else { "" })
    }
}

/// One of the things that happen; the same on both databases.
async fn happen(db: &Db, numbers: &mut Numbers, n: i64, people: &[UserId], judge: UserId) {
    let somebody = people[numbers.below(people.len())];
    let post = PostId(1_000 + i64::try_from(numbers.below(usize::try_from(n).unwrap() + 1)).unwrap());
    let (title, body, now) = (numbers.text(), numbers.text(), LATER);
    match numbers.below(7) {
        0 | 1 => drop(publish(db, 1_000 + n, somebody, &title, &body).await),
        2 => {
            let Some(whole) = db.post_whole(post, None, now).await.unwrap() else { return };
            let (author, version) = (whole.row.author.unwrap().id, whole.row.version);
            drop(
                db.post_edit(PostEdit {
                    id: post,
                    author,
                    version,
                    text: written(&title, &body),
                    day: day(now),
                })
                .await,
            );
        }
        3 => {
            let Some(whole) = db.post_whole(post, None, now).await.unwrap() else { return };
            drop(db.post_delete(post, whole.row.author.unwrap().id, now).await);
        }
        4 => {
            let act = if numbers.below(2) == 0 { ModerationAct::Remove } else { ModerationAct::Restore };
            let signed = signed(Actor::Person(judge), 50_000 + n);
            drop(db.post_moderate(PostModerate { id: post, act, signed, terms: terms(60_000 + n) }).await);
        }
        5 => rename(db, somebody, &title).await,
        _ => {
            let other = people[numbers.below(people.len())];
            let set = FollowSet { user: somebody, other, following_max: 500, day: day(now) };
            drop(db.follow(set).await);
        }
    }
}

/// Posts that answer, by reading all of them.
async fn answers(db: &Db, query: &str, posts: i64) -> Vec<i64> {
    let asked = SearchQuery::parse(query).unwrap();
    let mut found = BTreeSet::new();
    for id in 1_000..1_000 + posts {
        let Some(whole) = db.post_whole(PostId(id), None, LATER).await.unwrap() else { continue };
        if whole.row.state != domain::community::PostState::Visible {
            continue;
        }
        let document =
            SearchDocument { titles: vec![whole.row.title.clone()], texts: vec![plain_words(&whole.body)] };
        found.extend(asked.tier(&document.terms()).map(|tier| (tier, -id)));
    }
    found.into_iter().map(|(_, id)| -id).collect()
}

/// One index is told of everything, the other one of nothing and made from the rows: both are the same, and answer what
/// reading everything answers.
async fn live(kept: &Db, rebuilt: &Db) {
    const HAPPENINGS: i64 = 120;
    let mut people = Vec::new();
    for db in [kept, rebuilt] {
        people = vec![user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await];
        user(db, 4, &[Role::Moderator]).await;
    }
    let judge = UserId(4_000);
    let mut numbers = [Numbers(7), Numbers(7)];
    for n in 0..HAPPENINGS {
        happen(kept, &mut numbers[0], n, &people, judge).await;
        happen(rebuilt, &mut numbers[1], n, &people, judge).await;
        if n % 3 == 0 {
            relay(kept).await;
        }
    }
    relay(kept).await;
    let fence = job(rebuilt).await;
    rebuild(rebuilt, &fence, 7).await;
    let list = kept.search_index_list().await.unwrap();
    assert!(list.len() > 10);
    assert_eq!(list, rebuilt.search_index_list().await.unwrap());
    for query in ["抽奖", "奖", "活动", "lucky", "dra", "lucky draw", "中奖 活动", "x1", "好运抽奖"]
    {
        let expected = answers(kept, query, HAPPENINGS).await;
        assert_eq!(posts(kept, query, None).await, expected, "{query}");
        assert_eq!(posts(rebuilt, query, None).await, expected, "{query}");
        let named = |db| found(db, IndexedKind::Person, query, None);
        assert_eq!(named(kept).await, named(rebuilt).await, "{query}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_was_kept_is_the_one_that_is_made_anew_on_sqlite() {
    let (kept, rebuilt) = (both::sqlite().await, both::sqlite().await);
    live(&kept.db, &rebuilt.db).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_was_kept_is_the_one_that_is_made_anew_on_postgres() {
    let (Some(kept), Some(rebuilt)) = (both::postgres().await, both::postgres().await) else { return };
    live(&kept.db, &rebuilt.db).await;
}
