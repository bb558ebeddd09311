//! Many connections, and peers that take nothing.

use std::process::Command;

use super::raw::{Raw, all_closed};
use crate::process::Home;

#[tokio::test]
async fn an_address_has_so_many_connections_and_those_it_has_are_served() {
    let home = Home::with(&[("WINDFALL__HTTP__CONNECTIONS_OF_ADDRESS_MAX", "4")]);
    let server = home.start("serve").await;
    let mut kept = Vec::new();
    for _ in 0..4 {
        let mut raw = Raw::connect(&server).await;
        assert_eq!(raw.get("/healthz").await.status(), 200);
        kept.push(raw);
    }
    for _ in 0..20 {
        assert!(Raw::connect(&server).await.is_closed().await, "one too many");
    }
    for raw in &mut kept {
        assert_eq!(raw.get("/healthz").await.status(), 200, "those who are here are served");
    }
    let words = "an address has as many connections as it may";
    server.logged(words).await;
    assert_eq!(server.log().matches(words).count(), 1, "said once, not for each");
    // A place that was given back is somebody's.
    kept.pop();
    while !{
        let mut raw = Raw::connect(&server).await;
        raw.try_write("GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n").await
            && raw.answer().await.is_ok_and(|answer| answer.is_some())
    } {}
}

#[tokio::test]
async fn a_trusted_proxy_brings_as_many_as_it_likes() {
    let settings = [
        ("WINDFALL__HTTP__CONNECTIONS_OF_ADDRESS_MAX", "2"),
        ("WINDFALL__HTTP__TRUSTED_PROXIES", "127.0.0.1"),
    ];
    let home = Home::with(&settings);
    let server = home.start("serve").await;
    let mut kept = Vec::new();
    for _ in 0..20 {
        let mut raw = Raw::connect(&server).await;
        assert_eq!(raw.get("/healthz").await.status(), 200);
        kept.push(raw);
    }
}

#[tokio::test]
async fn at_the_limit_those_who_are_here_are_served_and_the_log_says_so_once() {
    let home = Home::with(&[("WINDFALL__HTTP__MAX_CONNECTIONS", "3")]);
    let server = home.start("serve").await;
    let mut kept = Vec::new();
    for _ in 0..3 {
        let mut raw = Raw::connect(&server).await;
        assert_eq!(raw.get("/healthz").await.status(), 200);
        kept.push(raw);
    }
    let mut late = Vec::new();
    for _ in 0..5 {
        let mut raw = Raw::connect(&server).await;
        raw.write("GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").await;
        late.push(raw);
    }
    let words = "all connections are taken";
    server.logged(words).await;
    for raw in &mut kept {
        assert_eq!(raw.get("/healthz").await.status(), 200);
    }
    assert!(late.iter().all(Raw::is_silent), "they wait");
    kept.pop();
    for raw in &mut late {
        assert_eq!(raw.answer().await.unwrap().expect("their turn").status(), 200);
    }
    assert_eq!(server.log().matches(words).count(), 1, "said once, not for each");
}

/// It asks for a lot and reads nothing: what is sent to it piles up as far as the system lets it, and no further.
#[tokio::test]
async fn a_peer_that_takes_nothing_is_let_go_of() {
    let home = Home::with(&[("WINDFALL__HTTP__WRITE_TIMEOUT_MS", "500")]);
    let server = home.start("serve").await;
    let mut raw = Raw::connect(&server).await;
    let ask = "GET /api/v1/openapi.json HTTP/1.1\r\nhost: a\r\n\r\n";
    // Asked for until the server reads no more of it, because it cannot write.
    for _ in 0..200 {
        if !raw.try_write(ask).await {
            break;
        }
    }
    all_closed(&server).await;
    drop(raw);
}

/// A process that may open few files serves few, and says so; one that may open next to none does not start.
#[test]
fn the_limit_of_open_files_is_looked_at_before_anything_is_served() {
    let home = Home::new();
    let limited = |files: u32, arguments: &[&str]| {
        let command = home.command(arguments);
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -n {files} && exec \"$0\" \"$@\"")]);
        shell.arg(command.get_program()).args(command.get_args()).current_dir(home.path());
        shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let out = shell.output().unwrap();
        (out.status.success(), String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned())
    };
    let (started, said) = limited(100, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(!started && said.contains("open_files_limit"), "{said}");
    assert!(!home.data().exists(), "nothing was written");
    let (_, said) = limited(300, &["doctor"]);
    assert!(said.contains("44") && said.contains("LimitNOFILE"), "{said}");
}
