//! Connections are encrypted when certificates are given, and to the server that they name only.

use std::path::Path;

use ledger::Log;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use testkit::Postgres;
use windfall_cluster::log::{PostgresLog, PostgresLogSettings};

use crate::place::{connect, on_thread, query, settings_at};

/// The server reads its key only from a file that nobody else may read: it writes it itself.
fn write_file(name: &str, text: &str) -> String {
    format!(
        "COPY (SELECT * FROM unnest(string_to_array('{}', E'\\n'))) TO PROGRAM 'umask 077; cat > {name}'",
        text.trim()
    )
}

/// A certificate of this machine's loopback address and its key, as PEM.
fn certificate() -> (String, String) {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    (cert.pem(), signing_key.serialize_pem())
}

fn log(url: &str, ca_file: &Path) -> PostgresLog {
    let ca_file = Some(ca_file.to_owned());
    PostgresLog::new(PostgresLogSettings { ca_file, ..settings_at(url) }).unwrap()
}

#[test]
fn a_log_speaks_tls_with_the_server_it_was_told_of_and_with_no_other() {
    let (certificate, key) = certificate();
    let folder = tempfile::tempdir().unwrap();
    let (right, wrong) = (folder.path().join("right.pem"), folder.path().join("wrong.pem"));
    std::fs::write(&right, &certificate).unwrap();
    std::fs::write(&wrong, self::certificate().0).unwrap();
    let Some((server, url)) = on_thread(async || {
        let postgres = Postgres::start_with(&["fsync=on", "full_page_writes=on"]).await?;
        let url = postgres.database().await.url();
        Some((postgres, url))
    }) else {
        return;
    };
    assert!(log(&url, &right).writer().is_err(), "a server without TLS");

    let turn_on = [
        write_file("server.crt", &certificate),
        write_file("server.key", &key),
        "ALTER SYSTEM SET ssl = on".to_owned(),
        "SELECT pg_reload_conf()".to_owned(),
    ];
    let at = url.clone();
    on_thread(async move || {
        let client = connect(&at).await;
        for statement in turn_on {
            client.batch_execute(&statement).await.unwrap();
        }
        while query(&client, "SHOW ssl").await != ["on"] {
            testkit::wait::pause().await;
        }
    });
    let encrypted = log(&url, &right);
    let mut writer = encrypted.writer().unwrap();
    assert_eq!(writer.claim(0, 0).unwrap().term, 1);
    let sessions = "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
        WHERE application_name = 'windfall-log'";
    let at = url.clone();
    assert_eq!(on_thread(async move || query(&connect(&at).await, sessions).await), ["t"]);
    assert!(log(&url, &wrong).writer().is_err(), "another server's certificate");
    drop(server);
}
