//! Audits while the ledger works: what is right is never called wrong, and what is planted is found and corrected.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use domain::ledger::{Command, Directive, Key, PoolId};
use embedded::SystemClock;
use engine::ports::{Auditor, Clock, Place, Sliced, Stock};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use testkit::model::{Rows, Shape, rows};
use testkit::wait;

use super::fixtures::{HOUR_MS, Kept, names, on_both, open, pass, reserve};
use crate::process::LIMIT;

on_both!(
    a_clean_ledger_stays_clean_over_thousands_of_commands,
    planted_under_load_is_found_and_corrected,
    closing_does_not_wait_for_an_audit
);

const SEQUENCES: u128 = 120;
/// Passes of the audit while they run, at least.
const PASSES_BESIDE: u128 = 4;
const SHAPE: Shape = Shape { rows_max: 60, expire: false, play: false, put_back: false };

/// The same row about other ids: each sequence has its own holds and commands, and shares the pools.
fn renamed(command: Command, n: u128) -> Command {
    let other = |key: Key| Key(key.0.wrapping_add(n << 16));
    match command {
        Command::Direct(Directive { key, note, act }) => Command::direct(other(key), note, act),
        Command::Reserve { key, id, caller, owner, lines, ttl_ms, gates } => {
            Command::Reserve { key: other(key), id, caller, owner, lines, ttl_ms, gates }
        }
        Command::Confirm { hold, take } => Command::Confirm { hold: other(hold), take },
        Command::Cancel { hold, id, caller } => Command::Cancel { hold: other(hold), id, caller },
        Command::Extend { hold, until } => Command::Extend { hold: other(hold), until },
        Command::ExpireOne => Command::ExpireOne,
        Command::Draw(_) | Command::Enter { .. } => command,
    }
}

/// Random commands of the reference model, and audits beside them until the last one is told.
async fn a_clean_ledger_stays_clean_over_thousands_of_commands(kept: Kept) {
    let mut runner = TestRunner::deterministic();
    let sequences: Vec<Rows> =
        (0..SEQUENCES).map(|_| rows(SHAPE).new_tree(&mut runner).unwrap().current()).collect();
    let (over, passes) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let audits = tokio::spawn({
        let (auditor, over, passes) = (Arc::clone(&kept.auditor), Arc::clone(&over), Arc::clone(&passes));
        async move {
            while !over.load(Ordering::Relaxed) {
                assert_eq!(names(&pass(&auditor, false).await), [""; 0], "pass {passes:?}");
                passes.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    let mut told = 0;
    for (n, rows) in (0..).zip(sequences) {
        let now = SystemClock::default().now();
        let commands: Vec<Command> =
            rows.0.iter().filter_map(|row| row.command(now)).map(|command| renamed(command, n)).collect();
        for some in commands.chunks(8) {
            told += kept.stock.ask(0, some.to_vec()).await.unwrap().len();
        }
        // However slow the audit is, some of it lies between the commands.
        let beside = usize::try_from(n * PASSES_BESIDE / SEQUENCES).unwrap();
        let audited = || (passes.load(Ordering::Relaxed) >= beside || audits.is_finished()).then_some(());
        wait::until(LIMIT, "the audit to go on", audited).await.unwrap();
    }
    over.store(true, Ordering::Relaxed);
    audits.await.unwrap();
    assert!(told > 2_000, "{told} commands");
    assert_eq!(kept.names().await, [""; 0]);
    kept.close().await;
}

/// A hot pool, and a difference in it every now and then.
async fn planted_under_load_is_found_and_corrected(kept: Kept) {
    kept.all(vec![open(1, 1, 1_000_000), reserve("still", Some("ann"), &[(1, 1)], HOUR_MS)]).await;
    let over = Arc::new(AtomicBool::new(false));
    let crowd = tokio::spawn({
        let (stock, over) = (Arc::clone(&kept.stock), Arc::clone(&over));
        async move {
            let mut n = 0;
            while !over.load(Ordering::Relaxed) {
                let some =
                    (0..50).map(|k| reserve(&format!("{n}/{k}"), Some("bob"), &[(1, 1)], 20)).collect();
                stock.ask(1, some).await.unwrap();
                n += 1;
            }
        }
    });
    for (sql, expected) in [
        ("UPDATE pool_rounds SET available = available - 1, held = held + 1 WHERE pool_id = 1", "available"),
        ("UPDATE holds SET due = due + 5 WHERE id = 'still'", "hold_due"),
        ("DELETE FROM holds WHERE id = 'still'", "hold_missing"),
        ("UPDATE pool_owners SET units = units + 7 WHERE pool_id = 1 AND units < 2", "owner_units"),
    ] {
        assert_eq!(kept.names().await, [""; 0], "before {sql}");
        kept.plant(sql).await;
        let found = kept.pass(true).await;
        assert!(found.iter().any(|(found, _)| found.what.name() == expected), "{sql}: {found:?}");
        assert_eq!(names(&found), [""; 0], "corrected: {sql}");
        assert_eq!(kept.names().await, [""; 0], "after {sql}");
    }
    over.store(true, Ordering::Relaxed);
    crowd.await.unwrap();
    assert_eq!(kept.names().await, [""; 0]);
    kept.stock.close().await;
    kept.restored().await;
    kept.close().await;
}

/// Audits without a pause, and the ledger closes in the middle of them: everything is projected, nothing hangs.
async fn closing_does_not_wait_for_an_audit(kept: Kept) {
    kept.all(vec![open(1, 1, 1_000_000)]).await;
    let audits = tokio::spawn({
        let auditor = Arc::clone(&kept.auditor);
        async move {
            // Closed, the ledger does not answer any more, and the slice is given up.
            while let Sliced::Done(slice) = auditor.slice(Place::STARTS[0], None).await.unwrap() {
                assert!(slice.differences.is_empty(), "{slice:?}");
            }
        }
    });
    for n in 0..40 {
        let some = (0..50).map(|k| reserve(&format!("{n}/{k}"), None, &[(1, 1)], HOUR_MS)).collect();
        kept.stock.ask(1, some).await.unwrap();
    }
    kept.stock.close().await;
    audits.await.unwrap();
    assert_eq!((kept.stock.lag(), kept.restored().await.pool(PoolId(1)).unwrap().held), (0, 2_000));
    kept.close().await;
}
