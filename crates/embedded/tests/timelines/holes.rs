//! Holes of other systems, by name.

use domain::community::FeedKey;
use domain::ids::{PostId, UserId};
use engine::ports::Timelines;
use futures::future::join_all;
use store::model::FollowersAfter;
use testkit::wait::PATIENCE;

use crate::stage::{MERGED_FROM, NOW, Stage, on_both};

on_both! {
    hole_52_neighbours_keep_their_order_in_a_timeline,
    hole_53_a_post_makes_no_timeline_for_whoever_does_not_read,
    hole_54_a_crowd_of_one_reader_rebuilds_once_and_loses_nothing,
    hole_54_the_end_is_the_databases_also_after_a_follow,
    hole_55_a_fan_out_that_is_repeated_brings_back_nothing,
    hole_55_a_fan_out_goes_on_where_it_stopped,
    hole_56_no_post_is_passed_by_while_many_are_published,
    authors_with_many_followers_are_merged_and_come_once,
}

const ANN: UserId = UserId(1);
const BOB: UserId = UserId(2);
const CARL: UserId = UserId(3);

async fn hole_52_neighbours_keep_their_order_in_a_timeline(stage: Stage) {
    stage.people(1..3).await;
    stage.follow(ANN, BOB).await;
    assert_eq!(stage.pages(ANN, 20).await, [0_i64; 0]);
    let first = (1 << 53) + 1;
    // All in one millisecond, and delivered in another order.
    for n in 0..30 {
        stage.publish(first + n, BOB, 100).await;
    }
    for n in (0..30).rev().step_by(2).chain(0..30) {
        stage.fan_out(first + n).await;
    }
    let expected: Vec<i64> = (0..30).rev().map(|n| first + n).collect();
    assert_eq!(stage.pages(ANN, 7).await, expected);
    assert_eq!(stage.kept(ANN).await, Some(expected));
}

async fn hole_53_a_post_makes_no_timeline_for_whoever_does_not_read(stage: Stage) {
    stage.people(1..4).await;
    stage.follow(ANN, BOB).await;
    stage.follow(CARL, BOB).await;
    stage.publish(1, BOB, 100).await;
    stage.publish(2, BOB, 100).await;
    assert_eq!(stage.pages(CARL, 20).await, [2, 1]);
    assert_eq!((stage.fan_out(1).await, stage.fan_out(2).await), (1, 1), "to the only one who reads");
    assert_eq!((stage.kept(ANN).await, stage.kept(BOB).await), (None, None));
    assert_eq!(stage.pages(ANN, 20).await, [2, 1], "pulled, to the end");
}

async fn hole_54_a_crowd_of_one_reader_rebuilds_once_and_loses_nothing(stage: Stage) {
    stage.people(1..3).await;
    stage.follow(ANN, BOB).await;
    for n in 1..=30 {
        stage.publish(n, BOB, 100).await;
        stage.fan_out(n).await;
    }
    let crowd = join_all((0..40).map(|_| stage.page(ANN, 20, None)));
    let author = async {
        for n in 31..=40 {
            stage.publish(n, BOB, 100).await;
            stage.fan_out(n).await;
        }
    };
    let (pages, ()) = tokio::join!(crowd, author);
    for (ids, _) in pages {
        let newest = ids[0];
        assert_eq!(ids, (newest - 19..=newest).rev().collect::<Vec<i64>>());
    }
    // Marks are numbered: one was used, and this is the next.
    let mark = stage.home.rebuild_begin(CARL, NOW).await.unwrap();
    assert_eq!(mark.0, 1, "forty readers, one rebuild");
    assert_eq!(stage.kept(ANN).await, Some((1..=40).rev().collect()));
}

async fn hole_54_the_end_is_the_databases_also_after_a_follow(stage: Stage) {
    stage.people(1..4).await;
    for n in 1..=5 {
        stage.publish(n, BOB, 100).await;
    }
    for n in 6..=700 {
        stage.publish(n, CARL, 100).await;
    }
    stage.follow(ANN, BOB).await;
    let (ids, next) = stage.page(ANN, 5, None).await;
    assert_eq!((ids, next), (vec![5, 4, 3, 2, 1], None), "a full page, and the end of it");
    // More of one author than is kept; it shows at once, and goes back to the beginning.
    stage.follow(ANN, CARL).await;
    assert!(stage.kept(ANN).await.is_some(), "the backfill saved a rebuild");
    assert_eq!(stage.pages(ANN, 100).await, (1..=700).rev().collect::<Vec<i64>>());
}

async fn hole_55_a_fan_out_that_is_repeated_brings_back_nothing(stage: Stage) {
    stage.people(1..4).await;
    for (reader, author) in [(ANN, BOB), (CARL, BOB)] {
        stage.follow(reader, author).await;
        stage.pages(reader, 20).await;
    }
    for n in [1, 2, 3] {
        stage.publish(n, BOB, 100).await;
    }
    // Between the message and its delivery one post goes, and one reader.
    stage.db.post_delete(PostId(2), BOB, NOW).await.unwrap();
    stage.unfollow(CARL, BOB).await;
    for _ in 0..2 {
        for n in [1, 2, 3] {
            stage.fan_out(n).await;
        }
    }
    assert_eq!(stage.kept(ANN).await, Some(vec![3, 1]));
    assert_eq!(stage.kept(CARL).await, Some(vec![]));
    // Delivered all the same, by a worker that was late: no page shows it.
    let late = FeedKey { time: NOW, id: 2 };
    stage.home.deliver(late, &[ANN, CARL], NOW).await.unwrap();
    assert_eq!((stage.pages(ANN, 20).await, stage.pages(CARL, 20).await), (vec![3, 1], vec![]));
}

async fn hole_55_a_fan_out_goes_on_where_it_stopped(stage: Stage) {
    let people = stage.people(1..9).await;
    for reader in &people[1..] {
        stage.follow(*reader, ANN).await;
    }
    stage.publish(1, ANN, 100).await;
    let ask = |after| stage.db.fan_out_followers(FollowersAfter { post: PostId(1), after, limit: 3 });
    let first = ask(stage.db.fan_out_find(PostId(1)).await.unwrap().unwrap().after).await.unwrap();
    stage.db.fan_out_move(PostId(1), first[2]).await.unwrap();
    let again = stage.db.fan_out_find(PostId(1)).await.unwrap().unwrap();
    let rest = ask(again.after).await.unwrap();
    assert_eq!((first.iter().chain(&rest)).map(|follow| follow.id).collect::<Vec<i64>>(), [2, 3, 4, 5, 6, 7]);
    stage.db.post_delete(PostId(1), ANN, NOW).await.unwrap();
    assert_eq!(ask(again.after).await.unwrap(), [], "each part looks at the post again");
    assert_eq!(stage.db.fan_out_filter(PostId(1), people).await.unwrap(), []);
}

async fn hole_56_no_post_is_passed_by_while_many_are_published(stage: Stage) {
    let authors = stage.people(1..9).await;
    for author in &authors[1..] {
        stage.follow(ANN, *author).await;
    }
    let publish = join_all(authors[1..].iter().enumerate().map(|(at, author)| {
        let (stage, first) = (&stage, 1_000 * (at as i64 + 1));
        async move {
            for n in 0..12 {
                stage.publish(first + n, *author, if at % 2 == 0 { 1 } else { 100 }).await;
                if n % 3 == 0 {
                    stage.fan_out(first + n).await;
                }
            }
        }
    }));
    let read = async {
        // Everything that comes, page after page from the top down to what was seen before.
        let mut seen = Vec::new();
        while seen.len() < 84 {
            let (ids, _) = stage.page(ANN, 100, None).await;
            let known = ids.iter().position(|id| seen.contains(id)).unwrap_or(ids.len());
            seen.extend(ids[..known].iter().rev());
        }
        seen
    };
    let (_, seen) = tokio::time::timeout(PATIENCE, async { tokio::join!(publish, read) })
        .await
        .expect("a post came below one that was seen before it");
    let mut expected = stage.naive(ANN).await;
    expected.reverse();
    assert_eq!(seen, expected, "in the order of commits");
}

async fn authors_with_many_followers_are_merged_and_come_once(stage: Stage) {
    let people = stage.people(1..9).await;
    stage.pages(BOB, 20).await;
    for (n, reader) in people[1..].iter().enumerate() {
        stage.publish(n as i64 + 1, ANN, MERGED_FROM).await;
        stage.fan_out(n as i64 + 1).await;
        stage.follow(*reader, ANN).await;
    }
    let shown: Vec<i64> = (1..=7).rev().collect();
    for reader in &people[1..] {
        assert_eq!(stage.pages(*reader, 2).await, shown, "pushed and merged");
    }
    assert_eq!(stage.kept(BOB).await, Some(vec![4, 3, 2, 1]), "what is merged is not delivered");
    // Fewer followers again: posts go back to being delivered, and those that were merged stay so.
    for reader in &people[3..] {
        stage.unfollow(*reader, ANN).await;
    }
    stage.publish(8, ANN, MERGED_FROM).await;
    stage.fan_out(8).await;
    assert_eq!(stage.pages(BOB, 3).await, (1..=8).rev().collect::<Vec<i64>>());
    assert_eq!(stage.kept(BOB).await, Some(vec![8, 4, 3, 2, 1]));
}
