//! What points buy and what draws give: one person alone puts out only so many pieces, at whatever price.

use serde_json::{Value, json};

use super::fixtures::{approve, made_key};
use crate::activities::fixtures::Crew;
use crate::backend::settled;
use crate::draws::campaign::generous;
use crate::people::{Person, fresh_external};
use crate::process::{Home, Server};
use crate::shop::fixtures::{buy, edit, offer, rich, tea};

/// What one person may put out in a day here.
const ALONE: i64 = 10;

async fn start() -> (Home, Server) {
    let home = Home::with(&[("WINDFALL__ALONE__PIECES_DAILY_MAX", "10")]);
    let server = home.start("serve").await;
    (home, server)
}

fn restock(delta: i64) -> Value {
    json!({ "id": fresh_external(), "delta": delta, "reason": "a delivery" })
}

async fn left(server: &Server, by: &Person, offer: &str) -> Value {
    let all = server.by(by, "GET", "/shop/offers").expect(200).await.items();
    all.into_iter().find(|one| one["id"] == offer).unwrap()["left"].clone()
}

#[tokio::test]
async fn hole_71_offers_and_prizes_beyond_a_day_take_two_people() {
    let (_home, server) = start().await;
    let server = &server;
    let (ann, bob) =
        (server.person(&["operator", "admin"]).await, server.person(&["operator", "admin"]).await);
    let key = made_key(server, &ann, &["admin"]).await;

    // A prize for one point, a million of them: the offer is there, and its shelf is empty.
    let phones = tea(json!({ "name": "phone", "price": 1, "stock": 1_000_000 }));
    server
        .api("POST", "/shop/offers")
        .key(&key.secret)
        .json(phones.clone())
        .refused(403, "pieces_alone_max")
        .await;
    let none = server.by(&ann, "GET", "/shop/offers").expect(200).await.items();
    assert!(none.is_empty(), "a refusal leaves no draft: {none:?}");
    let made = server.by(&ann, "POST", "/shop/offers").json(phones).expect(202).await;
    let (id, approval) = (made.member("id"), made.member("approval_id"));
    let on = json!({ "edition": 1, "state": "on" });
    server.by(&ann, "PATCH", &format!("/shop/offers/{id}")).json(on).expect(200).await;
    let buyer = rich(server, 100).await;
    buy(server, &buyer, &id, 1).refused(409, "sold_out").await;
    approve(server, &ann, &approval).refused(403, "own_work").await;
    let shown = server.by(&bob, "GET", &format!("/admin/approvals/{approval}")).expect(200).await.json();
    let request = &shown["request"];
    assert_eq!(
        (&request["kind"], &request["delta"], &request["price"]),
        (&json!("restock_offer"), &json!(1_000_000), &json!(1)),
        "whoever approves sees what is given for what: {shown}"
    );
    approve(server, &bob, &approval).expect(200).await;
    let look = || server.api("GET", &format!("/shop/{id}"));
    settled(look, |answer| answer.json()["left"] == 1_000_000).await;
    buy(server, &buyer, &id, 1).expect(201).await;

    // Below the cap one person is enough, in person and with keys together; the same command again counts once.
    let path = format!("/shop/offers/{id}/restock");
    let six = restock(6);
    for _ in 0..2 {
        server.api("POST", &path).key(&key.secret).json(six.clone()).expect(200).await;
    }
    server.by(&ann, "POST", &path).json(restock(ALONE - 6)).expect(200).await;
    server.api("POST", &path).key(&key.secret).json(restock(1)).refused(403, "pieces_alone_max").await;
    server.by(&ann, "POST", &path).json(six).expect(200).await;
    assert_eq!(left(server, &ann, &id).await, 1_000_000 - 1 + ALONE);
    let more = server.by(&ann, "POST", &path).json(restock(1)).expect(202).await;
    // Fewer is anybody's to say.
    server.by(&ann, "POST", &path).json(restock(-1)).expect(200).await;
    let refuse = format!("/admin/approvals/{}/refuse", more.member("approval_id"));
    server.by(&bob, "POST", &refuse).json(json!({})).expect(200).await;
    assert_eq!(left(server, &ann, &id).await, 1_000_000 - 2 + ALONE, "refused: none came");

    // The prizes of a running activity were reviewed; how many more there are is nobody's alone.
    let activity = Crew::new(server).await.publish(generous(9, 9)).await;
    let path = format!("/activities/{activity}/prizes/0/restock");
    server.by(&ann, "POST", &path).json(restock(1)).refused(403, "pieces_alone_max").await;
    server.by(&bob, "POST", &path).json(restock(ALONE)).expect(200).await;
}

#[tokio::test]
async fn a_lower_price_for_many_pieces_takes_two_people() {
    let (_home, server) = start().await;
    let server = &server;
    let (ann, bob) = (server.person(&["operator", "admin"]).await, server.person(&["admin"]).await);
    let id = offer(server, json!({ "price": 5_000, "stock": 1_000 })).await;
    let path = format!("/shop/offers/{id}");
    let change = |body: Value| server.by(&ann, "PATCH", &path).json(body);
    let asked = change(json!({ "edition": 2, "price": 1, "name": "black tea" })).expect(202).await;
    let told = asked.json();
    assert_eq!(
        (&told["price"], &told["name"], &told["edition"]),
        (&json!(5_000), &json!("black tea"), &json!(3))
    );
    // Dearer is anybody's to say; then what was asked for is no longer what was looked at.
    change(json!({ "edition": 3, "price": 6_000 })).expect(200).await;
    approve(server, &bob, &asked.member("approval_id")).refused(409, "edited_meanwhile").await;
    let asked = change(json!({ "edition": 4, "price": 1 })).expect(202).await;
    let again = change(json!({ "edition": 4, "price": 1 })).expect(202).await;
    let approval = asked.member("approval_id");
    assert_eq!(again.member("approval_id"), approval, "asked for once");
    let shown = server.by(&bob, "GET", &format!("/admin/approvals/{approval}")).expect(200).await.json();
    let request = &shown["request"];
    assert_eq!(
        (&request["kind"], &request["price_now"], &request["price"], &request["left"]),
        (&json!("reprice_offer"), &json!(6_000), &json!(1), &json!(1_000))
    );
    approve(server, &bob, &approval).expect(200).await;
    assert_eq!(server.api("GET", &format!("/shop/{id}")).expect(200).await.json()["price"], 1);

    // Of a few pieces it is one person's act.
    let few = offer(server, json!({ "price": 50 })).await;
    let cheaper = json!({ "edition": 2, "price": 40 });
    server.by(&ann, "PATCH", &format!("/shop/offers/{few}")).json(cheaper).expect(200).await;
    edit(server, &id, json!({ "edition": 5, "state": "off" })).expect(200).await;
}
