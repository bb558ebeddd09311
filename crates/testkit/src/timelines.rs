//! The contract of the port [`Timelines`], written once and run against every home behind it.

use std::collections::{BTreeMap, BTreeSet};

use domain::community::timeline::alive::ALIVE_MS;
use domain::community::timeline::kept::KEPT_MAX;
use domain::community::{FeedKey, FollowsVersion, TimelineSnapshot};
use domain::ids::UserId;
use domain::time::Timestamp;
use engine::ports::{AlivePlace, TimelineChange, TimelinePart, TimelineRead, Timelines};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

const NOW: Timestamp = Timestamp(1_000_000);
const ANN: UserId = UserId(1);
const BOB: UserId = UserId(2);
const FIRST: FollowsVersion = FollowsVersion(0);
const SECOND: FollowsVersion = FollowsVersion(1);

/// Runs the whole contract, each part on a home of its own.
///
/// # Panics
/// Where the home breaks it.
pub async fn check<H: Timelines>(home: impl AsyncFn() -> H) {
    hole_53_a_delivery_makes_no_timeline(&home().await).await;
    a_delivery_comes_once_and_in_order(&home().await).await;
    hole_54_a_swap_keeps_what_came_meanwhile(&home().await).await;
    a_later_mark_voids_an_earlier_one(&home().await).await;
    a_timeline_is_of_one_version(&home().await).await;
    what_is_not_read_is_not_alive(&home().await).await;
    beyond_the_bound_the_floor_rises(&home().await).await;
    everybody_who_is_alive_is_listed(&home().await).await;
    for seed in 0..20 {
        a_naive_home_answers_the_same(&home().await, seed).await;
    }
}

fn key(n: i64) -> FeedKey {
    // Neighbours share a time, and ids sort otherwise as numbers than as texts.
    FeedKey { time: Timestamp(1_763_000_000_000 + n / 4), id: (1 << 53) + n }
}

fn number(key: FeedKey) -> i64 {
    key.id - (1 << 53)
}

fn snapshot(keys: impl DoubleEndedIterator<Item = i64>, is_whole: bool) -> TimelineSnapshot {
    TimelineSnapshot { keys: keys.rev().map(key).collect(), is_whole }
}

async fn part(
    home: &impl Timelines,
    user: UserId,
    version: FollowsVersion,
    now: Timestamp,
) -> Option<TimelinePart> {
    let read = TimelineRead { user, version, before: FeedKey::NEWEST, limit: 10_000, now };
    home.read(read).await.expect("a home that answers")
}

/// The numbers of all keys, newest first.
async fn all(home: &impl Timelines, user: UserId, version: FollowsVersion) -> Option<Vec<i64>> {
    Some(part(home, user, version, NOW).await?.keys.into_iter().map(number).collect())
}

async fn deliver(home: &impl Timelines, n: i64, to: &[UserId], now: Timestamp) -> u64 {
    home.deliver(key(n), to, now).await.expect("a home that delivers")
}

async fn fill(home: &impl Timelines, user: UserId, snapshot: TimelineSnapshot) {
    let mark = home.rebuild_begin(user, NOW).await.expect("a mark");
    assert!(home.rebuild_end(user, mark, FIRST, snapshot).await.expect("a swap"), "the mark was there");
}

async fn hole_53_a_delivery_makes_no_timeline(home: &impl Timelines) {
    assert_eq!(deliver(home, 1, &[ANN, BOB], NOW).await, 0);
    assert_eq!(all(home, ANN, FIRST).await, None, "no timeline with one post and no end");
    fill(home, ANN, snapshot(1..2, true)).await;
    assert_eq!(deliver(home, 2, &[ANN, BOB], NOW).await, 1);
    home.forget(ANN).await.expect("forgotten");
    assert_eq!(deliver(home, 3, &[ANN, BOB], NOW).await, 0);
    assert_eq!((all(home, ANN, FIRST).await, all(home, BOB, FIRST).await), (None, None));
}

async fn a_delivery_comes_once_and_in_order(home: &impl Timelines) {
    fill(home, ANN, snapshot([2, 9].into_iter(), true)).await;
    fill(home, BOB, snapshot([].into_iter(), true)).await;
    for n in [10, 11, 5, 10, 5, 1, 100] {
        assert_eq!(deliver(home, n, &[ANN, BOB], NOW).await, 2);
    }
    assert_eq!(all(home, ANN, FIRST).await, Some(vec![100, 11, 10, 9, 5, 2, 1]));
    assert_eq!(all(home, BOB, FIRST).await, Some(vec![100, 11, 10, 5, 1]));
    let read = TimelineRead { user: ANN, version: FIRST, before: key(10), limit: 2, now: NOW };
    let expected = TimelinePart { keys: vec![key(9), key(5)], floor: None };
    assert_eq!(
        home.read(read).await.expect("a part"),
        Some(expected),
        "below a key, and no more than asked for"
    );
}

async fn hole_54_a_swap_keeps_what_came_meanwhile(home: &impl Timelines) {
    fill(home, ANN, snapshot(1..4, true)).await;
    let mark = home.rebuild_begin(ANN, NOW).await.expect("a mark");
    assert_eq!(all(home, ANN, FIRST).await, None, "nobody reads half a timeline");
    assert_eq!(deliver(home, 9, &[ANN], NOW).await, 1);
    assert_eq!(deliver(home, 8, &[ANN], NOW).await, 1);
    assert!(home.rebuild_end(ANN, mark, SECOND, snapshot(6..9, false)).await.expect("a swap"));
    let found = part(home, ANN, SECOND, NOW).await.expect("a timeline");
    assert_eq!(found.keys, [9, 8, 7, 6].map(key), "replaced, not merged");
    assert_eq!(found.floor, Some(key(6)), "what is older is the database's");
}

async fn a_later_mark_voids_an_earlier_one(home: &impl Timelines) {
    let first = home.rebuild_begin(ANN, NOW).await.expect("a mark");
    let second = home.rebuild_begin(ANN, NOW).await.expect("a mark");
    let end = async |mark| home.rebuild_end(ANN, mark, FIRST, snapshot(1..3, true)).await.expect("an answer");
    assert!(!end(first).await);
    assert!(end(second).await);
    assert!(!end(second).await, "a mark is used once");
    let third = home.rebuild_begin(ANN, NOW).await.expect("a mark");
    let add = snapshot(5..6, true);
    home.revise(TimelineChange { user: ANN, version: SECOND, add, remove: vec![] }).await.expect("revised");
    assert!(!end(third).await, "a follow meanwhile");
    let fourth = home.rebuild_begin(ANN, NOW).await.expect("a mark");
    home.forget(ANN).await.expect("forgotten");
    assert!(!end(fourth).await, "a mark that was lost");
    assert_eq!(all(home, ANN, FIRST).await, None);
}

async fn a_timeline_is_of_one_version(home: &impl Timelines) {
    fill(home, ANN, snapshot(1..4, true)).await;
    let revise = async |version, add, remove: &[i64]| {
        let remove = remove.iter().map(|n| key(*n)).collect();
        home.revise(TimelineChange { user: ANN, version, add, remove }).await.expect("revised");
    };
    assert_eq!(all(home, ANN, SECOND).await, None);
    revise(SECOND.next(), snapshot(7..8, true), &[]).await;
    assert_eq!(all(home, ANN, FIRST).await, Some(vec![3, 2, 1]), "one change is missing");
    revise(SECOND, snapshot(5..7, true), &[2, 9]).await;
    assert_eq!((all(home, ANN, FIRST).await, all(home, ANN, SECOND).await), (None, Some(vec![6, 5, 3, 1])));
    revise(SECOND, snapshot(8..9, true), &[]).await;
    assert_eq!(all(home, ANN, SECOND).await, Some(vec![6, 5, 3, 1]), "the same change again");
    revise(SECOND.next(), snapshot(2..4, false), &[]).await;
    let found = part(home, ANN, SECOND.next(), NOW).await.expect("a timeline");
    assert_eq!((found.keys, found.floor), ([6, 5, 3, 2].map(key).to_vec(), Some(key(2))));
    revise(FollowsVersion(9), snapshot(8..9, true), &[]).await;
    home.revise(TimelineChange { user: BOB, version: SECOND, add: snapshot(1..2, true), remove: vec![] })
        .await
        .expect("revised");
    assert_eq!(all(home, BOB, SECOND).await, None, "a change makes no timeline");
}

async fn what_is_not_read_is_not_alive(home: &impl Timelines) {
    let late = |ms: i64| Timestamp(NOW.0 + ms);
    fill(home, ANN, snapshot(1..2, true)).await;
    fill(home, BOB, snapshot(1..2, true)).await;
    assert!(part(home, ANN, FIRST, late(ALIVE_MS - 1)).await.is_some());
    assert_eq!(deliver(home, 5, &[ANN, BOB], late(ALIVE_MS)).await, 1);
    assert_eq!(part(home, BOB, FIRST, late(ALIVE_MS)).await, None, "it lacks what was not delivered");
    let found = part(home, ANN, FIRST, late(ALIVE_MS)).await.expect("a timeline");
    assert_eq!(found.keys, [5, 1].map(key));
}

async fn beyond_the_bound_the_floor_rises(home: &impl Timelines) {
    let most = i64::try_from(KEPT_MAX).expect("a bound");
    fill(home, ANN, snapshot(10..10 + most, true)).await;
    for n in [10 + most, 11 + most, 3] {
        deliver(home, n, &[ANN], NOW).await;
    }
    let found = part(home, ANN, FIRST, NOW).await.expect("a timeline");
    assert_eq!((found.keys.len(), found.floor), (KEPT_MAX, Some(key(12))));
    assert_eq!((found.keys[0], found.keys[KEPT_MAX - 1]), (key(11 + most), key(12)));
    fill(home, BOB, snapshot(10..10 + most, true)).await;
    deliver(home, 3, &[BOB], NOW).await;
    let found = part(home, BOB, FIRST, NOW).await.expect("a timeline");
    assert_eq!((found.keys.len(), found.floor), (KEPT_MAX, Some(key(10))), "the database's, from now on");
}

async fn everybody_who_is_alive_is_listed(home: &impl Timelines) {
    let people: BTreeSet<UserId> = (1..=300).map(UserId).collect();
    for user in &people {
        fill(home, *user, snapshot(0..1, true)).await;
    }
    let marked = UserId(301);
    home.rebuild_begin(marked, NOW).await.expect("a mark");
    let (mut found, mut place) = (BTreeSet::new(), Some(AlivePlace::default()));
    while let Some(from) = place {
        let (some, next) = home.list_alive(from, NOW).await.expect("a list");
        found.extend(some);
        place = next;
    }
    assert!(found.is_superset(&people) && found.contains(&marked), "{} of 301", found.len());
    assert_eq!(home.count().await.expect("a count"), 301);
}

/// What one timeline is, without bounds and without thinking.
#[derive(Debug, Default)]
struct Naive {
    version: FollowsVersion,
    keys: BTreeSet<i64>,
    marked: bool,
}

/// Random deliveries, rebuilds and changes of a few people, beside sets of numbers.
async fn a_naive_home_answers_the_same(home: &impl Timelines, seed: u8) {
    let mut runner = TestRunner::new_with_rng(
        ProptestConfig::default(),
        proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[seed; 32]),
    );
    let act = (0u8..8, 1i64..4, 0i64..400, 0i64..400);
    let acts = prop::collection::vec(act, 200).new_tree(&mut runner).expect("acts").current();
    let (mut naive, mut marks) = (BTreeMap::<UserId, Naive>::new(), BTreeMap::new());
    for (what, user, a, b) in acts {
        let user = UserId(user);
        let there = naive.get_mut(&user);
        match what {
            0..=2 => {
                let reached = deliver(home, a, &[user], NOW).await;
                assert_eq!(reached, u64::from(there.is_some()));
                if let Some(timeline) = there {
                    timeline.keys.insert(a);
                }
            }
            3 => {
                marks.insert(user, home.rebuild_begin(user, NOW).await.expect("a mark"));
                naive.insert(user, Naive { marked: true, ..Naive::default() });
            }
            4 => {
                let Some(mark) = marks.remove(&user) else { continue };
                let version = FollowsVersion(b % 3);
                let (low, high) = (a.min(b), a.max(b));
                let done = home.rebuild_end(user, mark, version, snapshot(low..high, true)).await;
                let marked = there.filter(|timeline| timeline.marked);
                assert_eq!(done.expect("an answer"), marked.is_some());
                if let Some(timeline) = marked {
                    timeline.keys.extend(low..high);
                    (timeline.version, timeline.marked) = (version, false);
                }
            }
            5 | 6 => {
                let version = FollowsVersion(b % 4);
                let (add, remove) = (snapshot(a..a + 3, true), vec![key(b), key(b + 1)]);
                home.revise(TimelineChange { user, version, add, remove }).await.expect("revised");
                match there {
                    Some(timeline) if timeline.marked => {
                        naive.remove(&user);
                    }
                    Some(timeline) if timeline.version.next() == version => {
                        timeline.keys.remove(&b);
                        timeline.keys.remove(&(b + 1));
                        timeline.keys.extend(a..a + 3);
                        timeline.version = version;
                    }
                    Some(_) | None => {}
                }
            }
            _ => {
                if a % 8 == 0 {
                    home.forget(user).await.expect("forgotten");
                    naive.remove(&user);
                }
            }
        }
        for version in (0..4).map(FollowsVersion) {
            let expected =
                naive.get(&user).filter(|timeline| !timeline.marked && timeline.version == version);
            let expected = expected.map(|timeline| timeline.keys.iter().rev().copied().collect::<Vec<i64>>());
            assert_eq!(all(home, user, version).await, expected, "{user:?} {version:?}, seed {seed}");
        }
    }
}
