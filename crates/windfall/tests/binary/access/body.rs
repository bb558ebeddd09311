//! What a row's request says: a body that fits.

use serde_json::{Value, json};

use super::caller::Actor;
use super::request::{hold_given, may_buy, own_address};
use super::table::Row;
use crate::activities::fixtures::{HOUR_MS, now_ms, running};
use crate::community::fixtures as community;
use crate::fulfilment::fixtures as fulfilment;
use crate::grants;
use crate::people::{Person, address, fresh_external, fresh_password, fresh_phone};
use crate::process::Server;
use crate::raffles;
use crate::sales::fixtures as sales;
use crate::shop::fixtures as shop;
use crate::trees::admission;
use crate::webhooks;

/// The row's body where it is no JSON, and what it is.
pub fn other(row: &Row) -> Option<(&'static str, Vec<u8>)> {
    match row.name().as_str() {
        "POST /code-pools/{id}/codes" | "POST /code-pools/{id}/codes/preview" => {
            Some(("text/plain", fresh_external().into_bytes()))
        }
        "POST /pictures" => Some(("image/png", sales::fresh_picture())),
        _ => None,
    }
}

/// The row's body; `None` when it takes none.
pub async fn body(
    server: &Server,
    row: &Row,
    (actor, owner): (&Actor, &Person),
    path: &str,
) -> Option<Value> {
    let phone = fresh_phone();
    Some(match row.name().as_str() {
        "POST /auth/codes" => json!({ "phone": phone, "purpose": "sign_in" }),
        "POST /auth/sign-in/code" => {
            json!({ "phone": phone, "code": server.code(&phone, "sign_in").await })
        }
        "POST /auth/sign-in/password" => {
            let person = server.person(&[]).await;
            json!({ "phone": person.phone, "password": person.password })
        }
        "POST /auth/register" => {
            let code = server.code(&phone, "register").await;
            json!({ "phone": phone, "code": code, "name": "新人", "password": fresh_password() })
        }
        "POST /auth/password/reset" => {
            let phone = server.person(&[]).await.phone;
            let code = server.code(&phone, "reset_password").await;
            json!({ "phone": phone, "code": code, "password": fresh_password() })
        }
        "POST /auth/links/redeem" => json!({ "token": link_token(server).await }),
        "PATCH /me" => json!({ "name": "新名字" }),
        "POST /me/addresses" | "PUT /me/addresses/{id}" => address("人民路 2 号"),
        "POST /me/codes" => json!({}),
        "POST /me/password" => json!({ "old_password": owner.password, "new_password": fresh_password() }),
        "POST /me/phone" => {
            let old_code = server.my_code(owner, None).await;
            let new_code = server.my_code(owner, Some(&phone)).await;
            json!({ "old_code": old_code, "new_phone": phone, "new_code": new_code })
        }
        "POST /me/second-factor/confirm" | "POST /me/second-factor/remove" => json!({ "code": "287082" }),
        "POST /admin/users/{id}/second-factor/reset" => json!({ "reason": "lost it" }),
        "POST /me/delete" => json!({ "code": server.my_code(owner, None).await }),
        "PATCH /external-users/{external_id}/facts" | "PATCH /admin/users/{id}/facts" => {
            json!({ "vip": true, "age": 30 })
        }
        "POST /admin/users" => json!({ "phone": phone, "roles": ["admin"] }),
        "PUT /admin/users/{id}/ban" => json!({ "reason": "fraud" }),
        "POST /admin/users/{id}/points" => json!({ "points": 5, "reason": "an apology" }),
        "POST /admin/users/{id}/points/{n}/reverse" => json!({ "reason": "by mistake" }),
        "POST /admin/users/{id}/roles" => json!({ "roles": ["operator"], "reason": "joins the team" }),
        "POST /admin/keys" => json!({ "name": "shop", "scopes": ["play"] }),
        "POST /admin/keys/{id}/rotate" => json!({ "overlap_hours": 1 }),
        "PATCH /admin/jobs/{name}" => json!({ "paused": false }),
        "POST /admin/ledger/reconcile" => json!({ "fix": true, "reason": "the yearly look" }),
        "POST /admin/backups" => json!({ "into": "/nowhere" }),
        "POST /admin/quarantine/messages" => {
            json!({ "act": "release", "lane": "coupons", "reason": "looked at" })
        }
        "POST /admin/quarantine/code-pools/{id}/release" => json!({ "skip": 1, "reason": "looked at" }),
        "POST /activities/simulate" => crate::simulate::small(10, 2),
        "POST /inventory/pools" => json!({ "id": fresh_external(), "name": fresh_external(), "total": 5 }),
        "POST /inventory/batch" => json!({ "commands": [{ "do": "cancel", "id": fresh_external() }] }),
        "POST /inventory/holds" => hold_given(server).await.1,
        "POST /inventory/holds/{id}/confirm" => json!({}),
        "POST /inventory/holds/{id}/extend" => json!({ "until_ms": 1 }),
        "POST /inventory/pools/{name}/restock" => {
            json!({ "id": fresh_external(), "quantity": 1, "reason": "more" })
        }
        "POST /inventory/pools/{name}/adjust" => {
            json!({ "id": fresh_external(), "delta": -1, "reason": "broken" })
        }
        "POST /inventory/pools/{name}/limit" => json!({ "id": fresh_external(), "owner_max": 2 }),
        "POST /inventory/pools/{name}/reopen" => {
            json!({ "id": fresh_external(), "round": 2, "total": 5, "owner_max": 0 })
        }
        "POST /play/activities/{id}/draws"
        | "POST /play/trees/{id}/draws"
        | "POST /play/activities/{id}/entries" => json!({ "id": fresh_external() }),
        "POST /shop/{id}/orders" => json!({ "quantity": 1 }),
        "POST /sales/{id}/attempts" => {
            let sale = path.split('/').nth(2).unwrap();
            json!({ "token": may_buy(server, sale, |call| actor.sign(call)).await.unwrap_or_default() })
        }
        "POST /attempts" => {
            let sale = sales::sale(server, json!({})).await;
            let token = may_buy(server, &sale, |call| actor.sign(call)).await.unwrap_or_default();
            json!({ "lines": [{ "sale": sale, "token": token }] })
        }
        "PUT /orders/{id}/address" => json!({ "address_id": own_address(server, actor, owner).await }),
        "POST /admin/orders/{id}/refund" => json!({ "reason": "it broke" }),
        "POST /payments/{provider}/callback" => {
            json!({ "order": "5", "reference": "a", "amount_minor": 5, "currency": "CNY" })
        }
        "POST /sales/{id}/restock" => json!({ "id": fresh_external(), "delta": 1, "reason": "more" }),
        "POST /sales/{id}/extend" => json!({ "until": now_ms() + 9 * HOUR_MS, "reason": "so many ask" }),
        "POST /shop/offers" => shop::tea(json!({})),
        "PATCH /shop/offers/{id}" => json!({ "edition": 1, "state": "on" }),
        "POST /shop/offers/{id}/restock" => {
            json!({ "id": fresh_external(), "delta": 1, "reason": "a delivery" })
        }
        "POST /grant-rules" => {
            let mut rule = grants::new_rule(&grants::fresh_kind(), grants::points(5));
            // So little that its maker may allow it alone.
            rule["cap_total"] = json!(50);
            rule
        }
        "PATCH /grant-rules/{id}" => json!({ "edition": 1, "on": false }),
        "POST /grants/{id}/reverse" => json!({ "reason": "by mistake" }),
        "POST /posts" => community::written("Snow"),
        "POST /threads/{on}/{id}/comments" => json!({ "text": "Good luck" }),
        "POST /reports" => {
            let somebody = server.person(&[]).await.id;
            json!({ "on": "person", "id": somebody, "reason": "spam" })
        }
        "POST /admin/words" => {
            json!({ "set": [{ "word": fresh_external(), "action": "mask" }], "reason": "spam" })
        }
        "POST /admin/words/try" => json!({ "text": "Some words" }),
        "POST /me/decisions/{id}/appeal" => json!({ "text": "It is about snow" }),
        "POST /admin/appeals/{id}/decide" => json!({ "granted": true, "reason": "it is about snow" }),
        "POST /admin/reports/{id}/decide" => json!({ "upheld": false, "reason": "nothing wrong" }),
        "POST /admin/reports/{id}/disclose" => json!({ "reason": "to judge it" }),
        "POST /me/notifications/read" => json!({ "until": "1763450000000-1" }),
        "PUT /me/notification-settings" => json!({ "off": ["like"] }),
        "POST /users/{id}/messages" => json!({ "text": "Hello" }),
        "POST /users/{id}/messages/read" => json!({ "until": 1 }),
        "POST /admin/comments/{id}/moderate" => json!({ "removed": true, "reason": "off topic" }),
        // Before anybody's account was made.
        "POST /me/check-in/make-up" => json!({ "day": "2000-01-01" }),
        // Their own: nobody invites themselves.
        "PUT /me/inviter" => {
            let made = actor.sign(server.api("PUT", "/me/invites")).send().await;
            let code = if made.status == 200 { made.member("code") } else { "22222222".to_owned() };
            json!({ "code": code })
        }
        "POST /posts/preview" => json!({ "body": "Some **words**." }),
        "PUT /posts/{id}" => json!({ "version": 1, "title": "Rain", "body": "It rains." }),
        "POST /admin/posts/{id}/moderate" => json!({ "act": "feature", "reason": "worth reading" }),
        "POST /behaviours" => {
            let somebody = server.person(&[]).await.id;
            let one = json!({ "kind": grants::fresh_kind(), "id": "a", "user_id": somebody });
            json!({ "behaviours": [one] })
        }
        "POST /code-pools" => json!({ "name": fresh_external() }),
        "POST /code-pools/{id}/retire" => json!({ "codes": ["nobody's"], "reason": "taken back" }),
        "PATCH /code-pools/{id}" => json!({ "low_below": 7 }),
        "POST /webhooks" => webhooks::given("https://example.com/hook", &["win.made"]),
        "PATCH /webhooks/{id}" => json!({ "kinds": ["*"] }),
        "POST /webhooks/{id}/rotate" => json!({ "overlap_hours": 1 }),
        "POST /webhooks/{id}/replay" => json!({ "from_ms": 0, "until_ms": 1 }),
        "POST /trees" => admission(18),
        "PUT /trees/{id}" => {
            let mut tree = admission(21);
            tree["version"] = json!(1);
            tree
        }
        "POST /trees/{id}/dry-run" => json!({ "facts": { "age": 18 } }),
        "POST /trees/dry-run" => json!({ "tree": admission(18), "facts": { "age": 18 } }),
        "POST /activities/{id}/block-list" => json!({ "users": [owner.id], "reason": "scripted" }),
        name if name.starts_with("POST /inventory/pools/{name}/") => {
            json!({ "id": fresh_external(), "reason": "stocktaking" })
        }
        name if name.starts_with("POST /admin/approvals/") => json!({ "reason": "looked at it" }),
        "POST /activities" | "PUT /activities/{id}" => running(),
        "POST /activities/{id}/clone" => json!({}),
        "POST /activities/{id}/discard" => json!({ "edition": 1 }),
        "POST /activities/{id}/prizes/{prize}/restock" => {
            json!({ "id": fresh_external(), "delta": 1, "reason": "more" })
        }
        "POST /me/wins/{id}/claim" | "POST /fulfilments/{id}/deliver" => json!({}),
        "POST /fulfilments/{id}/ship" => fulfilment::ship(),
        "POST /fulfilments/{id}/report" => json!({ "outcome": "given" }),
        "POST /outbox/dead-letters/redrive" => {
            json!({ "lane": "returns", "limit": 1, "reason": "the cause is gone" })
        }
        name if name.starts_with("POST /fulfilments/")
            || name.starts_with("POST /outbox/")
            || name == "POST /shop/orders/{id}/refund" =>
        {
            fulfilment::because()
        }
        "POST /activities/{id}/raffle/beacon" => json!({ "value": raffles::VALUE }),
        name if name.starts_with("POST /activities/{id}/prizes/") => {
            json!({ "id": fresh_external(), "reason": "a defect" })
        }
        "POST /activities/{id}/grants" => {
            let user = server.person(&[]).await.id;
            json!({ "user": user, "rule": "support", "period": fresh_external(), "chances": 2,
                "reason": "an apology" })
        }
        // Off, so that nobody else is stopped.
        "POST /admin/halt" => json!({ "on": false, "reason": "tried out" }),
        name if name.starts_with("POST /activities/{id}/") => json!({ "reason": "as planned" }),
        _ => return None,
    })
}

async fn link_token(server: &Server) -> String {
    let key = server.new_key(&["play"]).await;
    let call = server.api("POST", "/links").key(&key.secret).header("windfall-user", fresh_external());
    let url = call.expect(201).await.member("url");
    url.split_once('#').unwrap().1.to_owned()
}
