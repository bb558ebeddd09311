//! Money that goes back: not to oneself, beyond a day by two people, and beside what the buyer has already.

use serde_json::{Value, json};

use super::fixtures::{approve, made_key};
use crate::fulfilment::fixtures::{ship, step};
use crate::people::{Person, address};
use crate::process::{Home, Server, shared};
use crate::sales::fixtures as sales;
use crate::shop::fixtures as shop;

async fn paid(server: &Server, buyer: &Person, sale: &str) -> String {
    let order = sales::ordered(server, buyer, sale, 1).await;
    sales::press(server, &order, "pay").expect(303).await;
    sales::comes_to(server, buyer, &order, "paid").await;
    order
}

fn refund_path(order: &str) -> String {
    format!("/admin/orders/{order}/refund")
}

fn because() -> Value {
    json!({ "reason": "it broke" })
}

#[tokio::test]
async fn hole_71_refunds_beyond_a_day_take_two_people_and_never_ones_own() {
    let home = Home::with(&[
        ("WINDFALL__PAYMENTS__PROVIDER", "sandbox"),
        ("WINDFALL__ALONE__REFUNDS_DAILY_MAX_MINOR", "1000"),
    ]);
    let server = &home.start("serve").await;
    let sale = sales::sale(server, json!({ "units": 100 })).await;
    let (ann, bob) = (server.person(&["operator", "admin"]).await, server.person(&["admin"]).await);
    let buyer = server.person(&[]).await;

    let own = paid(server, &ann, &sale).await;
    server.by(&ann, "POST", &refund_path(&own)).json(because()).refused(403, "own_account").await;
    let key = made_key(server, &ann, &["admin"]).await;
    let by_key = |order: &str| server.api("POST", &refund_path(order)).key(&key.secret).json(because());
    by_key(&own).refused(403, "own_account").await;

    let first = paid(server, &buyer, &sale).await;
    let done = server.by(&ann, "POST", &refund_path(&first)).json(because()).expect(200).await.json();
    assert_eq!(done["state"], "refund_due", "{done}");
    // The day is full, for the person and for their key.
    let second = paid(server, &buyer, &sale).await;
    by_key(&second).refused(403, "refund_alone_max").await;
    // It was sent before anybody asked for the money back.
    let thing = sales::order(server, &buyer, &second).await["things"][0]["id"].as_str().unwrap().to_owned();
    let claim = server.by(&buyer, "POST", &format!("/me/wins/{thing}/claim"));
    claim.json(json!({ "address": address("世纪大道 1 号") })).expect(200).await;
    step(server, &thing, "ship", ship()).expect(200).await;
    let ask = || server.by(&ann, "POST", &refund_path(&second)).json(because()).expect(202);
    let approval = ask().await.member("approval_id");
    assert_eq!(ask().await.member("approval_id"), approval, "asked for once");
    assert_eq!(sales::state(server, &buyer, &second).await, "paid", "nothing has happened");
    let shown = server.by(&bob, "GET", &format!("/admin/approvals/{approval}")).expect(200).await.json();
    assert_eq!(shown["already_given"], json!(["parcel_shipped"]), "{shown}");
    assert_eq!(
        (&shown["request"]["kind"], &shown["request"]["amount_minor"]),
        (&json!("refund_order"), &json!(990))
    );
    approve(server, &ann, &approval).refused(403, "own_work").await;
    approve(server, &bob, &approval).expect(200).await;
    sales::comes_to(server, &buyer, &second, "refunded").await;
    let seen = server.by(&bob, "GET", &format!("/admin/orders/{second}")).expect(200).await.json();
    assert_eq!(
        (&seen["already_given"], &seen["reason"]),
        (&json!(["parcel_shipped"]), &json!("it broke")),
        "{seen}"
    );
    let listed = server.by(&bob, "GET", "/admin/orders").expect(200).await.items();
    let row = listed.iter().find(|order| order["id"] == second.as_str()).unwrap();
    assert_eq!(row["already_given"], json!(["parcel_shipped"]));
}

/// Points go back the same way: whoever asks and whoever approves sees what the buyer has.
#[tokio::test]
async fn what_a_buyer_has_is_beside_the_refund_of_a_shop_order() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&["operator"]).await, server.person(&["admin"]).await);
    let buyer = shop::rich(server, 20).await;
    let offer = shop::offer(server, json!({})).await;
    let bought = shop::buy(server, &buyer, &offer, 1).expect(201).await;
    let (order, thing) = (bought.member("id"), bought.json()["things"][0]["id"].as_str().unwrap().to_owned());
    let row = || async {
        let path = format!("/shop/orders?user={}", buyer.id);
        server.by(&ann, "GET", &path).expect(200).await.items().remove(0)
    };
    assert_eq!(row().await.get("already_given"), None, "nothing was sent yet");
    let claim = server.by(&buyer, "POST", &format!("/me/wins/{thing}/claim"));
    claim.json(json!({ "address": address("世纪大道 1 号") })).expect(200).await;
    step(server, &thing, "ship", ship()).expect(200).await;
    assert_eq!(row().await["already_given"], json!(["parcel_shipped"]));
    let ask = server.by(&ann, "POST", &format!("/shop/orders/{order}/refund")).json(because());
    let approval = ask.expect(202).await.member("approval_id");
    let shown = server.by(&bob, "GET", &format!("/admin/approvals/{approval}")).expect(200).await.json();
    assert_eq!(shown["already_given"], json!(["parcel_shipped"]), "{shown}");
    approve(server, &bob, &approval).expect(200).await;
    let after = row().await;
    assert_eq!((&after["state"], &after["already_given"]), (&json!("reversed"), &json!(["parcel_shipped"])));
}
