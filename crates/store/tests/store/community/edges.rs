//! Who follows and blocks whom.

use domain::ids::UserId;
use futures::future::join_all;
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;

on_both! {
    following_counts_once_whatever_is_repeated,
    a_block_removes_both_edges_and_hides_both_ways,
    what_cannot_be_followed,
    those_who_meet_do_not_wait_for_each_other,
    posts_of_big_authors_are_marked_when_they_are_published,
}

async fn following_counts_once_whatever_is_repeated(db: &Db) {
    let (ann, bob, carl) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    for done in join_all((0..50).map(|_| follow(db, ann, bob))).await {
        assert!(done.unwrap().relation.follows);
    }
    follow(db, carl, bob).await.unwrap();
    assert_eq!((counts(db, ann).await, counts(db, bob).await), ((0, 0, 1), (0, 2, 0)));
    assert_eq!(people(db, PersonList::Followers(bob), None).await, [carl, ann]);
    assert_eq!(people(db, PersonList::Following(ann), None).await, [bob]);
    for done in join_all((0..50).map(|_| db.unfollow(ann, bob, LATER))).await {
        assert_eq!(done.unwrap().relation, Relation { followers: 1, ..Relation::default() });
    }
    assert_eq!((counts(db, ann).await, counts(db, bob).await), ((0, 0, 0), (0, 1, 0)));
}

async fn a_block_removes_both_edges_and_hides_both_ways(db: &Db) {
    let (ann, bob, carl) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    let (by_ann, by_bob) = (post(db, 1, ann).await, post(db, 2, bob).await);
    for (one, other) in [(ann, bob), (bob, ann), (carl, ann), (carl, bob)] {
        follow(db, one, other).await.unwrap();
    }
    for done in join_all((0..50).map(|_| db.block(ann, bob, LATER))).await {
        assert!(done.unwrap().blocked_by_me);
    }
    assert_eq!((counts(db, ann).await, counts(db, bob).await), ((1, 1, 0), (1, 1, 0)));
    for (reader, shown) in [
        (Some(ann), vec![by_ann.0]),
        (Some(bob), vec![by_bob.0]),
        (Some(carl), vec![by_bob.0, by_ann.0]),
        (None, vec![by_bob.0, by_ann.0]),
    ] {
        assert_eq!(listed(db, PostList::Latest, reader).await, shown, "{reader:?}");
    }
    assert_eq!(said(follow(db, ann, bob).await), "blocked_by_you");
    assert_eq!(said(follow(db, bob, ann).await), "not_found");
    assert_eq!(said(like(db, by_ann, bob, true).await), "not_found");
    assert_eq!(said(vote(db, by_bob, ann, LATER).await), "not_found");
    assert_eq!(people(db, PersonList::Blocked, Some(ann)).await, [bob]);
    assert_eq!(people(db, PersonList::Following(carl), Some(ann)).await, [ann]);
    assert_eq!(db.unblock(ann, bob).await.unwrap(), Relation { followers: 1, ..Relation::default() });
    assert_eq!(listed(db, PostList::Latest, Some(ann)).await.len(), 2, "what was hidden is there again");
}

async fn what_cannot_be_followed(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let gone = user(db, 9, &[]).await;
    ban(db, gone).await;
    assert_eq!(said(follow(db, ann, ann).await), "yourself");
    assert_eq!(said(db.block(ann, ann, LATER).await), "yourself");
    assert_eq!(said(follow(db, ann, UserId(5)).await), "not_found");
    assert_eq!(said(db.block(ann, UserId(5), LATER).await), "not_found");
    assert_eq!(said(follow(db, ann, gone).await), "not_found");
    let mut others = Vec::new();
    for n in 11..=20 {
        others.push(user(db, n, &[]).await);
    }
    let followed = join_all(others.iter().map(|other| follow(db, ann, *other))).await;
    assert_eq!(followed.iter().filter(|done| done.is_ok()).count(), 5);
    assert_eq!(counts(db, ann).await.2, 5);
    let one_more = user(db, 21, &[]).await;
    assert_eq!(said(follow(db, ann, one_more).await), "following_full");
}

/// Everybody follows, blocks and leaves everybody at once; the counts are those of the rows.
async fn those_who_meet_do_not_wait_for_each_other(db: &Db) {
    let mut people_ = Vec::new();
    for n in 1..=5 {
        people_.push(user(db, n, &[]).await);
    }
    let pairs = || people_.iter().flat_map(|one| people_.iter().map(move |other| (*one, *other)));
    let apart = |(one, other): &(UserId, UserId)| one != other;
    let follows = join_all(pairs().filter(apart).map(|(one, other)| follow(db, one, other)));
    let unfollows = join_all(pairs().filter(apart).map(|(one, other)| db.unfollow(one, other, LATER)));
    let blocks = join_all(
        pairs()
            .filter(|(one, other)| one < other && other.0 == 5_000)
            .map(|(one, other)| db.block(one, other, LATER)),
    );
    let (followed, unfollowed, blocked) = tokio::join!(follows, unfollows, blocks);
    for code in followed.into_iter().map(said) {
        assert!(matches!(code, "ok" | "not_found" | "blocked_by_you"), "{code}");
    }
    assert!(unfollowed.into_iter().all(|done| done.is_ok()));
    assert!(blocked.into_iter().all(|done| done.is_ok()));
    for user in &people_ {
        let (_, followers, following) = counts(db, *user).await;
        let found = (
            people(db, PersonList::Followers(*user), None).await.len(),
            people(db, PersonList::Following(*user), None).await.len(),
        );
        assert_eq!((usize::try_from(followers).unwrap(), usize::try_from(following).unwrap()), found);
    }
    assert_eq!(counts(db, people_[4]).await, (0, 0, 0), "blocked by all others");
}

async fn posts_of_big_authors_are_marked_when_they_are_published(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let merged = |id: i64| {
        db.read(id, |tx, id| {
            Box::pin(
                async move { tx.count("SELECT merged FROM posts WHERE id = $1", store::params![*id]).await },
            )
        })
    };
    for n in 0..4 {
        post(db, i64::from(n) + 1, ann).await;
        let fan = user(db, n + 10, &[]).await;
        follow(db, fan, ann).await.unwrap();
    }
    for (id, expected) in [(1, 0), (2, 0), (3, 0), (4, 1)] {
        assert_eq!(merged(id).await.unwrap(), expected, "{id}");
    }
}
