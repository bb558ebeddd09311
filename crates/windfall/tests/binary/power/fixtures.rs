//! Admins and the keys they make.

use serde_json::json;

use crate::client::{Answer, Call};
use crate::people::{Key, Person, fresh_external};
use crate::process::Server;

pub fn ask_key(server: &Server, maker: &Person, scopes: &[&str]) -> Call {
    server.by(maker, "POST", "/admin/keys").json(json!({ "name": fresh_external(), "scopes": scopes }))
}

pub fn key_of(made: &Answer) -> Key {
    Key { id: made.member("id"), secret: made.member("secret") }
}

pub fn approve(server: &Server, by: &Person, approval: &str) -> Call {
    server.by(by, "POST", &format!("/admin/approvals/{approval}/approve")).json(json!({}))
}

/// A key that somebody made; one with `admin` after another admin has approved it.
pub async fn made_key(server: &Server, maker: &Person, scopes: &[&str]) -> Key {
    let made = ask_key(server, maker, scopes).send().await;
    if scopes.contains(&"admin") {
        assert_eq!(made.status, 202, "{}", made.text());
        let second = server.person(&["admin"]).await;
        approve(server, &second, &made.member("approval_id")).expect(200).await;
    } else {
        assert_eq!(made.status, 201, "{}", made.text());
    }
    key_of(&made)
}
