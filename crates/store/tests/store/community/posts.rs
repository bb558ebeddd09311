//! Posts: published in one order, edited with a history, listed for whom they are.

use domain::community::*;
use domain::ids::PostId;
use domain::time::{DAY_MS, Timestamp};
use futures::future::join_all;
use store::Db;
use store::model::*;
use store::params;

use super::fixtures::*;
use crate::fixtures::*;

on_both! {
    a_post_comes_back_as_it_was_written,
    hole_56_keys_rise_in_the_order_of_commits,
    the_same_key_publishes_once,
    a_day_has_an_end,
    an_edit_keeps_what_was_said,
    edits_have_a_daily_maximum,
    what_lists_show_is_what_the_table_says,
    pages_neither_repeat_nor_skip,
    a_post_that_is_taken_back_is_gone_at_once,
}

async fn a_post_comes_back_as_it_was_written(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let id = post(db, 7, ann).await;
    let whole = db.post_whole(id, Some(ann), LATER).await.unwrap().unwrap();
    assert_eq!((whole.body.as_str(), whole.blocked), ("**text**", false));
    let row = whole.row;
    assert_eq!((row.title.as_str(), row.excerpt.as_str(), row.version), ("Post 7", "text", 1));
    assert_eq!((row.published, row.edited, row.state), (LATER, None, PostState::Visible));
    assert_eq!((row.votes, row.score, row.voted_by_me), (1, ArticleScore::of(LATER, 1), true));
    assert_eq!((row.likes, row.liked_by_me, row.comments), (0, false, 0));
    assert_eq!(row.author.unwrap().name, "Player 1000");
    assert_eq!(counts(db, ann).await, (1, 0, 0));
    assert_eq!(db.post_whole(PostId(8), None, LATER).await.unwrap(), None);
}

/// Fifty at once, each with a clock of its own: whoever saw the newest post saw all before it.
async fn hole_56_keys_rise_in_the_order_of_commits(db: &Db) {
    let mut authors = Vec::new();
    for n in 1..=5 {
        authors.push(user(db, n, &[]).await);
    }
    let seen = tokio::sync::Mutex::new(Vec::<FeedKey>::new());
    let posts = (0..50).map(|n: i64| {
        let (author, seen) = (authors[usize::try_from(n % 5).unwrap()], &seen);
        // Clocks that disagree, and ids that do not follow them.
        let now = Timestamp(LATER.0 + (n * 37) % 11);
        async move {
            publish(db, 1_000 - n * 7 % 50, author, now).await.unwrap();
            // Under the lock, so that looks follow each other: each sees at least what the one before saw.
            let mut seen = seen.lock().await;
            let page = FeedRequest { limit: 200, after: None };
            let find = PostsFind { list: PostList::Latest, reader: None, page, now: LATER };
            let keys: Vec<FeedKey> =
                db.posts_find(find).await.unwrap().items.iter().map(PostRow::key).collect();
            let newest_before = seen.first().copied();
            let older: Vec<FeedKey> = keys
                .iter()
                .copied()
                .filter(|key| newest_before.is_some_and(|newest| *key <= newest))
                .collect();
            assert_eq!(older, *seen, "what came later is newer than everything that was seen");
            *seen = keys;
        }
    });
    join_all(posts).await;
    assert_eq!(seen.into_inner().len(), 50);
}

async fn the_same_key_publishes_once(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let publish = |id: i64, body: &str| {
        let (text, once) = (text("Once"), once("k", body));
        db.post_publish(PostPublish {
            id: PostId(id),
            author: ann,
            text,
            merged_from: MERGED_FROM,
            day: day(LATER),
            once,
        })
    };
    let tries = join_all((1..=50).map(|id| publish(id, "a"))).await;
    let ids: Vec<i64> = tries.into_iter().map(|made| made.unwrap().id).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(said(publish(99, "b").await), "idempotency_conflict");
    assert_eq!(counts(db, ann).await.0, 1);
}

async fn a_day_has_an_end(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let tries = join_all((1..=60).map(|id| publish(db, id, ann, LATER))).await;
    let refused = tries.into_iter().filter(Result::is_err).count();
    assert_eq!((refused, counts(db, ann).await.0), (10, 50));
    assert_eq!(said(publish(db, 99, ann, LATER).await), "daily_cap");
    let tomorrow = Timestamp(LATER.0 + domain::time::DAY_MS);
    assert_eq!(said(publish(db, 99, ann, tomorrow).await), "ok");
    // A new account has a tenth, and leaves no links.
    let bob = user(db, 2, &[]).await;
    for (id, expected) in
        [(101, "ok"), (102, "ok"), (103, "ok"), (104, "ok"), (105, "ok"), (106, "daily_cap")]
    {
        assert_eq!(said(publish(db, id, bob, T0).await), expected, "{id}");
    }
    let linked = |author| {
        let text = PostText { has_links: true, ..text("Look") };
        let (id, day) = (PostId(107), day(LATER));
        db.post_publish(PostPublish { id, author, text, merged_from: MERGED_FROM, day, once: None })
    };
    let carl = user(db, 3, &[]).await;
    let young = db
        .post_publish(PostPublish {
            id: PostId(108),
            author: carl,
            text: PostText { has_links: true, ..text("Look") },
            merged_from: MERGED_FROM,
            day: day(T0),
            once: None,
        })
        .await;
    assert_eq!(said(young), "links_too_soon");
    assert_eq!(said(linked(carl).await), "ok");
    ban(db, carl).await;
    assert_eq!(said(publish(db, 109, carl, LATER).await), "banned");
}

async fn an_edit_keeps_what_was_said(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let id = post(db, 7, ann).await;
    let edit = |author, version, title: &str| {
        db.post_edit(PostEdit { id, author, version, text: text(title), day: day(LATER) })
    };
    assert_eq!(said(edit(bob, 1, "Stolen").await), "not_found");
    let same = join_all((0..50).map(|n| edit(ann, 1, if n % 2 == 0 { "Even" } else { "Odd" }))).await;
    assert_eq!(same.iter().filter(|done| done.is_ok()).count(), 1, "one of those who saw the same version");
    assert_eq!(said(edit(ann, 1, "Late").await), "version_stale");
    assert_eq!(edit(ann, 2, "Third").await.unwrap(), 3);
    let row = row(db, id, None).await;
    assert_eq!((row.title.as_str(), row.version, row.edited), ("Third", 3, Some(LATER)));
    let said: Vec<(u32, String)> =
        db.post_versions(id).await.unwrap().into_iter().map(|old| (old.version, old.title)).collect();
    assert_eq!((said.len(), said[0].0, &said[1]), (2, 2, &(1, "Post 7".to_owned())));
}

async fn edits_have_a_daily_maximum(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let id = post(db, 7, ann).await;
    let little = DailyCaps { posts: 1, ..CAPS };
    let edit = |version, now: Timestamp| {
        let day = CommunityDay { caps: little, ..day(now) };
        db.post_edit(PostEdit { id, author: ann, version, text: text("Again"), day })
    };
    for version in 1..=EDITS_PER_POST {
        assert_eq!(edit(version, LATER).await.unwrap(), version + 1);
    }
    assert_eq!(said(edit(EDITS_PER_POST + 1, LATER).await), "daily_cap");
    assert_eq!(said(edit(1, LATER).await), "version_stale", "what was refused is not counted, and says why");
    assert_eq!(edit(EDITS_PER_POST + 1, LATER + DAY_MS).await.unwrap(), EDITS_PER_POST + 2);
}

/// Puts a post into a state without asking anybody.
const MARK: &str = "UPDATE posts SET state = $2, author_gone = $3 WHERE id = $1";

/// Every state of a post × every state of its author × every reader, in SQL and in the domain.
async fn what_lists_show_is_what_the_table_says(db: &Db) {
    let (ann, bob) = (user(db, 100, &[]).await, user(db, 101, &[]).await);
    let mut id = 0;
    for state in PostState::ALL {
        for author_state in AuthorState::ALL {
            id += 1;
            let author = user(db, u8::try_from(id).unwrap(), &[]).await;
            let post = post(db, id, author).await;
            db.block(bob, author, LATER).await.unwrap();
            let gone = author_state == AuthorState::Gone;
            db.write((post, state, gone), |tx, (post, state, gone)| {
                Box::pin(async move { tx.execute(MARK, params![*post, state.name(), *gone]).await })
            })
            .await
            .unwrap();
            if author_state == AuthorState::Banned {
                ban(db, author).await;
            }
            for (reader, as_whom) in [
                (None, PostReader::Anybody),
                (Some(ann), PostReader::Anybody),
                (Some(bob), PostReader::Blocked),
            ] {
                let expected = can_read(state, author_state, as_whom);
                let what = format!("{state:?} {author_state:?} {as_whom:?}");
                assert_eq!(listed(db, PostList::Latest, reader).await.contains(&id), expected, "{what}");
                let by = listed(db, PostList::By(author), reader).await.contains(&id);
                assert_eq!(by, expected && author_state != AuthorState::Gone, "{what}");
                let picked =
                    db.posts_pick(PostsPick { ids: vec![post], reader, now: LATER }).await.unwrap().len();
                assert_eq!(picked == 1, expected, "{what}");
                let whole = db.post_whole(post, reader, LATER).await.unwrap().unwrap();
                assert_eq!((whole.row.state, whole.row.author_state), (state, author_state));
                assert_eq!(whole.blocked, as_whom == PostReader::Blocked);
            }
        }
    }
}

/// A reader who pages to the end sees every post once that was there when they began and is there when they end, whatever
/// comes and goes meanwhile, at random.
async fn pages_neither_repeat_nor_skip(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let mut next_id = 1;
    for seed in 1..=4_u64 {
        let mut dice = Dice(seed);
        for _ in 0..6 {
            post(db, next_id, ann).await;
            next_id += 1;
        }
        let before: Vec<i64> = listed(db, PostList::Latest, None).await;
        let (mut seen, mut after, mut gone) = (Vec::new(), None, Vec::new());
        loop {
            let some = page(db, PostList::Latest, None, after).await;
            seen.extend(some.items.iter().map(|row| row.id.0));
            if dice.roll(2) == 0 {
                post(db, next_id, ann).await;
                next_id += 1;
            }
            if dice.roll(2) == 0 {
                let id = before[dice.roll(before.len())];
                db.post_delete(PostId(id), ann, LATER).await.unwrap();
                gone.push(id);
            }
            after = some.next;
            if after.is_none() {
                break;
            }
        }
        let mut once = seen.clone();
        once.dedup();
        assert_eq!(once, seen, "seed {seed}: nothing is repeated");
        assert!(
            seen.iter().all(|id| before.contains(id)),
            "seed {seed}: nothing that came later is on a later page"
        );
        let missed: Vec<&i64> = before.iter().filter(|id| !seen.contains(id) && !gone.contains(id)).collect();
        assert!(missed.is_empty(), "seed {seed}: {missed:?}");
    }
}

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

async fn a_post_that_is_taken_back_is_gone_at_once(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let (id, other) = (post(db, 7, ann).await, post(db, 8, ann).await);
    assert_eq!(said(db.post_delete(id, bob, LATER).await), "not_found");
    for result in join_all((0..50).map(|_| db.post_delete(id, ann, LATER))).await {
        assert_eq!(said(result), "ok");
    }
    assert_eq!(counts(db, ann).await.0, 1, "once");
    for list in [PostList::Latest, PostList::By(ann), PostList::Mine] {
        assert_eq!(listed(db, list, Some(ann)).await, [other.0], "{list:?}");
    }
    assert_eq!(said(like(db, id, bob, true).await), "not_found");
    assert_eq!(said(vote(db, id, bob, LATER).await), "not_found");
    let edit = PostEdit { id, author: ann, version: 1, text: text("Again"), day: day(LATER) };
    assert_eq!(said(db.post_edit(edit).await), "not_found");
}
