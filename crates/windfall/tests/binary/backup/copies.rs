//! `windfall backup` and `windfall restore`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::crowd::{Crowd, assert_conserved, assert_told, open_pools};
use crate::backend::settled;
use crate::process::Home;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A backup under load, and an installation from it: what was told before it began is there, word by word.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_told_before_a_backup_is_in_it() {
    let home = Home::new();
    let server = home.start("serve").await;
    let key = server.new_key(&["inventory"]).await;
    open_pools(&server, &key).await;
    let before = Crowd::begin(&server, &key, 0..3);
    before.go_on(200).await;
    let before = before.end().await;
    let during = Crowd::begin(&server, &key, 10..13);
    during.go_on(20).await;

    let into = home.path().join("backups");
    let ran = tokio::task::spawn_blocking({
        let mut command = home.command(&["backup", "--into", text(&into)]);
        move || crate::process::Ran(command.output().unwrap())
    })
    .await
    .unwrap();
    let backup = PathBuf::from(ran.ok());
    let lines = server.console("GET", "/admin/audit?action=backup.ask").expect(200).await.items();
    assert_eq!(lines.len(), 1, "that it was asked for is on the record");
    assert_eq!(
        (&lines[0]["after"]["into"], &lines[0]["after"]["with_key"]),
        (&json!(text(&into)), &json!(false))
    );
    assert_eq!(lines[0]["actor"]["kind"], "console");
    assert!(ran.err().contains("is NOT in it"), "{}", ran.err());
    assert!(!backup.join("windfall.key").exists());
    during.go_on(20).await;
    drop(during.end().await);
    assert!(server.stop().await.success());
    home.run(&["backup", "--check", text(&backup)]).ok();

    let restored = Home::new();
    let (data, key_file) = (restored.data(), home.data().join("windfall.key"));
    let restore = |key: &[&str]| {
        let mut arguments = vec!["restore", text(&backup), "--into", text(&data)];
        arguments.extend(key);
        restored.run(&arguments)
    };
    restore(&[]).refused("key_file_missing");
    restore(&["--key", text(&key_file)]).ok();
    restore(&["--key", text(&key_file)]).refused("folder_not_empty");
    let server = restored.start("serve").await;
    assert_told(&server, &key, &before).await;
    assert_conserved(&server, &key).await;
    restored.run(&["reconcile"]).ok();
    assert!(server.stop().await.success());
}

#[tokio::test]
async fn a_damaged_backup_is_told_and_leaves_nothing_behind() {
    let home = Home::new();
    let into = home.path().join("backups");
    home.run(&["backup", "--into", text(&into)]).refused("no_data");
    home.run(&["backup"]).refused("backup_folder_missing");
    home.run(&["restore", text(&into), "--into", "elsewhere"]).refused("not_a_backup");
    let server = home.start("serve").await;
    assert!(server.stop().await.success());

    // Without a server it is made on the folder itself; with its key it needs nothing else.
    let backup = PathBuf::from(home.run(&["backup", "--with-key", "--into", text(&into)]).ok());
    let mode = |path: PathBuf| {
        use std::os::unix::fs::PermissionsExt as _;
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    };
    assert_eq!((mode(backup.clone()), mode(backup.join("windfall.db"))), (0o700, 0o600));
    let elsewhere = home.path().join("elsewhere");
    let restore = || home.run(&["restore", text(&backup), "--into", text(&elsewhere)]);
    restore().ok();
    fs::remove_dir_all(&elsewhere).unwrap();

    for file in ["windfall.db", "journal.db", "windfall.key"] {
        let whole = fs::read(backup.join(file)).unwrap();
        let mut spoilt = whole.clone();
        let middle = spoilt.len() / 2;
        spoilt[middle] ^= 1;
        fs::write(backup.join(file), &spoilt).unwrap();
        restore().refused("backup_damaged");
        assert!(!elsewhere.exists(), "{file}: nothing half-made is left");
        fs::write(backup.join(file), &whole).unwrap();
    }
    restore().ok();
}

#[tokio::test]
async fn the_job_makes_backups_and_keeps_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::with(&[("WINDFALL__BACKUP__FOLDER", text(folder.path()))]);
    let server = home.start("serve").await;
    // What a process that died while it copied has left.
    fs::create_dir(folder.path().join(".unfinished-windfall-1")).unwrap();
    server
        .console("PATCH", "/admin/jobs/backup")
        .json(json!({ "parameters": { "keep": 2 } }))
        .expect(200)
        .await;
    let mut names = Vec::new();
    for number in 1..=3 {
        server.console("POST", "/admin/jobs/backup/run").expect(202).await;
        let done = settled(
            || server.console("GET", "/admin/backups"),
            |answer| {
                let last = &answer.json()["last"];
                last["number"] == number && last["stage"] == "finished"
            },
        )
        .await
        .json();
        assert_eq!(done["last"]["failed"], json!(null), "{done}");
        names.push(done["last"]["folder"].as_str().unwrap().to_owned());
    }
    let mut kept: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path().to_str().unwrap().to_owned())
        .collect();
    kept.sort();
    assert_eq!(kept, names[1..], "the oldest went, and the unfinished one");
    let metrics = server.page("GET", "/metrics").expect(200).await.text();
    let line =
        metrics.lines().find(|line| line.starts_with("windfall_backup_last_success_timestamp_seconds"));
    assert!(line.is_some_and(|line| !line.ends_with(" 0")), "{line:?}");
}
