//! A migrated, empty database of either kind.

use store::{Db, PostgresSettings, SqliteSettings};
use tempfile::TempDir;

use crate::fixtures::T0;

/// The folder goes with the fixture, after the database.
#[derive(Debug)]
pub struct Fixture {
    pub db: Db,
    pub folder: Option<TempDir>,
}

pub async fn sqlite() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open_sqlite(&SqliteSettings::at(folder.path().join("windfall.db")).unhurried()).unwrap();
    db.migrate(T0).await.unwrap();
    Fixture { db, folder: Some(folder) }
}

/// `None`, with the skip on record, where there is no PostgreSQL.
pub async fn postgres() -> Option<Fixture> {
    let database = testkit::Postgres::shared().await?.database().await;
    let settings = PostgresSettings { pool_max: 8, ..PostgresSettings::at(database.url()).unhurried() };
    let db = Db::connect_postgres(&settings).await.unwrap();
    db.migrate(T0).await.unwrap();
    Some(Fixture { db, folder: None })
}

/// Makes the tests `name::sqlite` and `name::postgres` of each `async fn name(db: &Db)` listed. One that is
/// left out is reported by the compiler as never used.
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {$(
        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                let fixture = crate::both::sqlite().await;
                super::$name(&fixture.db).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                if let Some(fixture) = crate::both::postgres().await {
                    super::$name(&fixture.db).await;
                }
            }
        }
    )+};
}
