//! Random lives of a few people: after every act a timeline shows what a naive reading of the rows does.

use domain::ids::{PostId, UserId};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use engine::ports::Timelines;

use crate::stage::{MERGED_FROM, NOW, Stage, on_both};

on_both! {
    timelines_show_what_a_naive_reading_shows,
    a_reader_who_pages_to_the_end_sees_every_post_once,
}

const PEOPLE: i64 = 6;
const ACTS: usize = 700;

#[derive(Clone, Copy, Debug)]
enum Act {
    Post,
    Follow,
    Unfollow,
    Block,
    Unblock,
    Delete,
    Remove,
    Restore,
    /// One part of what the relay has to do, in any order.
    FanOut,
    /// The relay had done it, and its message comes again.
    FanOutAgain,
    /// A step was taken and the process died before it revised what is kept.
    FollowAndDie,
    UnfollowAndDie,
    /// All that is kept is lost.
    Crash,
    /// A rebuild begins and nobody ends it.
    RebuildAndDie,
    Forget,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        10 => Just(Act::Post),
        8 => Just(Act::Follow),
        3 => Just(Act::Unfollow),
        1 => Just(Act::Block),
        2 => Just(Act::Unblock),
        2 => Just(Act::Delete),
        2 => Just(Act::Remove),
        2 => Just(Act::Restore),
        9 => Just(Act::FanOut),
        2 => Just(Act::FanOutAgain),
        1 => Just(Act::FollowAndDie),
        1 => Just(Act::UnfollowAndDie),
        1 => Just(Act::Crash),
        1 => Just(Act::RebuildAndDie),
        1 => Just(Act::Forget),
    ]
}

/// The same every time.
fn acts(seed: u8, count: usize) -> Vec<(Act, i64, i64, usize)> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let one = (act(), 1..=PEOPLE, 1..=PEOPLE, any::<usize>());
    prop::collection::vec(one, count).new_tree(&mut runner).unwrap().current()
}

/// Who wrote which post.
type Written = Vec<(i64, UserId)>;

async fn live(stage: &mut Stage, written: &mut Written, (act, a, b, n): (Act, i64, i64, usize)) {
    let (user, other) = (UserId(a), UserId(b));
    let some = (!written.is_empty()).then(|| written[n % written.len()]);
    match (act, some) {
        (Act::Post, _) => {
            let id = 1_000 + written.len() as i64;
            stage.publish(id, user, MERGED_FROM).await;
            written.push((id, user));
        }
        (Act::Follow, _) => stage.follow(user, other).await,
        (Act::Unfollow, _) if a != b => stage.unfollow(user, other).await,
        (Act::Block, _) if a != b => stage.block(user, other).await,
        (Act::Unblock, _) if a != b => drop(stage.db.unblock(user, other).await.unwrap()),
        (Act::Delete, Some((id, author))) => stage.db.post_delete(PostId(id), author, NOW).await.unwrap(),
        (Act::Remove, Some((id, _))) => stage.set_state(id, "removed").await,
        (Act::Restore, Some((id, _))) => stage.set_state(id, "visible").await,
        (Act::FanOut, _) => {
            let waiting: Vec<i64> = stage.on_the_way().await.into_iter().collect();
            if !waiting.is_empty() {
                stage.fan_out(waiting[n % waiting.len()]).await;
            }
        }
        (Act::FanOutAgain, Some((id, _))) => drop(stage.fan_out(id).await),
        (Act::FollowAndDie, _) => {
            let home = std::mem::replace(&mut stage.home, windfall_embedded::MemoryTimelines::new(1));
            stage.follow(user, other).await;
            stage.home = home;
        }
        (Act::UnfollowAndDie, _) if a != b => drop(stage.db.unfollow(user, other, NOW).await.unwrap()),
        (Act::Crash, _) => stage.home = windfall_embedded::MemoryTimelines::new(10_000),
        (Act::RebuildAndDie, _) => drop(stage.home.rebuild_begin(user, NOW).await.unwrap()),
        (Act::Forget, _) => stage.home.forget(user).await.unwrap(),
        _ => {}
    }
}

async fn timelines_show_what_a_naive_reading_shows(mut stage: Stage) {
    stage.people(1..PEOPLE + 1).await;
    let mut written = Written::new();
    for (at, step) in acts(1, ACTS).into_iter().enumerate() {
        live(&mut stage, &mut written, step).await;
        // Two readers after every act; all of them now and then.
        let readers = if at % 25 == 0 { 1..PEOPLE + 1 } else { step.1..step.1 + 1 };
        for reader in readers.map(UserId).chain([UserId(step.2)]) {
            let limit = 1 + u32::try_from(step.3 % 30).unwrap();
            assert_eq!(
                stage.pages(reader, limit).await,
                stage.naive(reader).await,
                "{at}: {step:?}, {reader:?}"
            );
        }
    }
    assert!(written.len() > 100 && stage.on_the_way().await.len() < written.len() / 2);
}

/// Others post, follow and delete while somebody pages: what was there before the first page and is there after the last is
/// seen once, and nothing is seen twice.
async fn a_reader_who_pages_to_the_end_sees_every_post_once(mut stage: Stage) {
    stage.people(1..PEOPLE + 1).await;
    let (reader, mut written) = (UserId(1), Written::new());
    for other in 2..PEOPLE + 1 {
        stage.follow(reader, UserId(other)).await;
    }
    for n in 0..700_usize {
        let author = 1 + i64::try_from(n).unwrap() % PEOPLE;
        live(&mut stage, &mut written, (Act::Post, author, author, n)).await;
        if n % 3 != 0 {
            live(&mut stage, &mut written, (Act::FanOut, 1, 1, n)).await;
        }
    }
    for seed in 2..6 {
        let before: Vec<i64> = stage.naive(reader).await;
        let (mut seen, mut after) = (Vec::new(), None);
        let mut lives = acts(seed, 400).into_iter();
        loop {
            let (ids, next) = stage.page(reader, 20, after).await;
            seen.extend(ids);
            let Some(next) = next else { break };
            after = Some(next);
            for step in lives.by_ref().take(6) {
                // The reader's own follows stay: whom they leave or follow in between is not a matter of paging.
                let (act, a, b, _) = step;
                let moves = !matches!(
                    act,
                    Act::Post | Act::Delete | Act::Remove | Act::FanOut | Act::FanOutAgain | Act::Crash
                );
                if !(moves && (a == 1 || b == 1)) {
                    live(&mut stage, &mut written, step).await;
                }
            }
        }
        let now = stage.naive(reader).await;
        let mut once = seen.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), seen.len(), "a post came twice");
        let lost: Vec<&i64> = before.iter().filter(|id| now.contains(id) && !seen.contains(id)).collect();
        assert!(lost.is_empty(), "{lost:?} were there all the time and never shown");
        assert!(seen.len() > 300, "{}", seen.len());
    }
}
