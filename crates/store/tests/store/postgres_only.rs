//! Connections that die.

use store::row::Row;
use store::{Db, PostgresSettings, params};
use tokio_postgres::NoTls;

use crate::fixtures::*;

async fn run(url: &str, sql: &str) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let driver = tokio::spawn(connection);
    client.batch_execute(sql).await.unwrap();
    drop(client);
    driver.await.unwrap().unwrap();
}

/// Ends a connection in the middle of its commit: whether it was saved, nobody can say.
const DIE_AT_COMMIT: &str = "
    CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER die AFTER INSERT ON nodes DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION die();";

#[tokio::test]
async fn a_connection_lost_at_commit_leaves_the_outcome_unknown() {
    let Some(postgres) = testkit::Postgres::shared().await else { return };
    let database = postgres.database().await;
    let db = Db::connect_postgres(&PostgresSettings::at(database.url()).unhurried()).await.unwrap();
    db.migrate(T0).await.unwrap();
    run(&database.url(), DIE_AT_COMMIT).await;
    assert_eq!(said(db.node_lease("a".into(), T0, 1_000).await), "outcome_unknown");
    run(&database.url(), "DROP TRIGGER die ON nodes").await;
    assert_eq!(
        said(db.node_lease("a".into(), T0, 1_000).await),
        "ok",
        "the next one gets another connection"
    );
}

/// A connection that died between two requests is not the caller's trouble.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_restarted_is_found_again() {
    let Some(mut postgres) = testkit::Postgres::start().await else { return };
    let database = postgres.database().await;
    let db = Db::connect_postgres(&PostgresSettings::at(database.url()).unhurried()).await.unwrap();
    db.migrate(T0).await.unwrap();
    let before = db.node_lease("a".into(), T0, 1_000).await.unwrap();
    postgres.restart().await.unwrap();
    assert_eq!(db.node_lease("a".into(), T0, 1_000).await.unwrap(), before);
}

/// A statement that waits too long for a lock was rolled back: too busy, nothing done.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_that_takes_too_long_is_an_overload() {
    let Some(postgres) = testkit::Postgres::shared().await else { return };
    let url = postgres.database().await.url();
    let settings = PostgresSettings { statement_timeout_ms: 50, ..PostgresSettings::at(url).unhurried() };
    let db = Db::connect_postgres(&settings).await.unwrap();
    let outcome = db
        .write((), |tx, ()| {
            Box::pin(async move { tx.one("SELECT CAST(pg_sleep(30) AS TEXT)", params![], Row::text).await })
        })
        .await;
    assert_eq!(said(outcome), "overloaded");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_fault_at_start() {
    let refused = Db::connect_postgres(&PostgresSettings::at("postgres://nobody@127.0.0.1:1/none")).await;
    let story = refused.unwrap_err().story();
    assert!(story.starts_with("connecting to PostgreSQL"), "{story}");
    let malformed = Db::connect_postgres(&PostgresSettings::at("postgres://:::")).await.map(|_| ());
    assert!(malformed.unwrap_err().story().starts_with("the PostgreSQL address"));
}
