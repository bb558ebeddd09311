//! The same contract as the embedded ledger, the same random sequences, and a journal that tells the same.

use std::sync::Arc;

use domain::ledger::{Change, Ledger, Limits, PoolId};
use engine::ports::{Stock, StockAnswer};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use testkit::contract::compare::STRETCHED;
use testkit::contract::stories::STORIES;
use testkit::contract::{LIMITS, check, compare};
use testkit::model::step::{POOLS, pool_id};
use testkit::model::{Shape, rows};

use crate::subject::{LARGE_POOL, OnRedis, POOL, confirm, hold, open, reserve};

#[tokio::test]
async fn the_function_keeps_the_whole_contract() {
    let Some(mut redis) = OnRedis::new(LIMITS).await else { return };
    let report = check(&mut redis).await;
    assert_eq!(report.ran + report.left_out.len(), STORIES.len());
    assert_eq!(report.left_out, []);
    redis.replayed().await;
}

/// After each sequence, a ledger that only folds the journal has the pools that Redis has.
#[test]
fn the_function_compares_equal_and_its_journal_folds_to_the_same() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    if runtime.block_on(testkit::Redis::shared()).is_none() {
        return;
    }
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(100);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 300, ..Config::default() };
    let outcome = TestRunner::new(config).run(
        &rows(Shape { rows_max: 80, expire: false, play: false, put_back: false }),
        |rows| {
            let compared = runtime.block_on(async {
                let mut redis = OnRedis::new(STRETCHED).await.ok_or("no Redis")?;
                compare(&mut redis, &rows).await?;
                same_pools(&mut redis).await
            });
            compared.map_err(TestCaseError::fail)
        },
    );
    outcome.unwrap();
}

async fn same_pools(redis: &mut OnRedis) -> Result<(), String> {
    let folded: Ledger = redis.replayed().await;
    for pool in (0..POOLS.len()).map(pool_id) {
        let (journal, now) = (folded.pool(pool), redis.stock.pool(pool).await.unwrap());
        if journal != now {
            return Err(format!("the journal says {journal:?}, Redis has {now:?}"));
        }
    }
    Ok(())
}

/// Ids, callers, fingerprints and texts come out of the journal as they went in, whatever a double makes of them.
#[tokio::test]
async fn the_journal_loses_nothing() {
    let Some(mut redis) = OnRedis::new(Limits::default()).await else { return };
    assert_eq!(redis.ask(open(LARGE_POOL, 1 << 50)).await, "open");
    assert_eq!(redis.ask(reserve("订单-1", LARGE_POOL, 999_999_999)).await, "held");
    assert_eq!(redis.ask(confirm("订单-1")).await, "confirmed");
    let shard = redis.settings.shard.clone();
    let events = windfall_cluster::journal::read_after(&mut redis.connection, &shard, 0, 100).await.unwrap();
    let numbers: Vec<u64> = events.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, [1, 2, 3, 4], "a term, a pool, a hold and its end");
    let mut reference = Ledger::new(Limits::default());
    let first = &events[0];
    reference.begin_term(first.at);
    for (event, command) in events[1..].iter().zip([
        open(LARGE_POOL, 1 << 50),
        reserve("订单-1", LARGE_POOL, 999_999_999),
        confirm("订单-1"),
    ]) {
        let domain::ledger::Answer::Accepted { event: expected, .. } = reference.apply(event.at, &command)
        else {
            panic!("the reference refuses {command:?}")
        };
        assert_eq!(*event, expected);
    }
    assert!(matches!(first.change, Change::TermBegan));
    assert_eq!(
        redis.stock.pool(PoolId(i64::MAX)).await.unwrap(),
        None,
        "a neighbour that a double cannot tell apart"
    );
    assert_eq!(redis.replayed().await.hold(hold("订单-1")), reference.hold(hold("订单-1")));
}

/// Many callers at once, each with commands of its own: exactly what there is goes, and what arrived together went in one
/// call.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_gets_exactly_what_there_is() {
    const CALLERS: i64 = 200;
    const EACH: i64 = 10;
    let Some(redis) = OnRedis::new(Limits::default()).await else { return };
    let mut redis = redis;
    redis.ask(open(POOL, 1_000)).await;
    let stock = Arc::new(redis.stock);
    let crowd: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let stock = Arc::clone(&stock);
            tokio::spawn(async move {
                let commands = (0..EACH).map(|n| reserve(&format!("{caller}/{n}"), POOL, 1)).collect();
                let answers = stock.ask(caller, commands).await.unwrap();
                answers.iter().filter(|answer| matches!(answer, StockAnswer::Accepted(_))).count()
            })
        })
        .collect();
    let mut held = 0;
    for caller in crowd {
        held += caller.await.unwrap();
    }
    assert_eq!(held, 1_000);
    let view = stock.pool(POOL).await.unwrap().unwrap();
    assert_eq!((view.available, view.held), (0, 1_000));
    let journal = &redis.settings.shard.keys()[5];
    let entries: i64 = redis::cmd("XLEN").arg(journal).query_async(&mut redis.connection).await.unwrap();
    assert!(entries < CALLERS / 2, "{entries} calls for {CALLERS} requests");
}

/// More than fits into one call, and more than fits on Lua's stack.
#[tokio::test]
async fn a_long_request_is_cut_into_calls() {
    let Some(redis) = OnRedis::new(Limits { lines_max: 100, ..Limits::default() }).await else { return };
    let pools = (1..=100).map(PoolId);
    let opened = redis.stock.ask(0, pools.clone().map(|pool| open(pool, 5_000)).collect()).await.unwrap();
    assert!(opened.iter().all(|answer| matches!(answer, StockAnswer::Accepted(_))));
    let wide = |n: i64| {
        let mut command = reserve(&n.to_string(), POOL, 1);
        if let domain::ledger::Command::Reserve { lines, .. } = &mut command {
            *lines = pools.clone().map(|pool| domain::ledger::Line { pool, ..lines[0] }).collect();
        }
        command
    };
    let answers = redis.stock.ask(0, (0..1_500).map(wide).collect()).await.unwrap();
    assert_eq!(answers.len(), 1_500);
    assert!(answers.iter().all(|answer| matches!(answer, StockAnswer::Accepted(_))));
    let view = redis.stock.pool(PoolId(100)).await.unwrap().unwrap();
    assert_eq!((view.available, view.held), (3_500, 1_500));
    assert_eq!(redis.ask(wide(7)).await, "held again");
}
