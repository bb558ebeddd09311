//! Holes of the projection, by number; each is a line in `docs/holes.md`.

use domain::ledger::PoolView;
use domain::page::PageRequest;
use store::failure::{Failure, Result};
use store::model::*;
use store::{Db, params};

use crate::fixtures::*;
use crate::ledger_fixtures::*;

on_both! {
    hole_16_every_change_of_a_hold_is_a_row_of_its_own,
    hole_21_an_event_counts_once_however_often_it_comes,
    hole_22_nothing_sets_a_counter,
}

async fn run(db: &Db, sql: &'static str) -> Result<u64> {
    db.write(sql, |tx, sql| Box::pin(async move { tx.execute(sql, params![]).await })).await
}

fn counters(view: &PoolView) -> [u64; 4] {
    [view.total, view.available, view.held, view.taken]
}

async fn pool_of(db: &Db) -> [u64; 4] {
    counters(&db.pool_find(pool(0)).await.unwrap().unwrap().view)
}

/// Lock, extension, out and in of one order on one item: four changes, all of them kept, none in place of another.
async fn hole_16_every_change_of_a_hold_is_a_row_of_its_own(db: &Db) {
    let life = Life::of(vec![
        open("o", pool(0), 1, 10),
        reserve(1, Some(1), vec![line(pool(0), 3)]),
        extend(1, T0 + 700),
        extend(1, T0 + 900),
        confirm(1, Some(vec![line(pool(0), 1)])),
    ]);
    // Each event in a batch of its own: later ones find the rows of earlier ones, and add to them.
    for event in &life.events {
        db.ledger_project(vec![event.clone()]).await.unwrap();
    }
    let steps: Vec<LifeChange> =
        db.hold_life(hold(1)).await.unwrap().into_iter().map(|step| step.what).collect();
    assert_eq!(
        steps,
        [
            LifeChange::Reserved { due: T0 + 500 },
            LifeChange::Extended { due: T0 + 700 },
            LifeChange::Extended { due: T0 + 900 },
            LifeChange::Confirmed,
        ]
    );
    let moved = db.movements(Some(pool(0)), PageRequest::default()).await.unwrap().items;
    let moved: Vec<(&str, Delta)> = moved.iter().map(|row| (row.kind.name(), row.delta)).collect();
    let delta = |total, available, held, taken| Delta { total, available, held, taken };
    assert_eq!(
        moved,
        [
            ("confirmed", delta(0, 2, -3, 1)),
            ("reserved", delta(0, -3, 3, 0)),
            ("opened", delta(10, 10, 0, 0)),
        ]
    );
}

/// A crash between any two events, a batch that comes twice, one that begins in the past: each event counts once. And
/// where no row is there to change, it is a fault and not a prize that nobody has.
async fn hole_21_an_event_counts_once_however_often_it_comes(db: &Db) {
    let life = Life::of(vec![
        open("o", pool(0), 1, 10),
        reserve(1, None, vec![line(pool(0), 2)]),
        reserve(2, None, vec![line(pool(0), 3)]),
        confirm(1, None),
        cancel(2),
        reserve(3, None, vec![line(pool(0), 1)]),
    ]);
    for end in 1..life.events.len() {
        for start in 0..end {
            db.ledger_project(life.events[start..end].to_vec()).await.unwrap();
        }
    }
    assert_eq!(pool_of(db).await, [10, 8, 0, 2], "before the last event");
    run(db, "DELETE FROM pool_rounds").await.unwrap();
    let fault = db.ledger_project(life.events.clone()).await;
    assert!(matches!(fault, Err(Failure::Fault(_))), "{fault:?}");
    let position = db.ledger_position().await.unwrap().seq;
    assert_eq!(position, life.events.len() as u64 - 1, "the position did not move either");
}

/// A restock and sales, in any order and in any batches, are all in the counters; a change that does not add up is
/// refused by the database itself.
async fn hole_22_nothing_sets_a_counter(db: &Db) {
    let life = Life::of(vec![
        open("o", pool(0), 1, 5),
        reserve(1, None, vec![line(pool(0), 2)]),
        adjust("restock", pool(0), 20),
        reserve(2, None, vec![line(pool(0), 4)]),
        confirm(1, None),
        adjust("withdrawn", pool(0), -3),
    ]);
    let (first, second) = life.events.split_at(3);
    db.ledger_project(first.to_vec()).await.unwrap();
    // Somebody's own restock of the rows, behind the ledger's back: what follows adds to it and does not erase it.
    run(db, "UPDATE pool_rounds SET total = total + 100, available = available + 100").await.unwrap();
    db.ledger_project(second.to_vec()).await.unwrap();
    assert_eq!(pool_of(db).await, [122, 116, 4, 2]);
    assert_eq!(counters(&life.ledger.pool(pool(0)).unwrap()), [22, 16, 4, 2]);
    for sql in [
        "UPDATE pool_rounds SET available = 22",
        "UPDATE pool_rounds SET held = 0",
        "UPDATE pool_rounds SET total = -1, available = -7",
    ] {
        let refused = run(db, sql).await;
        assert!(refused.is_err(), "{sql}");
    }
}
