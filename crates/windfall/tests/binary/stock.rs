//! The embedded ledger with its projection, on SQLite and on PostgreSQL: decided, durable, projected, looked up.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use domain::ledger::{
    Act, Command, Effect, HoldState, Key, Limits, Line, Note, Owner, PoolId, PoolName, PoolRefusal, Quantity,
    Refusal, Take, Text,
};
use embedded::SystemClock;
use embedded::journal::SqliteLog;
use engine::ports::{Clock, Stock, StockAnswer};
use ledger::{RunningLedger, WriterSettings};
use store::{Db, PostgresSettings, SqliteSettings};

use crate::process::LIMIT;

const POOL: PoolId = PoolId(1);
const HOUR_MS: i64 = 3_600_000;

fn open(total: u64) -> Command {
    let key = Key::of("pool", 0, "open");
    let name = PoolName::new("tea").unwrap();
    Command::direct(key, Note::default(), Act::PoolOpen { pool: POOL, name, round: 1, total, owner_max: 0 })
}

fn reserve(id: &str, units: i64) -> Command {
    let text = Text::new(id).unwrap();
    Command::Reserve {
        key: Key::of("hold", 0, id),
        id: text.clone(),
        caller: 0,
        owner: Some(Owner::new(text)),
        lines: vec![Line { pool: POOL, quantity: Quantity::new(units).unwrap() }],
        ttl_ms: HOUR_MS,
        gates: Vec::new(),
    }
}

fn confirm(id: &str) -> Command {
    Command::Confirm { hold: Key::of("hold", 0, id), take: Take::All }
}

async fn start(folder: &Path, db: &Db) -> RunningLedger {
    let settings = WriterSettings {
        queue_max: 100_000,
        journal_pages_max: 1 << 20,
        lag_max: 1 << 20,
        clock_back_max_ms: ledger::CLOCK_BACK_MAX_MS,
    };
    let store = db.clone();
    let clock = Arc::new(SystemClock::default());
    RunningLedger::start(
        Arc::new(SqliteLog::at(&folder.join("journal.db"))),
        settings,
        Limits::default(),
        clock,
        store,
    )
    .await
    .unwrap()
}

/// What one command comes to, in a word.
async fn ask(stock: &RunningLedger, command: Command) -> String {
    let answers = stock.ask(0, vec![command]).await.unwrap();
    let word = |came: &Effect| match came {
        Effect::Pool(view) => format!("{:?}", view.state),
        Effect::Hold(view) => format!("{:?}", view.state),
        Effect::Play(play) => format!("{play:?}"),
    };
    match &answers[..] {
        [StockAnswer::Accepted(came)] => word(came),
        [StockAnswer::Replayed(came)] => format!("{} again", word(came)),
        [StockAnswer::Refused(refusal)] => refusal.name().to_owned(),
        other => panic!("{other:?}"),
    }
}

async fn everything_projected(stock: &RunningLedger) {
    let started = Instant::now();
    while stock.lag() > 0 {
        assert!(started.elapsed() < LIMIT, "the projection does not catch up");
        tokio::task::yield_now().await;
    }
}

/// Each life of the process goes on where the last one was, and an accepted id answers the same in all of them, also long
/// after it left memory.
async fn lives(db: Db) {
    let folder = tempfile::tempdir().unwrap();
    db.migrate(SystemClock::default().now()).await.unwrap();
    let stock = start(folder.path(), &db).await;
    for (command, expected) in [
        (open(10), "Open"),
        (reserve("a", 3), "Held"),
        (reserve("b", 2), "Held"),
        (confirm("a"), "Confirmed"),
        (reserve("c", 6), "sold_out"),
    ] {
        assert_eq!(ask(&stock, command).await, expected);
    }
    everything_projected(&stock).await;
    for life in 0..3 {
        let stock = start(folder.path(), &db).await;
        for (command, expected) in [
            (open(10), "Open again"),
            (open(11), "conflict"),
            (reserve("a", 3), "Confirmed again"),
            (reserve("a", 4), "conflict"),
            (confirm("a"), "Confirmed again"),
            (reserve("b", 2), "Held again"),
        ] {
            assert_eq!(ask(&stock, command).await, expected, "life {life}");
        }
        assert_eq!(ask(&stock, reserve(&format!("new {life}"), 1)).await, "Held", "life {life}");
        stock.close().await;
        let pool = db.pool_find(POOL).await.unwrap().unwrap().view;
        assert_eq!(
            (pool.total, pool.available, pool.held, pool.taken),
            (10, 4 - life, 3 + life, 3),
            "life {life}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ledger_goes_on_where_it_was_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    lives(Db::open_sqlite(&SqliteSettings::at(folder.path().join("windfall.db")).unhurried()).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ledger_goes_on_where_it_was_on_postgres() {
    let Some(server) = testkit::Postgres::shared().await else { return };
    let database = server.database().await;
    lives(Db::connect_postgres(&PostgresSettings::at(database.url()).unhurried()).await.unwrap()).await;
}

/// A copy of the database alone, or with a journal that is older than it, is gone on from as it is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_without_its_journal_is_gone_on_from() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open_sqlite(&SqliteSettings::at(folder.path().join("windfall.db")).unhurried()).unwrap();
    db.migrate(SystemClock::default().now()).await.unwrap();
    let stock = start(folder.path(), &db).await;
    ask(&stock, open(10)).await;
    ask(&stock, reserve("a", 3)).await;
    stock.close().await;
    let older = tempfile::tempdir().unwrap();
    let journals = |folder: &Path| folder.join("journal.db");
    std::fs::copy(journals(folder.path()), journals(older.path())).unwrap();
    let stock = start(folder.path(), &db).await;
    ask(&stock, reserve("b", 2)).await;
    stock.close().await;
    let nothing = tempfile::tempdir().unwrap();
    for (life, folder) in [nothing.path(), older.path(), nothing.path()].into_iter().enumerate() {
        let stock = start(folder, &db).await;
        assert_eq!(stock.trouble(), None);
        assert_eq!(ask(&stock, reserve("a", 3)).await, "Held again", "life {life}");
        assert_eq!(ask(&stock, reserve("b", 2)).await, "Held again", "life {life}");
        assert_eq!(ask(&stock, reserve(&format!("new {life}"), 1)).await, "Held", "life {life}");
        stock.close().await;
    }
    let pool = db.pool_find(POOL).await.unwrap().unwrap().view;
    assert_eq!((pool.available, pool.held), (2, 8));
}

/// Everybody who was told "held" is in the database at the end, and nobody else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_is_projected_to_the_last_unit() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open_sqlite(&SqliteSettings::at(folder.path().join("windfall.db")).unhurried()).unwrap();
    db.migrate(SystemClock::default().now()).await.unwrap();
    let stock = Arc::new(start(folder.path(), &db).await);
    ask(&stock, open(1_000)).await;
    let crowd: Vec<_> = (0..20)
        .map(|caller| {
            let stock = Arc::clone(&stock);
            tokio::spawn(async move {
                let commands = (0..100).map(|n| reserve(&format!("{caller}/{n}"), 1)).collect();
                let answers = stock.ask(caller, commands).await.unwrap();
                let sold_out = |answer: &&StockAnswer| {
                    matches!(answer, StockAnswer::Refused(Refusal::Pool(PoolRefusal::SoldOut { .. })))
                };
                let refused = answers.iter().filter(sold_out).count();
                answers.len() - refused
            })
        })
        .collect();
    let mut held = 0;
    for caller in crowd {
        held += caller.await.unwrap();
    }
    assert_eq!(held, 1_000);
    stock.close().await;
    let pool = db.pool_find(POOL).await.unwrap().unwrap().view;
    assert_eq!((pool.available, pool.held), (0, 1_000));
    let one = db.hold_find(Key::of("hold", 0, "0/0")).await.unwrap().hold;
    assert!(one.is_none_or(|hold| hold.view.state == HoldState::Held));
}
