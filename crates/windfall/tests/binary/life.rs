//! The life of a server: stopped, killed, started again, and the folders it refuses.

use serde_json::json;
use testkit::wait;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::people::{address, fresh_phone};
use crate::process::{Home, LIMIT};

#[tokio::test]
async fn a_stop_lets_the_request_under_way_finish() {
    let home = Home::new();
    let server = home.demo().await;
    let person = server.person(&[]).await;
    let body = address("last minute").to_string();
    let head = format!(
        "POST /api/v1/me/addresses HTTP/1.1\r\nhost: windfall\r\ncookie: {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
        person.cookie,
        body.len()
    );
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).await.unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n", "the handler waits for the body");

    server.signal("TERM");
    wait::until(LIMIT, "the server to take no more connections", || {
        std::net::TcpStream::connect(server.address).is_err().then_some(())
    })
    .await
    .unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 201 Created\r\n"), "{answer}");
    assert_eq!(server.ended().await.code(), Some(0));

    let server = home.demo().await;
    assert_eq!(server.by(&person, "GET", "/me/addresses").expect(200).await.items().len(), 1);
}

#[tokio::test]
async fn readiness_and_health_are_told_apart() {
    let home = Home::new();
    let server = home.demo().await;
    assert_eq!(server.page("GET", "/healthz").expect(200).await.member("name"), "windfall");
    let ready = server.page("GET", "/readyz").expect(200).await.json();
    let parts = json!({ "accepting": "ok", "clock": "ok", "database": "ok", "ledger": "ok" });
    assert_eq!(ready, json!({ "ready": true, "parts": parts }));
    assert!(server.stop().await.success());
}

/// As after a power cut: what was answered is kept.
#[tokio::test]
async fn nothing_that_was_answered_is_lost_by_a_kill() {
    let home = Home::new();
    let server = home.demo().await;
    let phone = fresh_phone();
    let cookie = server.sign_in_by_code(&phone).await;
    let key = server.new_key(&["read"]).await;
    let add = |street: &str| server.api("POST", "/me/addresses").cookie(&cookie).json(address(street));
    let mut streets = Vec::new();
    for street in ["一号", "二号", "三号"] {
        add(street).expect(201).await;
        streets.push(json!(street));
    }
    let me = server.api("GET", "/me").cookie(&cookie).expect(200).await.json();
    assert_eq!(server.kill().await.code(), None, "ended by the signal");

    let server = home.demo().await;
    assert_eq!(server.api("GET", "/me").cookie(&cookie).expect(200).await.json(), me);
    let book = server.api("GET", "/me/addresses").cookie(&cookie).expect(200).await.items();
    let kept: Vec<_> = book.iter().map(|entry| entry["street"].clone()).collect();
    assert!(streets.iter().all(|street| kept.contains(street)) && kept.len() == 3, "{kept:?}");
    server.api("GET", "/admin/jobs").key(&key.secret).expect(200).await;
}

#[tokio::test]
async fn a_data_folder_belongs_to_one_process() {
    let home = Home::new();
    let server = home.demo().await;
    home.run(&["demo", "--listen", "127.0.0.1:0"]).refused("data_folder_locked");
    home.run(&["migrate"]).refused("data_folder_locked");
    home.run(&["admin", "rotate-encryption-key"]).refused("data_folder_locked");
    server.page("GET", "/healthz").expect(200).await;

    let home = Home::new();
    let server = home.start("serve").await;
    home.run(&["serve", "--listen", "127.0.0.1:0"]).refused("data_folder_locked");
    server.page("GET", "/healthz").expect(200).await;
}

#[tokio::test]
async fn demo_data_and_real_data_are_kept_apart() {
    let demo = Home::new();
    demo.demo().await.stop().await;
    demo.run(&["serve", "--listen", "127.0.0.1:0"]).refused("demo_refused");
    let real = Home::new();
    real.start("serve").await.stop().await;
    real.run(&["demo", "--listen", "127.0.0.1:0"]).refused("demo_refused");
    assert!(real.run(&["admin", "list-users"]).ok().contains("nobody"), "no demo people came in");
}

#[tokio::test]
async fn a_port_that_is_taken_is_told_before_anything_is_written() {
    let (first, second) = (Home::new(), Home::new());
    let server = first.demo().await;
    let taken = server.address.to_string();
    second.run(&["serve", "--listen", &taken]).refused("cannot listen on");
    assert!(!second.data().exists(), "no data folder yet");
}

#[tokio::test]
async fn a_lost_key_file_refuses_to_start() {
    let home = Home::new();
    home.start("serve").await.stop().await;
    std::fs::remove_file(home.data().join("windfall.key")).unwrap();
    home.run(&["serve", "--listen", "127.0.0.1:0"]).refused("put the key file back");
}

/// It would open nothing that is stored, and find nobody.
#[tokio::test]
async fn another_key_file_refuses_to_start() {
    let (home, other) = (Home::new(), Home::new());
    for home in [&home, &other] {
        home.start("serve").await.stop().await;
    }
    std::fs::copy(other.data().join("windfall.key"), home.data().join("windfall.key")).unwrap();
    home.run(&["serve", "--listen", "127.0.0.1:0"]).refused("key_file_mismatch");
}

#[tokio::test]
async fn a_folder_that_was_only_migrated_serves() {
    let home = Home::new();
    home.run(&["migrate"]).ok();
    home.start("serve").await.stop().await;
}

/// A peer that says nothing is let go, and the machine's own administrator is never shut out by a crowd.
#[tokio::test]
async fn silent_connections_end_and_the_command_line_gets_through() {
    let few = ("WINDFALL__HTTP__MAX_CONNECTIONS", "8");
    let home = Home::with(&[few, ("WINDFALL__HTTP__HEADER_TIMEOUT_MS", "5000")]);
    let server = home.start("serve").await;
    let silent: Vec<_> = (0..8).map(|_| std::net::TcpStream::connect(server.address).unwrap()).collect();
    home.run(&["admin", "list-users"]).ok();
    for mut stream in silent {
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        let closed = std::io::Read::read(&mut stream, &mut [0; 64]);
        assert!(closed.is_ok(), "the server closes a silent connection by itself: {closed:?}");
    }
    // On a busy machine this client, too, may be silent for too long.
    let served = async || server.api("GET", "/time").attempt().await.filter(|answer| answer.status == 200);
    wait::until_async(LIMIT, "an answer", served).await.unwrap();
}

/// What shows codes to everybody is not served to everybody by accident.
#[test]
fn settings_that_would_let_anybody_in_are_refused() {
    for (command, settings, said) in [
        ("demo", vec![("WINDFALL__HTTP__LISTEN", "0.0.0.0:0")], "demo_public"),
        ("demo", vec![("WINDFALL__HTTP__LISTEN", "[::]:0")], "demo_public"),
        (
            "demo",
            vec![
                ("WINDFALL__HTTP__LISTEN", "127.0.0.1:0"),
                ("WINDFALL__HTTP__PUBLIC_URL", "https://play.example.com"),
            ],
            "demo_public",
        ),
        (
            "serve",
            vec![
                ("WINDFALL__HTTP__LISTEN", "127.0.0.1:0"),
                ("WINDFALL__HTTP__PUBLIC_URL", "https://play.example.com"),
            ],
            "code.sender",
        ),
        (
            "serve",
            vec![("WINDFALL__HTTP__LISTEN", "127.0.0.1:0"), ("WINDFALL__PAYMENTS__SECRET", "short")],
            "at least 24 characters",
        ),
    ] {
        let home = Home::with(&settings);
        home.run(&[command]).refused(said);
    }
}

#[test]
fn a_demo_for_others_is_asked_for_by_name() {
    let public = [("WINDFALL__DEMO", "true"), ("WINDFALL__HTTP__LISTEN", "0.0.0.0:0")];
    Home::with(&public).run(&["migrate"]).refused("demo_public");
    let asked_for = [&public[..], &[("WINDFALL__DEMO_PUBLIC", "true")]].concat();
    assert!(Home::with(&asked_for).run(&["migrate"]).out().contains("is at version"));
}

/// A start that cannot write says what the database says, and not what one request would hear.
#[tokio::test]
async fn a_start_that_cannot_write_says_why() {
    let mut home = Home::new();
    assert!(home.start("serve").await.stop().await.success());
    let pen = home.database();
    pen.execute_batch("BEGIN IMMEDIATE").unwrap();
    home.set("WINDFALL__SQLITE__BUSY_TIMEOUT_MS", "1");
    let refused = home.run(&["serve", "--listen", "127.0.0.1:0"]);
    refused.refused("cannot be written");
    refused.refused("database is locked");
}
