//! Hole 68: "A read that cannot wait for the ledger answers from the database: 404 for what was acknowledged." Here the rows
//! are held back on purpose, and nobody hears that what they were told of is not there.

use std::sync::Arc;

use domain::Rejection;
use domain::ledger::{Act, Command, Key, Limits, Line, Note, Owner, PoolId, PoolName, Quantity, Text};
use domain::time::{HOUR_MS, Timestamp};
use embedded::SystemClock;
use embedded::journal::SqliteLog;
use engine::Failure;
use engine::ports::{Stock, StockAnswer};
use ledger::{CLOCK_BACK_MAX_MS, RunningLedger, WriterSettings};
use serde_json::json;
use store::{Db, SqliteSettings};

use crate::backend::{Backend, settled};
use crate::people::fresh_external;
use crate::process::Home;
use crate::sales::fixtures::{answer, attempt, sale};

/// While somebody else holds the database's one pen, nothing is projected.
fn hold_the_pen(database: &rusqlite::Connection) {
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
}

#[tokio::test]
async fn hole_68_nobody_hears_of_nothing_while_rows_are_behind() {
    let home = Home::with(&[("WINDFALL__LEDGER__ROWS_WAIT_MS", "1000")]);
    let server = home.start("serve").await;
    let (backend, who) = (Backend::new(&server).await, server.person(&[]).await);
    let (pool, sale) = (backend.pool(10).await, sale(&server, json!({})).await);
    let ticket = attempt(&server, &who, &sale, 1).await;
    let database = home.database();
    settled(|| backend.get(&format!("/pools/{}", crate::backend::part(&pool))), |_| true).await;
    hold_the_pen(&database);

    // Cancelled before it arrived: so it is, at once.
    let id = fresh_external();
    backend.post_nothing(&format!("/holds/{id}/cancel")).expect(200).await;
    let seen = backend.get(&format!("/holds/{id}")).expect(200).await.json();
    assert_eq!(seen["state"], "cancelled");
    backend.get(&format!("/holds/{}", fresh_external())).refused(404, "hold_unknown").await;

    // An order that was told is not denied.
    let made = answer(&server, &who, &ticket.expect(202).await).await;
    assert_eq!(made["state"], "ordered");
    let path = format!("/orders/{}", made["order"].as_str().unwrap());
    let behind = server.by(&who, "GET", &path).refused(503, "rows_behind").await;
    assert_eq!(behind.header("retry-after"), "1");

    database.execute_batch("ROLLBACK").unwrap();
    settled(|| server.by(&who, "GET", &path), |answer| answer.status == 200).await;
    assert!(server.stop().await.success());
}

fn reserve(id: &str) -> Command {
    let text = Text::new(id).unwrap();
    Command::Reserve {
        key: Key::of("hold", 0, id),
        id: text.clone(),
        caller: 0,
        owner: Some(Owner::new(text)),
        lines: vec![Line { pool: name().pool(), quantity: Quantity::new(1).unwrap() }],
        ttl_ms: HOUR_MS,
        gates: Vec::new(),
    }
}

fn name() -> PoolName {
    PoolName::new("inventory/tea").unwrap()
}

/// The disk is full, and the rows are behind it: what was acknowledged is there, or nobody can tell.
#[tokio::test]
async fn hole_68_on_a_full_disk_what_was_acknowledged_is_never_denied() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("windfall.db");
    let db = Db::open_sqlite(&SqliteSettings::at(file.clone()).unhurried()).unwrap();
    db.migrate(Timestamp(0)).await.unwrap();
    // A journal that is soon full.
    let settings = WriterSettings {
        queue_max: 10_000,
        journal_pages_max: 40,
        lag_max: 1 << 20,
        clock_back_max_ms: CLOCK_BACK_MAX_MS,
    };
    let store = db.clone();
    let (journal, clock) = (folder.path().join("journal.db"), Arc::new(SystemClock::default()));
    let stock =
        RunningLedger::start(Arc::new(SqliteLog::at(&journal)), settings, Limits::default(), clock, store)
            .await
            .unwrap();
    let pool: PoolId = name().pool();
    let (key, note) = (Key::of("open", 0, "1"), Note::default());
    let open = Command::direct(
        key,
        note,
        Act::PoolOpen { pool, name: name(), round: 1, total: 1 << 20, owner_max: 0 },
    );
    stock.ask(0, vec![open]).await.unwrap();

    let pen = rusqlite::Connection::open(&file).unwrap();
    pen.busy_timeout(crate::process::LIMIT).unwrap();
    hold_the_pen(&pen);
    let mut acknowledged = Vec::new();
    for at in 0.. {
        let ids: Vec<String> = (0..20).map(|n| format!("{at}-{n}")).collect();
        match stock.ask(0, ids.iter().map(|id| reserve(id)).collect()).await {
            Ok(answers) => {
                assert!(answers.iter().all(|answer| matches!(answer, StockAnswer::Accepted(_))));
                acknowledged.extend(ids);
            }
            Err(_) => break,
        }
    }
    assert!(stock.trouble().is_some_and(|why| why.contains("disk_full")), "{:?}", stock.trouble());
    assert!(acknowledged.len() > 100, "{} were acknowledged before the disk was full", acknowledged.len());
    for id in &acknowledged {
        match stock.hold(Key::of("hold", 0, id)).await {
            Ok(Some(_)) | Err(Failure::Rejected(Rejection::RowsBehind { .. })) => {}
            other => panic!("{id} was acknowledged, and now: {other:?}"),
        }
    }
    pen.execute_batch("ROLLBACK").unwrap();
    // The rows have caught up with everything that was told: now they can be believed.
    testkit::wait::until_async(crate::process::LIMIT, "the rows to catch up", async || {
        stock.hold(Key::of("hold", 0, acknowledged.last().unwrap())).await.is_ok().then_some(())
    })
    .await
    .unwrap();
    for id in &acknowledged {
        let found = stock.hold(Key::of("hold", 0, id)).await.unwrap();
        assert!(found.is_some(), "{id} was acknowledged and is not there");
    }
    stock.close().await;
}
