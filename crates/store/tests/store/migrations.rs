//! Migrations: once, in order, never edited.

use futures::future::join_all;
use store::Db;
use store::params;

use crate::fixtures::*;

const EDITED: &str = "UPDATE schema_migrations SET checksum =
    (SELECT checksum FROM schema_migrations WHERE version = 1) WHERE version = 2";
const AHEAD: &str = "INSERT INTO schema_migrations
    SELECT (SELECT MAX(version) + 1 FROM schema_migrations), '9999_future', checksum, applied_ms
    FROM schema_migrations WHERE version = 1";

/// The files of migrations, in order.
fn written() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
    let names =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.map(|name| name.trim_end_matches(".sql").to_owned()).collect();
    names.sort_unstable();
    names
}

/// Changes the record of what was applied.
async fn tamper(db: &Db, sql: &'static str) {
    db.write(sql, |tx, sql| Box::pin(async move { tx.execute(sql, params![]).await })).await.unwrap();
}

on_both! {
    a_second_run_finds_nothing_to_do,
    an_edited_migration_is_refused_by_name,
    a_newer_database_is_refused_by_name,
    the_database_answers_and_names_itself,
}

async fn a_second_run_finds_nothing_to_do(db: &Db) {
    let report = db.migrate(T0).await.unwrap();
    assert_eq!((report.applied.len(), report.version), (0, i64::try_from(written().len()).unwrap()));
}

async fn an_edited_migration_is_refused_by_name(db: &Db) {
    tamper(db, EDITED).await;
    let story = db.migrate(T0).await.unwrap_err().story();
    assert!(story.contains("0002_access was edited"), "{story}");
}

async fn a_newer_database_is_refused_by_name(db: &Db) {
    tamper(db, AHEAD).await;
    let story = db.migrate(T0).await.unwrap_err().story();
    assert!(story.contains("9999_future") && story.contains("newer program"), "{story}");
}

async fn the_database_answers_and_names_itself(db: &Db) {
    db.ping().await.unwrap();
    let version = db.version().await.unwrap();
    assert!(version.starts_with("SQLite") || version.starts_with("PostgreSQL"), "{version}");
}

/// Nodes that start at once take turns; each migration is applied by one of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_start_together_migrate_once() {
    let Some(postgres) = testkit::Postgres::shared().await else { return };
    let settings = store::PostgresSettings::at(postgres.database().await.url()).unhurried();
    let starts = (0..5).map(|_| async {
        let db = Db::connect_postgres(&settings).await.unwrap();
        db.migrate(T0).await.unwrap().applied
    });
    let mut applied = join_all(starts).await.concat();
    applied.sort_unstable();
    assert_eq!(applied, written());
}
