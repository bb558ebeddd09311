//! A standby's folder: it has what was shipped, becomes an installation by a command, and two never go on from it.

use std::path::Path;

use super::crowd::{Crowd, assert_conserved, assert_told, count_missing, open_pools};
use crate::backend::{Backend, settled};
use crate::people::fresh_external;
use crate::process::{Home, Server};

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Waits until the standby has everything that is durable now, rows and journal.
async fn shipped(server: &Server) {
    let durable: f64 =
        server.console("GET", "/admin/ledger").expect(200).await.member("durable").parse().unwrap();
    let reached = |metrics: &str, file: &str| {
        let series = format!("windfall_standby_seq{{file=\"{file}\"}} ");
        let value = metrics.lines().find_map(|line| line.strip_prefix(&series));
        value.is_some_and(|value| value.parse::<f64>().unwrap() >= durable)
    };
    settled(
        || server.page("GET", "/metrics"),
        |answer| {
            let metrics = answer.text();
            reached(&metrics, "database") && reached(&metrics, "journal")
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_promoted_standby_has_everything_that_was_shipped() {
    let folder = tempfile::tempdir().unwrap();
    let standby = folder.path().join("standby");
    let home = Home::with(&[("WINDFALL__STANDBY__FOLDER", text(&standby))]);
    let server = home.start("serve").await;
    let key = server.new_key(&["inventory"]).await;
    open_pools(&server, &key).await;
    let person = server.person(&["operator"]).await;
    let before = Crowd::begin(&server, &key, 0..3);
    before.go_on(200).await;
    let before = before.end().await;
    shipped(&server).await;

    // While it follows nobody else may have it.
    home.run(&["promote", text(&standby)]).refused("the server that writes to it still runs");
    let other = Home::new();
    std::os::unix::fs::symlink(&standby, other.data()).unwrap();
    other.run(&["serve", "--listen", "127.0.0.1:0"]).refused("standby_folder");

    let during = Crowd::begin(&server, &key, 10..13);
    during.go_on(100).await;
    server.kill().await;
    let during = during.end().await;

    // The key file is not shipped: the one of the old installation is named in the settings.
    let key_file = home.data().join("windfall.key");
    let promoted = Home::with(&[("WINDFALL__DATA__KEY_FILE", text(&key_file))]);
    let told = promoted.run(&["promote", text(&standby)]).ok();
    assert!(told.contains("is now the active installation"), "{told}");
    promoted.run(&["promote", text(&standby)]).refused("not_a_standby");
    // The old one does not come back beside it.
    home.run(&["serve", "--listen", "127.0.0.1:0"]).refused("standby_promoted");

    std::fs::rename(&standby, promoted.data()).unwrap();
    let server = promoted.start("serve").await;
    assert_told(&server, &key, &before).await;
    assert_conserved(&server, &key).await;
    server.sign_in(&person.phone, &person.password).await;
    let told: usize = during.iter().map(|client| client.holds.len()).sum();
    let lost = count_missing(&server, &key, &during).await;
    println!("{lost} of {told} holds that were told while it was killed had not been shipped");
    promoted.run(&["reconcile"]).ok();
    let backend = Backend::with(&server, key.clone());
    backend.reserve(&fresh_external(), "kill/tea", 1).expect(201).await;
}

/// An installation that was replaced while it ran stops by itself.
#[tokio::test]
async fn whoever_was_replaced_stops() {
    let folder = tempfile::tempdir().unwrap();
    let standby = folder.path().join("standby");
    let home = Home::with(&[("WINDFALL__STANDBY__FOLDER", text(&standby))]);
    let server = home.start("serve").await;
    shipped(&server).await;
    // As promotion on another machine would, where the lock is not seen.
    std::fs::write(standby.join("PROMOTED"), "{}").unwrap();
    let ended = server.ended().await;
    assert!(!ended.success());
    assert!(home.log().contains("standby_promoted"), "{}", home.log());
}
