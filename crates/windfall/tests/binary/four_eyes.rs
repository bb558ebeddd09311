//! Roles change by two people: one asks, another decides, and the log says who and what.

use serde_json::{Value, json};

use crate::people::{Person, fresh_external};
use crate::process::{Home, Server, shared};

async fn ask(server: &Server, admin: &Person, user: &str, roles: &[&str]) -> String {
    let body = json!({ "roles": roles, "reason": "joins the team" });
    let asked = server.by(admin, "POST", &format!("/admin/users/{user}/roles")).json(body).expect(202).await;
    let id = asked.member("approval_id");
    assert_eq!(asked.header("location"), format!("/api/v1/admin/approvals/{id}"));
    id
}

fn decide(server: &Server, admin: &Person, id: &str, word: &str) -> crate::client::Call {
    let path = format!("/admin/approvals/{id}/{word}");
    server.by(admin, "POST", &path).json(json!({ "reason": "looked at it" }))
}

async fn state(server: &Server, admin: &Person, id: &str) -> Value {
    server.by(admin, "GET", &format!("/admin/approvals/{id}")).expect(200).await.json()["state"].clone()
}

#[tokio::test]
async fn one_asks_and_another_approves() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&["admin"]).await, server.person(&["admin"]).await);
    let person = server.person(&[]).await;
    server.by(&person, "GET", "/admin/jobs").refused(403, "forbidden").await;
    let id = ask(server, &ann, &person.id, &["operator", "reviewer"]).await;
    decide(server, &ann, &id, "approve").refused(403, "own_work").await;
    decide(server, &ann, &id, "refuse").refused(403, "own_work").await;
    server.by(&person, "GET", "/admin/jobs").refused(403, "forbidden").await;

    let done = decide(server, &bob, &id, "approve").expect(200).await.json();
    assert_eq!((&done["state"], &done["decided_by"]["id"]), (&json!("approved"), &json!(bob.id)));
    server.by(&person, "GET", "/admin/jobs").expect(200).await;
    decide(server, &bob, &id, "approve").expect(200).await;
    decide(server, &bob, &id, "refuse").refused(409, "already_decided").await;
    decide(server, &ann, &id, "withdraw").refused(409, "already_decided").await;

    let log = |query: String| server.by(&ann, "GET", &format!("/admin/audit?{query}")).expect(200);
    let roles = log(format!("subject=user:{}&action=user.roles", person.id)).await.items();
    assert_eq!(roles.len(), 1, "carried out once");
    assert_eq!(roles[0]["before"], json!({ "roles": ["player"] }));
    assert_eq!(roles[0]["after"], json!({ "roles": ["player", "operator", "reviewer"] }));
    assert_eq!(roles[0]["actor"], json!({ "kind": "person", "id": bob.id }));
    let steps = log(format!("subject=approval:{id}")).await.items();
    let told: Vec<_> = steps.iter().map(|line| (&line["action"], &line["actor"]["id"])).collect();
    assert_eq!(
        told,
        [(&json!("approval.approve"), &json!(bob.id)), (&json!("approval.ask"), &json!(ann.id))]
    );
    assert_eq!(
        (&steps[0]["before"], &steps[0]["after"]),
        (&json!({ "state": "waiting" }), &json!({ "state": "approved" }))
    );
}

#[tokio::test]
async fn a_role_taken_away_is_gone_with_the_next_request() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&["admin"]).await, server.person(&["admin"]).await);
    server.by(&bob, "GET", "/admin/keys").expect(200).await;
    let cal = server.person(&["admin"]).await;
    let id = ask(server, &ann, &bob.id, &[]).await;
    decide(server, &cal, &id, "approve").expect(200).await;
    server.by(&bob, "GET", "/admin/keys").refused(403, "forbidden").await;
    server.by(&bob, "GET", "/me").expect(200).await;
}

#[tokio::test]
async fn only_the_author_withdraws_and_a_refusal_changes_nothing() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&["admin"]).await, server.person(&["admin"]).await);
    let person = server.person(&[]).await;
    let id = ask(server, &ann, &person.id, &["operator"]).await;
    decide(server, &bob, &id, "withdraw").refused(404, "not_found").await;
    decide(server, &ann, &id, "withdraw").expect(200).await;
    assert_eq!(state(server, &ann, &id).await, "withdrawn");
    decide(server, &bob, &id, "approve").refused(409, "already_decided").await;

    let id = ask(server, &ann, &person.id, &["operator"]).await;
    decide(server, &bob, &id, "refuse").expect(200).await;
    assert_eq!(state(server, &ann, &id).await, "refused");
    let me = server.by(&person, "GET", "/me").expect(200).await.json();
    assert_eq!(me["roles"], json!(["player"]));
}

#[tokio::test]
async fn a_key_is_nobodys_second_pair_of_eyes() {
    let (_, server) = shared().await;
    let (key, person) = (server.new_key(&["admin"]).await, server.person(&[]).await);
    let (path, body) =
        (format!("/admin/users/{}/roles", person.id), json!({ "roles": ["operator"], "reason": "new" }));
    // An admin who makes a key could otherwise ask with it and approve in person.
    server.api("POST", &path).key(&key.secret).json(body.clone()).refused(403, "people_only").await;
    let id = server.console("POST", &path).json(body).expect(202).await.member("approval_id");
    let approve = server.api("POST", &format!("/admin/approvals/{id}/approve")).key(&key.secret);
    approve.json(json!({})).refused(403, "people_only").await;
    let ann = server.person(&["admin"]).await;
    decide(server, &ann, &id, "approve").expect(200).await;
}

#[tokio::test]
async fn the_last_admin_stays() {
    let home = Home::new();
    let server = home.start("serve").await;
    let admin = server.person(&["admin"]).await;
    let body = json!({ "roles": [], "reason": "tidying up" });
    let ask = server.console("POST", &format!("/admin/users/{}/roles", admin.id)).json(body);
    let id = ask.expect(202).await.member("approval_id");
    decide(&server, &admin, &id, "approve").refused(409, "last_admin").await;
    assert_eq!(state(&server, &admin, &id).await, "waiting", "the decision was not recorded either");
    let ban = server.by(&admin, "PUT", &format!("/admin/users/{}/ban", admin.id));
    ban.json(json!({ "reason": "x" })).refused(409, "self_ban").await;
    // With a second one it goes through.
    server.person(&["admin"]).await;
    decide(&server, &admin, &id, "approve").expect(200).await;
    server.by(&admin, "GET", "/admin/keys").refused(403, "forbidden").await;
}

/// The command line is a second person too.
#[tokio::test]
async fn the_command_line_decides() {
    let (home, server) = shared().await;
    let (admin, person) = (server.person(&["admin"]).await, server.person(&[]).await);
    let ask = |role: &str| {
        let body = json!({ "roles": [role], "reason": "joins the team" });
        server.by(&admin, "POST", &format!("/admin/users/{}/roles", person.id)).json(body).expect(202)
    };
    let (first, second) =
        (ask("operator").await.member("approval_id"), ask("reviewer").await.member("approval_id"));
    assert!(home.run(&["admin", "approvals"]).ok().contains(&first));
    assert_eq!(home.run(&["admin", "approve", &first]).ok(), format!("{first} is approved"));
    assert_eq!(
        home.run(&["admin", "refuse", &second, "--reason", "not now"]).ok(),
        format!("{second} is refused")
    );
    let me = server.by(&person, "GET", "/me").expect(200).await.json();
    assert_eq!(me["roles"], json!(["player", "operator"]));
    home.run(&["admin", "approve", &second]).refused("already_decided");
}

/// A key that plays must not become one that administers.
#[tokio::test]
async fn a_play_key_does_not_act_for_staff() {
    let (_, server) = shared().await;
    let (admin, key, external) =
        (server.person(&["admin"]).await, server.new_key(&["play"]).await, fresh_external());
    let call = |method: &str, path: &str| {
        server.api(method, path).key(&key.secret).header("windfall-user", &external)
    };
    let user = call("GET", "/me").expect(200).await.member("id");
    let body = json!({ "roles": ["admin"], "reason": "by mistake" });
    let ask = server.console("POST", &format!("/admin/users/{user}/roles")).json(body).expect(202).await;
    decide(server, &admin, &ask.member("approval_id"), "approve").expect(200).await;
    call("GET", "/me").refused(403, "people_only").await;
    call("POST", "/links").refused(403, "people_only").await;
}
