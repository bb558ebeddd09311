//! The write-ahead log of SQLite: short after a burst, and followed by a standby that is a database at every moment.

use std::fs;
use std::path::Path;
use std::time::Duration;

use store::{Db, QUIET_LOG_BYTES, SqliteSettings, params};
use testkit::wait;

use crate::fixtures::T0;

const LIMIT: Duration = wait::PATIENCE;
/// Bytes of one row: large enough that a few hundred make a log of megabytes.
const ROW_BYTES: usize = 64 * 1024;

async fn write(db: &Db, n: i64, bytes: usize) {
    db.write((n, bytes), |tx, (n, bytes)| {
        Box::pin(async move {
            let value = vec![u8::try_from(*n % 251).unwrap_or(0); *bytes];
            tx.execute(
                "INSERT INTO installation (name, value) VALUES ($1, $2)",
                params![format!("row {n:06}"), value],
            )
            .await
        })
    })
    .await
    .unwrap();
}

fn log_bytes(folder: &Path) -> u64 {
    fs::metadata(folder.join("windfall.db-wal")).map_or(0, |log| log.len())
}

/// 59 MB of log beside a file of 4 KB was seen: it stayed as long as the burst had made it.
#[tokio::test]
async fn the_log_is_short_again_after_a_burst() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open_sqlite(&SqliteSettings::at(folder.path().join("windfall.db")).unhurried()).unwrap();
    db.migrate(T0).await.unwrap();
    // While somebody reads, the log cannot be cut: what is written stays in it.
    let reader = rusqlite::Connection::open(folder.path().join("windfall.db")).unwrap();
    reader.execute_batch("BEGIN; SELECT * FROM installation;").unwrap();
    for n in 0..200 {
        write(&db, n, ROW_BYTES).await;
    }
    assert!(log_bytes(folder.path()) > 2 * QUIET_LOG_BYTES, "a burst makes it long");
    reader.execute_batch("ROLLBACK").unwrap();
    wait::until(LIMIT, "the log to be short", || (log_bytes(folder.path()) <= QUIET_LOG_BYTES).then_some(()))
        .await
        .unwrap();
    // Also while it is written to all the time.
    for n in 200..600 {
        write(&db, n, ROW_BYTES).await;
    }
    assert!(log_bytes(folder.path()) < 100 * 1024 * 1024);
    assert!(fs::metadata(folder.path().join("windfall.db")).unwrap().len() > 200 * ROW_BYTES as u64);
    db.close().await;
    assert_eq!(log_bytes(folder.path()), 0);
}

/// Rows in a copy of the standby as it is now: whole, and without a gap.
fn count_in_copy(standby: &Path) -> Option<i64> {
    let aside = tempfile::tempdir().unwrap();
    let copy = aside.path().join("windfall.db");
    // The log first: a log that was moved into the file meanwhile is then in both. A log that went on or began anew
    // meanwhile does not belong to what was copied: look again.
    let log = || fs::read(standby.join("windfall.db-wal")).unwrap_or_default();
    let before = log();
    fs::copy(standby.join("windfall.db"), &copy).ok()?;
    let log = Some(log()).filter(|after| *after == before)?;
    fs::write(aside.path().join("windfall.db-wal"), log).unwrap();
    let copy = rusqlite::Connection::open(&copy).unwrap();
    let (rows, last): (i64, Option<String>) = copy
        .query_row("SELECT COUNT(*), MAX(name) FROM installation WHERE name LIKE 'row %'", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .ok()?;
    let check: String = copy.query_row("PRAGMA integrity_check", [], |row| row.get(0)).ok()?;
    // A copy taken while the file itself was written is no state of the standby: look again.
    (check == "ok"
        && last.unwrap_or_default() == if rows == 0 { String::new() } else { format!("row {:06}", rows - 1) })
    .then_some(rows)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_follows_transaction_by_transaction() {
    const SPOILT: i64 = 6;
    let (folder, standby) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = folder.path().join("windfall.db");
    let settings = SqliteSettings {
        standby: Some(standby.path().join("windfall.db")),
        ..SqliteSettings::at(&path).unhurried()
    };
    let db = Db::open_sqlite(&settings).unwrap();
    db.migrate(T0).await.unwrap();
    let mut seen = Vec::new();
    for round in 0..12 {
        for n in 0..25 {
            write(&db, round * 25 + n, 20_000).await;
        }
        // Each round waits until the standby has it, so that the log turns several times in between.
        let wanted = (round + 1) * 25;
        let found = wait::until(LIMIT, "the standby to follow", || {
            count_in_copy(standby.path()).inspect(|rows| seen.push(*rows)).filter(|rows| *rows == wanted)
        });
        found.await.unwrap();
        // While it begins anew, perhaps twice, it may be behind what it was.
        if round == SPOILT + 1 {
            seen.clear();
        }
        assert!(seen.is_sorted(), "it never goes back: {seen:?}");
        if round == SPOILT {
            // Somebody spoils it: it begins anew by itself.
            fs::write(standby.path().join("windfall.db-wal"), "spoilt").unwrap();
            fs::remove_file(standby.path().join("windfall.db")).unwrap();
        }
    }
    write(&db, 300, 20_000).await;
    db.close().await;
    assert_eq!(count_in_copy(standby.path()), Some(301), "a server that was stopped leaves nothing out");
    // The next life begins with a whole copy again.
    let db = Db::open_sqlite(&settings).unwrap();
    write(&db, 301, 20_000).await;
    let found = wait::until(LIMIT, "the standby to follow again", || {
        count_in_copy(standby.path()).filter(|rows| *rows == 302)
    });
    found.await.unwrap();
    db.close().await;
}
