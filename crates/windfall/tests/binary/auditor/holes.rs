//! Holes 14 and 15: what a reconciler must not do, and what it must not overlook.

use std::time::Instant;

use domain::ledger::{Command, HoldState, PoolId};
use engine::ports::{Stock, StockAnswer};

use super::fixtures::{
    HOUR_MS, Kept, cancel, confirm, confirm_part, hold, names, on_both, open, pass, reserve, shut,
};
use crate::process::LIMIT;

on_both!(hole_14_a_hold_in_flight_is_never_released_by_the_audit, hole_15_every_end_returns_or_takes);

/// An order whose hold the database does not show (yet, or any more) is not missing: the ledger has it. However often
/// and by however many the audit runs, with corrections, the hold stays, and the order goes through.
async fn hole_14_a_hold_in_flight_is_never_released_by_the_audit(kept: Kept) {
    kept.all(vec![open(1, 1, 10)]).await;
    for (n, sql) in [
        "DELETE FROM holds WHERE id = 'order 0'",
        "UPDATE holds SET state = 'cancelled', ended_seq = 1, ended = 1 WHERE id = 'order 1'",
        "UPDATE holds SET due = 1 WHERE id = 'order 2'",
        "UPDATE pool_rounds SET available = available + 1, held = held - 1 WHERE pool_id = 1",
        "SELECT 1",
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("order {n}");
        kept.all(vec![reserve(&id, Some("ann"), &[(1, 1)], HOUR_MS)]).await;
        assert_eq!(kept.names().await, [""; 0]);
        if sql != "SELECT 1" {
            kept.plant(sql).await;
        }
        let (one, other, third) =
            tokio::join!(pass(&kept.auditor, true), pass(&kept.auditor, true), pass(&kept.auditor, true));
        assert_eq!((names(&one), names(&other), names(&third)), (vec![], vec![], vec![]));
        let state = kept.stock.hold(hold(&id)).await.unwrap().unwrap().state;
        assert_eq!(state, HoldState::Held, "the audit ended {id}");
        assert_eq!(kept.stock.pool(PoolId(1)).await.unwrap().unwrap().held, 1, "credited by the audit");
        kept.all(vec![confirm(&id)]).await;
        let pool = kept.stock.pool(PoolId(1)).await.unwrap().unwrap();
        let taken = u64::try_from(n).unwrap() + 1;
        assert_eq!((pool.available, pool.held, pool.taken), (10 - taken, 0, taken), "{id}");
        assert_eq!(kept.names().await, [""; 0]);
    }
    kept.close().await;
}

/// However a hold ends, its units are returned or taken and nothing stays held; and where the database has lost the end,
/// the audit finds it and puts that very end back, whichever it was.
async fn hole_15_every_end_returns_or_takes(kept: Kept) {
    let long = |id: &str| reserve(id, Some("ann"), &[(1, 3), (2, 1)], HOUR_MS);
    let brief = |id: &str| reserve(id, Some("ann"), &[(1, 3), (2, 1)], 1);
    kept.all(vec![open(1, 1, 1_000), open(2, 1, 1_000)]).await;
    let mut taken = 0;
    let rows: Vec<(&str, Vec<Command>, HoldState, u64)> = vec![
        ("paid", vec![long("paid"), confirm("paid")], HoldState::Confirmed, 3),
        ("partly", vec![long("partly"), confirm_part("partly", 1, 2)], HoldState::Confirmed, 2),
        ("closed", vec![long("closed"), cancel("closed")], HoldState::Cancelled, 0),
        ("late", vec![brief("late")], HoldState::Expired, 0),
        ("never", vec![cancel("never")], HoldState::Cancelled, 0),
        (
            "moved on",
            vec![long("moved on"), shut(2), open(2, 2, 50), cancel("moved on")],
            HoldState::Cancelled,
            0,
        ),
    ];
    for (id, commands, state, takes) in rows {
        kept.all(commands).await;
        ended(&kept, id, state).await;
        taken += takes;
        let pool = kept.stock.pool(PoolId(1)).await.unwrap().unwrap();
        assert_eq!((pool.available, pool.held, pool.taken), (1_000 - taken, 0, taken), "{id}");
        assert_eq!(kept.names().await, [""; 0], "{id}");
    }
    let before = (kept.db.pool_find(PoolId(1)).await.unwrap(), kept.db.pool_find(PoolId(2)).await.unwrap());
    let mut lives = Vec::new();
    for id in ["paid", "partly", "closed", "late", "moved on"] {
        lives.push((id, kept.db.hold_find(hold(id)).await.unwrap().hold));
    }
    kept.plant(
        "UPDATE holds SET state = 'held', ended_seq = NULL, ended = NULL WHERE state <> 'spent';
         UPDATE hold_lines SET taken = 0",
    )
    .await;
    let found = kept.pass(true).await;
    assert_eq!((found.len(), names(&found)), (lives.len(), vec![]), "{found:?}");
    assert_eq!(kept.names().await, [""; 0]);
    for (id, life) in lives {
        assert_eq!(kept.db.hold_find(hold(id)).await.unwrap().hold, life, "{id}");
    }
    let after = (kept.db.pool_find(PoolId(1)).await.unwrap(), kept.db.pool_find(PoolId(2)).await.unwrap());
    assert_eq!(after, before, "no unit was credited a second time");
    kept.close().await;
}

/// Waits until a hold has ended so; expiry comes by itself.
async fn ended(kept: &Kept, id: &str, state: HoldState) {
    let started = Instant::now();
    while kept.stock.hold(hold(id)).await.unwrap().is_none_or(|view| view.state != state) {
        assert!(started.elapsed() < LIMIT, "{id} does not end as {state:?}");
        tokio::task::yield_now().await;
    }
    let again = kept.ask(cancel(id)).await;
    let ended = matches!(again, StockAnswer::Replayed(_) | StockAnswer::Refused(_));
    assert!(ended, "{id} ended twice: {again:?}");
}
