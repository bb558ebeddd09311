//! That the peers do the work they are measured for: each id once, and never more than there is.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use domain::ledger::Text;

use crate::function::{FunctionAnswer, KEYS, RedisFunction};
use crate::{ClassicScript, connect, ids};

const STOCK: u64 = 1_000;
const ASKED: usize = 2_500;
const AT_ONCE: usize = 256;
/// Places in `domain::ledger::Refusal`, as the function writes them.
const SOLD_OUT: FunctionAnswer = FunctionAnswer::Refused { code: 5 };
const LIMIT_REACHED: FunctionAnswer = FunctionAnswer::Refused { code: 6 };

#[tokio::test]
async fn the_classic_script_takes_what_there_is_and_each_id_once() {
    let Some(server) = testkit::Redis::start(&[]).await else { return };
    let redis = connect(&server.url()).await.unwrap();
    let classic = ClassicScript::load(redis, STOCK).await.unwrap();
    let mut taken = 0;
    for start in (0..ASKED).step_by(AT_ONCE) {
        let answers = classic.reserve(&ids(start, AT_ONCE.min(ASKED - start))).await.unwrap();
        taken += answers.iter().filter(|answer| **answer == ClassicScript::TAKEN).count() as u64;
    }
    assert_eq!((taken, server.command("GET stock").as_str()), (STOCK, "0"));
    assert_ne!(classic.reserve(&ids(0, 1)).await.unwrap(), [ClassicScript::TAKEN], "an id that has a unit");
}

/// A crowd of connections, more than there is for, and each id asked for again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_function_holds_what_there_is_and_each_id_once() {
    let Some(server) = testkit::Redis::start(&[]).await else { return };
    let redis = connect(&server.url()).await.unwrap();
    let function = std::sync::Arc::new(RedisFunction::create(redis, STOCK, 5).await.unwrap());
    let crowd: Vec<_> = (0..ASKED)
        .step_by(AT_ONCE)
        .map(|start| {
            let function = std::sync::Arc::clone(&function);
            let asked = ids(start, AT_ONCE.min(ASKED - start));
            tokio::spawn(async move {
                let first = function.reserve(&asked, true).await.unwrap();
                (first, function.reserve(&asked, true).await.unwrap())
            })
        })
        .collect();
    let mut held = 0;
    for caller in crowd {
        let (first, again) = caller.await.unwrap();
        for (first, again) in first.into_iter().zip(again) {
            match first {
                FunctionAnswer::Held => {
                    held += 1;
                    assert_eq!(again, FunctionAnswer::HeldBefore);
                }
                other => assert_eq!((other, again), (SOLD_OUT, SOLD_OUT)),
            }
        }
    }
    assert_eq!(held, STOCK);
    let [_, pools, records, counts, due, _] = KEYS;
    for (what, kept) in [
        (format!("HLEN {pools}"), 1),
        (format!("HLEN {records}"), STOCK + 1), // the holds, and the command that opened the pool
        (format!("HLEN {counts}"), STOCK),      // an owner each
        (format!("ZCARD {due}"), STOCK),        // an end each
    ] {
        assert_eq!(server.command(&what), kept.to_string(), "{what}");
    }
}

#[tokio::test]
async fn the_function_counts_owners() {
    let Some(server) = testkit::Redis::start(&[]).await else { return };
    let redis = connect(&server.url()).await.unwrap();
    let function = RedisFunction::create(redis, STOCK, 5).await.unwrap();
    let answers = function.reserve_for(&Text::new("somebody").unwrap(), &ids(0, 7)).await.unwrap();
    let (held, refused) = answers.split_at(5);
    assert!(held.iter().all(|answer| *answer == FunctionAnswer::Held), "{answers:?}");
    assert_eq!(refused, [LIMIT_REACHED; 2]);
}
