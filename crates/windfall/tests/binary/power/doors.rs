//! Every administrative door, and whether it refuses to be used for one's own account. A new door without a row fails.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::fixtures::made_key;
use crate::access::administrative;
use crate::activities::fixtures::Crew;
use crate::block_list;
use crate::client::Call;
use crate::draws::campaign::generous;
use crate::fulfilment::fixtures as fulfilment;
use crate::grants;
use crate::people::{Person, fresh_external};
use crate::process::{Server, shared};
use crate::sales::fixtures as sales;
use crate::shop::fixtures as shop;

/// Doors that give to, take from or speak for an account, and so never one's own.
const REFUSE: &[&str] = &[
    "POST /admin/users/{id}/points",
    "POST /admin/users/{id}/points/{n}/reverse",
    "PATCH /admin/users/{id}/facts",
    "POST /activities/{id}/grants",
    "POST /grants/{id}/reverse",
    "POST /behaviours",
    "POST /behaviours/{kind}/{id}/undo",
    "POST /admin/orders/{id}/refund",
    "POST /shop/orders/{id}/refund",
    "POST /fulfilments/{id}/release",
    "POST /fulfilments/{id}/ship",
    "POST /fulfilments/{id}/deliver",
    "POST /fulfilments/{id}/report",
    "POST /fulfilments/{id}/void",
    "DELETE /activities/{id}/block-list/{user}",
];

/// Doors where there is nothing to refuse, each with why.
const OTHERS: &[(&str, &str)] = &[
    ("PATCH /external-users/{external_id}/facts", "the same flow as PATCH /admin/users/{id}/facts"),
    ("DELETE /external-users/{external_id}", "an account without a phone, and never staff"),
    ("POST /fulfilments/{id}/redrive", "the same step as release"),
    ("PUT /admin/users/{id}/ban", "of oneself it is self_ban"),
    ("DELETE /admin/users/{id}/ban", "whoever is banned is not signed in"),
    ("POST /admin/users/{id}/sign-out", "one's own sessions are one's own"),
    ("POST /admin/users/{id}/roles", "another person approves"),
    ("POST /admin/users/{id}/second-factor/reset", "another person approves"),
    ("POST /admin/approvals/{id}/approve", "whoever asked or receives is refused by what is approved"),
    ("POST /admin/approvals/{id}/refuse", "nothing is given"),
    ("POST /admin/approvals/{id}/withdraw", "nothing is given"),
    ("POST /activities/{id}/block-list", "nobody gains by being on it"),
    ("POST /admin/appeals/{id}/decide", "about one's own text, or removed by oneself, it is own_work"),
    ("POST /admin/comments/{id}/moderate", "of one's own comment it is own_work"),
    ("POST /admin/posts/{id}/moderate", "of one's own post it is own_work"),
    ("POST /admin/reports/{id}/decide", "about oneself, or reported by oneself, it is own_work"),
    ("POST /admin/reports/{id}/disclose", "about oneself, or reported by oneself, it is own_work"),
    ("POST /outbox/dead-letters/redrive", "carries out what was decided before"),
    ("POST /outbox/dead-letters/{id}/redrive", "carries out what was decided before"),
];

/// Doors that are about no account at all.
const ABOUT_NOBODY: &[&str] = &[
    "/admin/keys",
    "/admin/jobs",
    "/admin/ledger",
    "/admin/halt",
    "/admin/quarantine",
    "/admin/words",
    "/inventory/",
    "/activities",
    "/trees",
    "/sales/",
    "/pictures",
    "/webhooks",
    "/grant-rules",
    "/shop/offers",
    "/code-pools",
];

#[test]
fn every_administrative_door_has_a_row() {
    let listed: BTreeSet<String> =
        REFUSE.iter().copied().chain(OTHERS.iter().map(|(door, _)| *door)).map(str::to_owned).collect();
    let mut doors = BTreeSet::new();
    for row in administrative() {
        doors.insert(row.name());
    }
    let about_an_account = |door: &&String| {
        let path = door.split_once(' ').unwrap().1;
        !ABOUT_NOBODY.iter().any(|start| path.starts_with(start))
            || path.contains("/grants")
            || path.contains("/block-list")
    };
    let missing: Vec<_> =
        doors.iter().filter(about_an_account).filter(|door| !listed.contains(*door)).collect();
    assert!(missing.is_empty(), "say in power/doors.rs what happens on one's own account: {missing:?}");
    let gone: Vec<_> = listed.iter().filter(|door| !doors.contains(*door)).collect();
    assert!(gone.is_empty(), "no such door any more: {gone:?}");
}

#[tokio::test]
async fn nobody_uses_a_door_for_their_own_account() {
    let (_, server) = shared().await;
    let me = server.person(&["operator", "admin"]).await;
    let key = made_key(server, &me, &["admin", "facts", "fulfil"]).await;
    for door in REFUSE {
        let (call, body) = request(server, &me, door).await;
        let open_to_keys = administrative().iter().any(|row| row.name() == *door && !row.scopes.is_empty());
        let mut calls = vec![("in person", call.clone().cookie(&me.cookie))];
        if open_to_keys {
            calls.push(("with a key", call.key(&key.secret)));
        }
        for (how, call) in calls {
            let call = body.clone().map_or(call.clone(), |body| call.json(body));
            let answer = call.send().await;
            let code = match *door {
                "POST /behaviours" => {
                    answer.json()["answers"][0]["problem"]["code"].as_str().map(str::to_owned)
                }
                _ => Some(answer.code()),
            };
            assert_eq!(code.as_deref(), Some("own_account"), "{door} {how}: {}", answer.text());
        }
    }
}

/// The door's request about somebody's own account.
async fn request(server: &Server, me: &Person, door: &str) -> (Call, Option<Value>) {
    let (method, path) = door.split_once(' ').unwrap();
    let because = json!({ "reason": "mine" });
    let (path, body) = match door {
        "POST /admin/users/{id}/points" => {
            (path.replace("{id}", &me.id), json!({ "points": 1, "reason": "mine" }))
        }
        "POST /admin/users/{id}/points/{n}/reverse" => {
            shop::points(server, &me.id, 5).await;
            (path.replace("{id}", &me.id).replace("{n}", "1"), because)
        }
        "PATCH /admin/users/{id}/facts" => (path.replace("{id}", &me.id), json!({ "vip": true })),
        "POST /activities/{id}/grants" => {
            let activity = Crew::new(server).await.publish(generous(9, 99)).await;
            let body =
                json!({ "user": me.id, "rule": "support", "period": "a", "chances": 1, "reason": "mine" });
            (path.replace("{id}", &activity), body)
        }
        "POST /grants/{id}/reverse" => {
            (path.replace("{id}", &grants::granted(server, &me.id).await), because)
        }
        "POST /behaviours" => {
            let one = json!({ "kind": grants::fresh_kind(), "id": "a", "user_id": me.id });
            (path.to_owned(), json!({ "behaviours": [one] }))
        }
        "POST /behaviours/{kind}/{id}/undo" => {
            let kind = grants::fresh_kind();
            grants::rule(server, &kind, grants::points(5)).await;
            grants::tell(server, &kind, "a", &me.id).expect(200).await;
            return (server.api(method, &format!("/behaviours/{kind}/a/undo")), None);
        }
        "POST /admin/orders/{id}/refund" => {
            let sale = sales::sale(server, json!({})).await;
            let order = sales::ordered(server, me, &sale, 1).await;
            sales::press(server, &order, "pay").expect(303).await;
            sales::comes_to(server, me, &order, "paid").await;
            (path.replace("{id}", &order), because)
        }
        "POST /shop/orders/{id}/refund" => {
            shop::points(server, &me.id, 10).await;
            let offer = shop::offer(server, json!({})).await;
            (path.replace("{id}", &shop::buy(server, me, &offer, 1).expect(201).await.member("id")), because)
        }
        "DELETE /activities/{id}/block-list/{user}" => {
            let activity = block_list::activity(server).await;
            let body = json!({ "users": [me.id], "reason": fresh_external() });
            server
                .console("POST", &format!("/activities/{activity}/block-list"))
                .json(body)
                .expect(200)
                .await;
            return (server.api(method, &path.replace("{id}", &activity).replace("{user}", &me.id)), None);
        }
        _ => {
            let (state, body) = match path.rsplit('/').next() {
                Some("ship") => ("to_ship", fulfilment::ship()),
                Some("deliver") => ("shipped", json!({})),
                Some("report") => ("shipped", json!({ "outcome": "given" })),
                _ => ("waiting", because),
            };
            (path.replace("{id}", &fulfilment::parcel(server, me, state).await), body)
        }
    };
    (server.api(method, &path), Some(body))
}
