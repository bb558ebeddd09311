//! The writer thread: group commit, its queue, its end.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use futures::FutureExt;
use futures::future::{BoxFuture, join_all};
use store::failure::{Failure, Result};
use store::model::*;
use store::{Db, SqliteSettings, params};

use crate::both::{self, Fixture};
use crate::fixtures::*;

/// Holds the writer until told to go on, so that other steps have to queue. The first poll of a write hands
/// its step over.
fn hold(db: &Db) -> (BoxFuture<'_, Result<()>>, Sender<()>) {
    let ((running, seen), (go, wait)) = (channel(), channel());
    let gate: Mutex<(Sender<()>, Receiver<()>)> = Mutex::new((running, wait));
    let mut held = db
        .write(gate, |_, gate| {
            Box::pin(async move {
                let gate = gate.lock().unwrap();
                gate.0.send(()).unwrap();
                gate.1.recv().unwrap();
                Ok(())
            })
        })
        .boxed();
    assert!((&mut held).now_or_never().is_none());
    seen.recv().unwrap();
    (held, go)
}

/// Writes that have been handed over and wait.
fn queue(db: &Db, count: i64) -> Vec<BoxFuture<'_, Result<NodeLease>>> {
    let mut writes: Vec<_> = (0..count).map(|n| db.node_lease(format!("n{n}"), T0, 1_000).boxed()).collect();
    for write in &mut writes {
        assert!(write.now_or_never().is_none());
    }
    writes
}

/// Commits in the write-ahead log: frames that say how large the database is after them.
fn commits(folder: &Path) -> usize {
    let log = fs::read(folder.join("windfall.db-wal")).unwrap();
    if log.is_empty() {
        return 0;
    }
    let number = |at: usize| u32::from_be_bytes(log[at..at + 4].try_into().unwrap());
    let (header, frame) = (32, 24 + number(8) as usize);
    (header..log.len()).step_by(frame).filter(|at| number(at + 4) > 0).count()
}

/// While somebody looks at the database the log is neither cut nor begun anew, so that its commits can be counted.
fn keep_log(folder: &Path) -> rusqlite::Connection {
    let reader = rusqlite::Connection::open(folder.join("windfall.db")).unwrap();
    reader.execute_batch("BEGIN; SELECT * FROM installation;").unwrap();
    reader
}

#[tokio::test]
async fn steps_that_queue_up_share_a_commit() {
    let Fixture { db, folder } = both::sqlite().await;
    let folder = folder.unwrap();
    let _log = keep_log(folder.path());
    let before = commits(folder.path());
    let (held, go) = hold(&db);
    let writes = queue(&db, 100);
    go.send(()).unwrap();
    held.await.unwrap();
    assert!(join_all(writes).await.iter().all(Result::is_ok));
    assert_eq!(commits(folder.path()) - before, 1, "a hundred steps, one commit");
}

#[tokio::test]
async fn a_batch_has_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let settings =
        SqliteSettings { batch_max: 30, ..SqliteSettings::at(folder.path().join("windfall.db")).unhurried() };
    let db = Db::open_sqlite(&settings).unwrap();
    db.migrate(T0).await.unwrap();
    let _log = keep_log(folder.path());
    let before = commits(folder.path());
    let (held, go) = hold(&db);
    let writes = queue(&db, 100);
    go.send(()).unwrap();
    held.await.unwrap();
    join_all(writes).await;
    assert_eq!(commits(folder.path()) - before, 4);
}

/// One that fails and one that panics take back only themselves.
#[tokio::test]
async fn the_others_of_a_batch_are_kept() {
    let Fixture { db, folder: _folder } = both::sqlite().await;
    let (held, go) = hold(&db);
    let mut panics: BoxFuture<'_, Result<()>> =
        db.write((), |_, ()| Box::pin(async move { panic!("on purpose") })).boxed();
    assert!((&mut panics).now_or_never().is_none());
    let mut refused =
        db.sweep(Fence { job: "none".into(), term: 1 }, Sweep::Links { expired_before: T0 }, 1).boxed();
    assert!((&mut refused).now_or_never().is_none());
    let writes = queue(&db, 5);
    go.send(()).unwrap();
    held.await.unwrap();
    let fault = panics.await.unwrap_err();
    assert_eq!(fault.to_string(), "a writing step panicked: on purpose");
    assert_eq!(said(refused.await), "lease_lost");
    assert!(join_all(writes).await.iter().all(Result::is_ok));
}

/// As on a full disk, where SQLite rolls back by itself: nobody is told a success that is gone.
#[tokio::test]
async fn a_batch_that_is_lost_is_told_to_everyone_in_it() {
    let Fixture { db, folder: _folder } = both::sqlite().await;
    let (held, go) = hold(&db);
    let mut before = db.node_lease("before".into(), T0, 1_000).boxed();
    assert!((&mut before).now_or_never().is_none());
    let mut refused =
        db.sweep(Fence { job: "none".into(), term: 1 }, Sweep::Links { expired_before: T0 }, 1).boxed();
    assert!((&mut refused).now_or_never().is_none());
    let mut breaks = db.write((), |tx, ()| Box::pin(tx.execute("ROLLBACK", params![]))).boxed();
    assert!((&mut breaks).now_or_never().is_none());
    let mut after = db.node_lease("after".into(), T0, 1_000).boxed();
    assert!((&mut after).now_or_never().is_none());
    go.send(()).unwrap();
    held.await.unwrap();
    let heard = (said(before.await), said(refused.await), said(breaks.await), said(after.await));
    assert_eq!(heard, ("outcome_unknown", "outcome_unknown", "outcome_unknown", "overloaded"));
    assert_eq!(db.node_lease("next".into(), T0, 1_000).await.unwrap().node, 0, "and nothing was kept");
}

#[tokio::test]
async fn a_full_queue_is_told_and_does_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let settings =
        SqliteSettings { queue_max: 3, ..SqliteSettings::at(folder.path().join("windfall.db")).unhurried() };
    let db = Db::open_sqlite(&settings).unwrap();
    db.migrate(T0).await.unwrap();
    let (held, go) = hold(&db);
    let writes = queue(&db, 3);
    assert_eq!(said(db.node_lease("one too many".into(), T0, 1_000).await), "overloaded");
    go.send(()).unwrap();
    held.await.unwrap();
    assert_eq!(join_all(writes).await.len(), 3);
    assert_eq!(said(db.node_lease("later".into(), T0, 1_000).await), "ok");
}

/// Dropping the last handle finishes what was handed over, though nobody waits for it any more.
#[tokio::test]
async fn what_was_handed_over_is_there_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let settings = SqliteSettings::at(folder.path().join("windfall.db"));
    let db = Db::open_sqlite(&settings).unwrap();
    db.migrate(T0).await.unwrap();
    let (held, go) = hold(&db);
    drop((queue(&db, 10), held));
    go.send(()).unwrap();
    drop(db);
    assert!(!folder.path().join("windfall.db-wal").exists(), "the log was folded into the file");

    let db = Db::open_sqlite(&settings).unwrap();
    assert_eq!(db.migrate(T0).await.unwrap().applied, [] as [&str; 0]);
    assert_eq!(db.node_lease("next".into(), T0, 1_000).await.unwrap().node, 10);
}

/// Another process holds the file: nothing was done, and that is what is said.
#[tokio::test]
async fn a_file_that_is_held_is_an_overload() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("windfall.db");
    let patient = SqliteSettings::at(&path).unhurried();
    let db = Db::open_sqlite(&patient).unwrap();
    db.migrate(T0).await.unwrap();
    db.close().await;
    let db = Db::open_sqlite(&SqliteSettings { busy_timeout_ms: 10, ..patient }).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(said(db.node_lease("a".into(), T0, 1_000).await), "overloaded");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(said(db.node_lease("a".into(), T0, 1_000).await), "ok");
}

/// A step may await nothing but its transaction; one that does is a fault, not a writer that hangs.
#[tokio::test]
async fn a_step_that_waits_for_something_else_is_a_fault() {
    let Fixture { db, folder: _folder } = both::sqlite().await;
    let outcome: Result<()> =
        db.write((), |_, ()| Box::pin(async move { futures::future::pending().await })).await;
    assert!(matches!(outcome, Err(Failure::Fault(_))), "{outcome:?}");
    db.ping().await.unwrap();
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("windfall.db");
    fs::write(&path, "x".repeat(4_096)).unwrap();
    let story = Db::open_sqlite(&SqliteSettings::at(&path)).unwrap_err().story();
    assert!(story.contains("windfall.db") && story.contains("not a database"), "{story}");
}
