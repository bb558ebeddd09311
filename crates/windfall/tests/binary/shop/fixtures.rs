//! Offers, and people with points.

use serde_json::{Value, json};

use crate::client::Call;
use crate::people::{Person, fresh_external};
use crate::process::Server;

/// A parcel for ten points, five of them.
#[allow(clippy::needless_pass_by_value)] // Reads as `json!` at the call.
pub fn tea(change: Value) -> Value {
    let mut offer = json!({ "name": "green tea", "kind": "parcel", "price": 10, "stock": 5 });
    offer.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    offer
}

/// An offer as it begins.
pub async fn draft(server: &Server, change: Value) -> String {
    server.console("POST", "/shop/offers").json(tea(change)).expect(201).await.member("id")
}

pub fn edit(server: &Server, id: &str, change: Value) -> Call {
    server.console("PATCH", &format!("/shop/offers/{id}")).json(change)
}

/// An offer that is on.
pub async fn offer(server: &Server, change: Value) -> String {
    let id = draft(server, change).await;
    edit(server, &id, json!({ "edition": 1, "state": "on" })).expect(200).await;
    id
}

pub async fn points(server: &Server, user: &str, points: i64) {
    let body = json!({ "points": points, "reason": "a start" });
    server.console("POST", &format!("/admin/users/{user}/points")).json(body).expect(200).await;
}

/// Somebody with so many points.
pub async fn rich(server: &Server, amount: i64) -> Person {
    let person = server.person(&[]).await;
    points(server, &person.id, amount).await;
    person
}

pub fn buy(server: &Server, who: &Person, offer: &str, quantity: i64) -> Call {
    server.by(who, "POST", &format!("/shop/{offer}/orders")).json(json!({ "quantity": quantity }))
}

/// An order that is done, of somebody's.
pub async fn bought(server: &Server) -> String {
    let (offer, who) = (offer(server, json!({})).await, rich(server, 10).await);
    buy(server, &who, &offer, 1).expect(201).await.member("id")
}

/// Asked for by one and approved by another.
pub async fn refund(server: &Server, order: &str) -> Value {
    let (operator, admin) = (server.person(&["operator"]).await, server.person(&["admin"]).await);
    let ask = server.by(&operator, "POST", &format!("/shop/orders/{order}/refund"));
    let approval = ask.json(json!({ "reason": "a broken cup" })).expect(202).await.member("approval_id");
    let approve = server.by(&admin, "POST", &format!("/admin/approvals/{approval}/approve"));
    approve.json(json!({})).expect(200).await.json()
}

pub fn restock(server: &Server, offer: &str, delta: i64) -> Call {
    let body = json!({ "id": fresh_external(), "delta": delta, "reason": "a delivery" });
    server.console("POST", &format!("/shop/offers/{offer}/restock")).json(body)
}

pub async fn balance(server: &Server, who: &Person) -> Value {
    server.by(who, "GET", "/me/points").expect(200).await.json()["balance"].clone()
}

/// Pieces left, as everybody sees it.
pub async fn left(server: &Server, offer: &str) -> Value {
    server.api("GET", &format!("/shop/{offer}")).expect(200).await.json()["left"].clone()
}
