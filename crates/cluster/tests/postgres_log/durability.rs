//! A server that may lose what it commits is refused, when a connection is made and while it is used.

use ledger::Log;
use testkit::Postgres;
use windfall_cluster::log::{PostgresLog, StandbyRule};

use crate::place::{Place, connect, on_thread, settings_at};

/// Why a log at this address is refused, if so.
fn refusal(url: String, standby: StandbyRule) -> Option<String> {
    let log =
        PostgresLog::new(windfall_cluster::log::PostgresLogSettings { standby, ..settings_at(url) }).unwrap();
    let error = log.writer().err()?;
    Some(std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string))
}

#[test]
fn a_server_that_does_not_sync_is_refused() {
    let urls = on_thread(async || match Postgres::shared().await {
        Some(postgres) => vec![postgres.database().await.url()],
        None => Vec::new(),
    });
    for url in urls {
        let why = refusal(url, StandbyRule::NotRequired).unwrap();
        assert!(why.contains("fsync = off"), "{why}");
    }
}

#[test]
fn one_server_is_enough_only_when_somebody_said_so() {
    let place = Place::new();
    assert_eq!(refusal(place.url(), StandbyRule::NotRequired), None);
    let why = refusal(place.url(), StandbyRule::Required).unwrap();
    assert!(why.contains("no synchronous standby"), "{why}");
}

#[test]
fn a_session_that_commits_without_waiting_is_refused() {
    let place = Place::new();
    for (value, expected) in [("local", true), ("remote_write", true), ("off", true), ("on", false)] {
        let url = format!("{}?options=-c%20synchronous_commit%3D{value}", place.url());
        let why = refusal(url, StandbyRule::NotRequired);
        assert_eq!(why.is_some_and(|why| why.contains("synchronous_commit below on")), expected, "{value}");
    }
}

/// Settings are reloaded while the server runs: the next round of tending sees it.
#[test]
fn a_server_that_stops_syncing_is_noticed() {
    let url = on_thread(async || {
        let postgres = Postgres::start_with(&["fsync=on", "full_page_writes=on"]).await?;
        let url = postgres.database().await.url();
        Some((postgres, url))
    });
    let Some((server, url)) = url else { return };
    let log = PostgresLog::new(settings_at(url.clone())).unwrap();
    log.writer().unwrap();
    log.tend().unwrap();
    // Given on the command line, it can only be changed for a session that is yet to come.
    on_thread(async move || {
        let client = connect(&url).await;
        client.batch_execute("ALTER DATABASE test_0 SET synchronous_commit = local").await.unwrap();
    });
    assert!(log.writer().is_err(), "a new connection");
    drop(server);
}
