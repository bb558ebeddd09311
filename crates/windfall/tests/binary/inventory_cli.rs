//! `windfall inventory …`: pools from a file, and tables of them.

use std::fmt::Write as _;

use serde_json::json;
use testkit::wait;

use crate::process::{Home, LIMIT, Ran};

/// Writes a file beside the data and imports it.
fn import(home: &Home, text: &str, more: &[&str]) -> Ran {
    let file = home.path().join("pools.csv");
    std::fs::write(&file, text).unwrap();
    home.run(&[&["inventory", "import", file.to_str().unwrap()], more].concat())
}

#[tokio::test]
async fn a_file_is_imported_once_however_often_it_is_sent() {
    let home = Home::new();
    let server = home.start("serve").await;
    let mut text = String::from("name,total,owner_max\n");
    for n in 0..2_500 {
        writeln!(text, "\"store-{}/sku, {n}\",{n},2", n % 7).unwrap();
    }
    let checked = import(&home, &text, &["--dry-run"]).ok();
    assert!(checked.contains("2500 pools with 3123750 units"), "{checked}");
    assert_eq!(home.run(&["inventory", "list"]).ok(), "no pools", "a check sends nothing");

    let first = import(&home, &text, &["--reason", "opening stock"]);
    assert_eq!(first.ok(), "2500 created, 0 already existed, 0 rejected; 3123750 units in the file");
    assert!(first.err().contains("2500 of 2500 rows"), "progress in plain lines: {}", first.err());
    let again = import(&home, &text, &["--reason", "opening stock"]).ok();
    assert_eq!(again, "0 created, 2500 already existed, 0 rejected; 3123750 units in the file");

    let pool = server.console("GET", "/inventory/pools/store-1%2Fsku%2C%20904").expect(200).await.json();
    assert_eq!((&pool["total"], &pool["owner_max"]), (&json!(904), &json!(2)));
    let database = home.database();
    wait::until(LIMIT, "the pools to be in the database", || {
        let pools: i64 = database.query_row("SELECT count(*) FROM pools", [], |row| row.get(0)).unwrap();
        (pools == 2_500).then_some(())
    })
    .await
    .unwrap();
    let shown = home.run(&["inventory", "show", "store-1/sku, 904"]).ok();
    assert!(shown.contains("available  904") && shown.contains("opening stock"), "{shown}");
    let listed = home.run(&["inventory", "list", "--under", "store-1/", "--search", "SKU, 904"]).ok();
    assert!(listed.contains("store-1/sku, 904") && !listed.contains("store-1/sku, 8 "), "{listed}");
    home.run(&["inventory", "show", "nowhere"]).refused("pool_unknown");
}

/// One wrong row, and nothing of the file is sent.
#[tokio::test]
async fn a_file_with_a_mistake_is_refused_whole() {
    let home = Home::new();
    let _server = home.start("serve").await;
    for (text, words) in [
        ("tea,5\ncup,many\n", "line 2: total"),
        ("tea,5\ntea,5\n", "line 2: tea is already in line 1"),
        ("", "it has no rows"),
    ] {
        import(&home, text, &[]).refused(words);
    }
    home.run(&["inventory", "import", "nowhere.csv"]).refused("nowhere.csv");
    assert_eq!(home.run(&["inventory", "list"]).ok(), "no pools");
}

/// Another file that names a pool which is there: told with its line, and the pool stays as it is.
#[tokio::test]
async fn a_pool_that_is_there_is_left_alone() {
    let home = Home::new();
    let server = home.start("serve").await;
    import(&home, "tea,5\n", &[]).ok();
    let second = import(&home, "cup,1\ntea,9\n", &[]);
    second.refused("line 2: Round 1 of tea cannot be opened");
    assert!(second.out().starts_with("1 created, 0 already existed, 1 rejected"), "{}", second.out());
    let tea = server.console("GET", "/inventory/pools/tea").expect(200).await.json();
    assert_eq!(tea["total"], 5);
}

/// From another machine, with a key; and without a server, on the folder itself.
#[tokio::test]
async fn import_over_the_network_and_on_the_folder() {
    let (home, elsewhere) = (Home::new(), Home::new());
    let server = home.start("serve").await;
    let url = format!("http://{}", server.address);
    let key = server.new_key(&["inventory"]).await.secret;
    let told = import(&elsewhere, "tea,5\n", &["--url", &url, "--key", &key]).ok();
    assert!(told.starts_with("1 created"), "{told}");
    let wrong = server.new_key(&["read"]).await.secret;
    import(&elsewhere, "cup,5\n", &["--url", &url, "--key", &wrong]).refused("scope_missing");
    assert!(!elsewhere.data().exists(), "no data folder is made");
    server.stop().await;
    let told = import(&home, "tea,5\n", &[]).ok();
    assert!(told.starts_with("0 created, 1 already existed"), "the same file on the folder: {told}");
    let server = home.start("serve").await;
    server.console("GET", "/inventory/pools/tea").expect(200).await;
}

/// A mistyped folder is not an empty installation in order.
#[test]
fn a_folder_without_data_is_refused_by_name() {
    let home = Home::new();
    for words in [&["inventory", "list"][..], &["inventory", "show", "tea"], &["reconcile"]] {
        let ran = home.run(words);
        assert!(ran.err().contains("no_data"), "{words:?}: {}", ran.err());
    }
    assert!(!home.data().join("windfall.db").exists(), "nothing was made");
}
