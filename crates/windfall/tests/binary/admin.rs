//! `windfall admin …`: the same with a running server, over its socket, and on the folder alone.

use serde_json::json;

use crate::people::{fresh_password, fresh_phone};
use crate::process::Home;

fn last_digits(phone: &str) -> &str {
    &phone[phone.len() - 2..]
}

/// Makes an account, finds it, bans it and lifts the ban; answers its id.
fn go_through(home: &Home, phone: &str, password: &str) -> String {
    let create =
        ["admin", "create-user", "--phone", phone, "--name", "冬至", "--role", "admin", "--password-stdin"];
    let id = home.run_with_input(&create, &format!("{password}\n")).ok();
    assert!(!id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()), "{id}");
    let again = home.run(&["admin", "create-user", "--phone", phone]).ok();
    assert_eq!(again, id, "the phone's account is answered, not made twice");

    let line = |arguments: &[&str]| -> Option<String> {
        let table = home.run(&[&["admin", "list-users"], arguments].concat()).ok();
        table.lines().find(|line| line.contains(&id)).map(str::to_owned)
    };
    let listed = line(&["--role", "admin"]).expect("it is listed");
    assert!(listed.contains("冬至") && listed.contains("player admin"), "{listed}");
    assert!(!listed.contains(phone) && listed.contains(last_digits(phone)), "masked: {listed}");
    assert_eq!(line(&["--role", "reviewer"]), None);
    assert_eq!(line(&["--banned"]), None);

    home.run(&["admin", "ban", &id, "--reason", "对不上账", "--days", "7"]).ok();
    assert!(line(&["--banned"]).is_some_and(|line| line.contains("对不上账")));
    home.run(&["admin", "unban", &id]).ok();
    assert_eq!(line(&["--banned"]), None);

    home.run(&["admin", "ban", "1", "--reason", "x"]).refused("not_found");
    home.run(&["admin", "ban", &id, "--reason", ""]).refused("invalid_field");
    home.run(&["admin", "create-user", "--phone", "12"]).refused("invalid_field");
    home.run(&["admin", "create-user", "--phone", &fresh_phone(), "--role", "king"]).refused("invalid_field");
    home.run(&["admin", "create-key", "--name", "k", "--scope", "root"]).refused("invalid_field");
    id
}

#[tokio::test]
async fn accounts_and_keys_on_a_running_server() {
    let home = Home::new();
    let server = home.start("serve").await;
    let (phone, password) = (fresh_phone(), fresh_password());
    let id = go_through(&home, &phone, &password);
    let cookie = server.sign_in(&phone, &password).await;
    let me = server.api("GET", "/me").cookie(&cookie).expect(200).await;
    assert_eq!((me.member("id"), me.json()["roles"].clone()), (id.clone(), json!(["player", "admin"])));

    let secret =
        home.run(&["admin", "create-key", "--name", "shop", "--scope", "play", "--scope", "read"]).ok();
    let keys = server.api("GET", "/admin/keys").cookie(&cookie).expect(200).await.items();
    assert_eq!((&keys[0]["name"], &keys[0]["scopes"]), (&json!("shop"), &json!(["play", "read"])));
    server.api("GET", "/admin/users").key(&secret).expect(200).await;
    server.api("GET", "/admin/keys").key(&secret).refused(403, "scope_missing").await;

    // A ban by the command line is at once, and both are in the audit log under the machine's own name.
    home.run(&["admin", "ban", &id, "--reason", "fraud"]).ok();
    server.api("GET", "/me").cookie(&cookie).refused(401, "unauthenticated").await;
    let log = server.console("GET", &format!("/admin/audit?subject=user:{id}")).expect(200).await.items();
    assert_eq!((&log[0]["action"], &log[0]["actor"]), (&json!("user.ban"), &json!({ "kind": "console" })));
    assert_eq!((&log[0]["before"], &log[0]["after"]["reason"]), (&json!(null), &json!("fraud")));
}

#[tokio::test]
async fn accounts_and_keys_on_a_folder_without_a_server() {
    let home = Home::new();
    let (phone, password) = (fresh_phone(), fresh_password());
    let id = go_through(&home, &phone, &password);
    let secret = home.run(&["admin", "create-key", "--name", "shop", "--scope", "read"]).ok();
    let server = home.start("serve").await;
    let cookie = server.sign_in(&phone, &password).await;
    assert_eq!(server.api("GET", "/me").cookie(&cookie).expect(200).await.member("id"), id);
    server.api("GET", "/admin/users").key(&secret).expect(200).await;
}

/// What the socket grants is for this user of the machine.
#[tokio::test]
async fn the_socket_of_the_command_line_is_closed_to_others() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let server = home.demo().await;
    for (file, mode) in [("admin.sock", 0o600), ("windfall.key", 0o600), ("", 0o700)] {
        let found = std::fs::metadata(home.data().join(file)).unwrap().permissions().mode() & 0o777;
        assert_eq!(found, mode, "{file:?} has mode {found:o}");
    }
    server.stop().await;
    assert!(!home.data().join("admin.sock").exists(), "gone with the server");
}
