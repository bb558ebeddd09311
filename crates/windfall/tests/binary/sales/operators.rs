//! What operators see and do.

use serde_json::json;

use super::fixtures::*;
use crate::people::fresh_external;
use crate::process::shared;

#[tokio::test]
async fn orders_are_listed_exported_and_refunded() {
    let (_, server) = shared().await;
    let (sale, ann, ben) =
        (sale(server, json!({ "name": "=cup" })).await, server.person(&[]).await, server.person(&[]).await);
    let (paid, open) = (ordered(server, &ann, &sale, 2).await, ordered(server, &ben, &sale, 1).await);
    press(server, &paid, "pay").expect(303).await;
    for (filter, expected) in [
        (format!("sale={sale}"), vec![&open, &paid]),
        (format!("sale={sale}&state=paid"), vec![&paid]),
        (format!("user={}", ben.id), vec![&open]),
        (format!("user={}&sale={sale}&state=unpaid", ben.id), vec![&open]),
        (format!("sale={sale}&limit=1"), vec![&open]),
        ("sale=77".to_owned(), vec![]),
    ] {
        let listed = server.console("GET", &format!("/admin/orders?{filter}")).expect(200).await.items();
        let ids: Vec<_> = listed.iter().map(|order| order["id"].as_str().unwrap()).collect();
        assert_eq!(ids, expected, "{filter}");
    }
    let due = server.console("GET", "/admin/orders?state=paid&limit=200").expect(200).await.items();
    assert!(due.iter().any(|order| order["id"] == paid.as_str()));
    for (filter, field) in [("state=placed", "state"), ("sale=x", "sale"), ("user=x", "user")] {
        let refused =
            server.console("GET", &format!("/admin/orders?{filter}")).refused(400, "invalid_field").await;
        assert_eq!(refused.json()["field"], field);
    }
    let one = server.console("GET", &format!("/admin/orders/{paid}")).expect(200).await.json();
    assert_eq!((&one["user_id"], &one["state"]), (&json!(ann.id), &json!("paid")));

    let file = server.console("GET", &format!("/admin/orders.csv?sale={sale}")).expect(200).await.text();
    let lines: Vec<&str> = file.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!((lines.len(), lines[0].split(',').count()), (3, 21));
    assert!(lines[2].starts_with(&format!("{paid},{},,paid,at_order,", ann.id)), "{}", lines[2]);
    assert!(
        lines[2].contains(",1980,") && lines[2].contains(",'=cup,parcel,2,990,1980,0,0,"),
        "{}",
        lines[2]
    );

    let refund = |id: &str, reason: &str| {
        server.console("POST", &format!("/admin/orders/{id}/refund")).json(json!({ "reason": reason }))
    };
    refund(&open, "asked").refused(409, "order_step_illegal").await;
    refund("77", "asked").refused(404, "not_found").await;
    refund(&paid, "").refused(400, "invalid_field").await;
    let back = refund(&paid, "it broke").expect(200).await.json();
    assert_eq!((&back["state"], &back["reason"]), (&json!("refund_due"), &json!("it broke")));
    let after = comes_to(server, &ann, &paid, "refunded").await;
    assert_eq!(
        (
            &after["payments"][0]["state"],
            &after["payments"][0]["back_why"],
            &after["things"][0]["giving"]["state"]
        ),
        (&json!("back"), &json!("by_hand"), &json!("voided"))
    );
    assert_eq!(refund(&paid, "again").expect(200).await.json()["state"], "refunded");
    assert_eq!(money(server, &sale).await, [1_980, 0, 1_980, 0]);
    let log = server.console("GET", &format!("/admin/audit?subject=order:{paid}")).expect(200).await.items();
    assert_eq!((log.len(), &log[0]["action"]), (1, &json!("order.refund")));
}

/// The rows follow the ledger by a moment, and nobody is told meanwhile that there is no such order.
#[tokio::test]
async fn an_order_is_there_for_operators_as_soon_as_its_buyer_was_told() {
    let (_, server) = shared().await;
    let (sale, ann) = (sale(server, json!({ "per_user": 0, "units": 20 })).await, server.person(&[]).await);
    for _ in 0..10 {
        let id = ordered(server, &ann, &sale, 1).await;
        let refund = server.console("POST", &format!("/admin/orders/{id}/refund"));
        refund.json(json!({ "reason": "asked" })).refused(409, "order_step_illegal").await;
    }
}

#[tokio::test]
async fn a_code_that_is_still_to_come_does_not_come_once_the_money_went_back() {
    let (_, server) = shared().await;
    let pool = crate::codes::pool(server).await;
    crate::codes::import(server, &pool, &fresh_external()).await;
    let one = json!({ "item": "code", "pool": pool, "units": 1, "per_user": 1 });
    let (first, second) = (sale(server, one.clone()).await, sale(server, one).await);
    let (ann, ben) = (server.person(&[]).await, server.person(&[]).await);
    // The two sales share a pool of one code.
    let taken = ordered(server, &ben, &first, 1).await;
    press(server, &taken, "pay").expect(303).await;
    comes_to(server, &ben, &taken, "fulfilled").await;
    let paid = ordered(server, &ann, &second, 1).await;
    press(server, &paid, "pay").expect(303).await;
    comes_to(server, &ann, &paid, "paid").await;
    let refund = server.console("POST", &format!("/admin/orders/{paid}/refund"));
    refund.json(json!({ "reason": "no codes" })).expect(200).await;
    let after = comes_to(server, &ann, &paid, "refunded").await;
    assert_eq!(after["things"][0]["giving"]["state"], "voided");
}
