//! Likes and votes: a row each, and a count that follows it.

use domain::community::{ArticleScore, vote::voting_ends};
use domain::ids::{PostId, UserId};
use domain::time::Timestamp;
use futures::future::join_all;
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;

on_both! {
    hole_58_fifty_likes_at_once_are_counted_once_each,
    hole_62_a_vote_is_one_step_and_ends_at_its_deadline,
    the_hot_list_is_by_pin_and_score,
    who_liked_is_newest_first_without_the_blocked,
}

async fn crowd(db: &Db, count: u8) -> Vec<UserId> {
    let mut people = Vec::new();
    for n in 1..=count {
        people.push(user(db, n, &[]).await);
    }
    people
}

/// Each person likes five times and takes it back twice, all at once: what is left is what was said last, and the count is
/// that of the rows.
async fn hole_58_fifty_likes_at_once_are_counted_once_each(db: &Db) {
    let people = crowd(db, 10).await;
    let id = post(db, 7, people[0]).await;
    let often = people.iter().flat_map(|user| std::iter::repeat_n(*user, 5));
    for count in join_all(often.map(|user| like(db, id, user, true))).await {
        assert!(count.unwrap().liked);
    }
    assert_eq!(row(db, id, None).await.likes, 10);
    assert!(row(db, id, Some(people[3])).await.liked_by_me);
    join_all(people[..4].iter().flat_map(|user| [like(db, id, *user, false), like(db, id, *user, false)]))
        .await;
    let row = row(db, id, Some(people[3])).await;
    assert_eq!((row.likes, row.liked_by_me), (6, false));
    let liked = PersonList::LikersOf(id);
    assert_eq!(super::fixtures::people(db, liked, Some(people[0])).await.len(), 6);
    assert_eq!(said(like(db, PostId(99), people[1], true).await), "not_found");
}

async fn hole_62_a_vote_is_one_step_and_ends_at_its_deadline(db: &Db) {
    let people = crowd(db, 10).await;
    let id = post(db, 7, people[0]).await;
    let end = voting_ends(LATER);
    let last = Timestamp(end.0 - 1);
    join_all(
        people.iter().flat_map(|user| std::iter::repeat_n(*user, 5)).map(|user| vote(db, id, user, last)),
    )
    .await;
    let row_ = row(db, id, Some(people[9])).await;
    assert_eq!((row_.votes, row_.score, row_.voted_by_me), (10, ArticleScore::of(LATER, 10), true));
    let late = user(db, 77, &[]).await;
    assert_eq!(said(vote(db, id, late, end).await), "voting_over");
    let after = row(db, id, Some(late)).await;
    assert_eq!((after.votes, after.score, after.voted_by_me), (10, row_.score, false), "frozen");
}

async fn the_hot_list_is_by_pin_and_score(db: &Db) {
    let people = crowd(db, 3).await;
    for id in 1..=4 {
        post(db, id, people[0]).await;
    }
    for user in &people[1..] {
        vote(db, PostId(2), *user, LATER).await.unwrap();
    }
    vote(db, PostId(3), people[1], LATER).await.unwrap();
    let pin = |id| {
        let act = domain::community::ModerationAct::Pin;
        db.post_moderate(PostModerate {
            id: PostId(id),
            act,
            signed: signed(Actor::Console, 900 + id),
            terms: terms(900 + id),
        })
    };
    let hot = || async { db.posts_hot(10).await.unwrap().into_iter().map(|id| id.0).collect::<Vec<_>>() };
    assert_eq!(hot().await, [2, 3, 4, 1]);
    pin(1).await.unwrap();
    assert_eq!(hot().await, [1, 2, 3, 4]);
    assert_eq!(db.posts_hot(2).await.unwrap(), [PostId(1), PostId(2)]);
}

async fn who_liked_is_newest_first_without_the_blocked(db: &Db) {
    let people = crowd(db, 6).await;
    let id = post(db, 7, people[0]).await;
    for (n, user) in (0..).zip(&people) {
        let day = day(Timestamp(LATER.0 + n));
        db.post_like(PostLike { post: id, user: *user, liked: true, day }).await.unwrap();
    }
    db.block(people[0], people[2], LATER).await.unwrap();
    db.block(people[3], people[0], LATER).await.unwrap();
    ban(db, people[4]).await;
    let liked = |reader| super::fixtures::people(db, PersonList::LikersOf(id), reader);
    assert_eq!(liked(Some(people[0])).await, [people[5], people[1], people[0]]);
    assert_eq!(liked(Some(people[5])).await, [people[5], people[3], people[2], people[1], people[0]]);
}
