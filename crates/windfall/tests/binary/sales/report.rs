//! How a sale is doing: for those who run it, and for those who look on.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::backend::settled;
use crate::people::fresh_external;
use crate::process::shared;
use crate::stream::Stream;

/// Two units paid and given back, one let go of, one that waits to be paid, and a try too many.
#[tokio::test]
async fn a_report_has_what_happened_and_what_it_came_to() {
    let (_, server) = shared().await;
    let sale = sale(server, json!({})).await;
    let (ann, ben) = (server.person(&[]).await, server.person(&[]).await);
    let path = |what: &str| format!("/sales/{sale}/{what}");
    let empty = server.console("GET", &path("report")).expect(200).await.json();
    assert_eq!((&empty["hours"], &empty["totals"]), (&json!([]), &json!([])), "{empty}");
    assert_eq!(empty["units"], json!({ "total": 10, "left": 10, "held": 0, "sold": 0 }));

    let paid = ordered(server, &ann, &sale, 2).await;
    assert_eq!(refused(server, &ann, &sale, 1).await, "limit_reached");
    press(server, &paid, "pay").expect(303).await;
    comes_to(server, &ann, &paid, "paid").await;
    let gone = ordered(server, &ben, &sale, 1).await;
    cancel(server, &ben, &gone).await;
    ordered(server, &ben, &sale, 1).await;
    let refund = server.console("POST", &format!("/admin/orders/{paid}/refund"));
    refund.json(json!({ "reason": "it broke" })).expect(200).await;
    comes_to(server, &ann, &paid, "refunded").await;

    let units = server.console("GET", &path("units")).expect(200).await.json();
    assert_eq!(units, json!({ "total": 10, "left": 7, "held": 1, "sold": 2 }), "what was given stays taken");
    let totals = |answer: &Value| answer["totals"][0].clone();
    // A report is a second old at most, and an order's row comes a moment after its answer.
    let expected = json!({ "currency": "CNY", "orders": 3, "units": 4, "paid": 1, "cancelled": 1, "expired": 0,
        "refunded": 1, "taken_minor": 1_980, "refunded_minor": 1_980 });
    let look = || server.console("GET", &path("report"));
    let report = settled(look, |answer| totals(&answer.json()) == expected).await.json();
    assert_eq!(report["units"], units);
    assert_eq!(report["attempts"], json!({ "waiting": 0, "ordered": 3, "refused": 1 }));
    let sum = |rows: &str, member: &str| -> u64 {
        report[rows].as_array().unwrap().iter().map(|row| row[member].as_u64().unwrap()).sum()
    };
    assert_eq!((sum("hours", "orders"), sum("hours", "refunded_minor")), (3, 1_980), "{report}");
    assert_eq!((sum("attempt_hours", "ordered"), sum("attempt_hours", "refused")), (3, 1), "{report}");
    let later = report["hours"].as_array().unwrap().last().unwrap()["from_ms"].as_i64().unwrap() + 3_600_000;
    let later = server.console("GET", &path(&format!("report?from_ms={later}"))).expect(200).await.json();
    assert_eq!(later["totals"], json!([]), "{later}");
}

/// Whoever looks on sees what is left; whoever runs it, the rest.
#[tokio::test]
async fn a_sale_is_followed_live() {
    let (_, server) = shared().await;
    let sale = sale(server, json!({})).await;
    let (ann, key) = (server.person(&[]).await, server.new_key(&["read"]).await);
    let mut units = Stream::open(server, None, &format!("/sales/{sale}/live"), "sale").await;
    let first = units.next().await.unwrap();
    assert_eq!(
        (&first["units"], &first["left"], &first["sold_out"], &first["state"]),
        (&json!(10), &json!(10), &json!(false), &json!("running")),
        "{first}"
    );
    let mut figures =
        Stream::open(server, Some(&key), &format!("/sales/{sale}/report/live"), "figures").await;
    assert_eq!(
        figures.next().await.unwrap()["attempts"],
        json!({ "waiting": 0, "ordered": 0, "refused": 0 })
    );
    ordered(server, &ann, &sale, 2).await;
    while units.next().await.unwrap()["left"] != json!(8) {}
    let told = loop {
        let told = figures.next().await.unwrap();
        if told["attempts"]["ordered"] == json!(1) && told["units"]["held"] == json!(2) {
            break told;
        }
    };
    assert_eq!(told.get("room"), None, "there is none");
    let restock = json!({ "id": fresh_external(), "delta": -8, "reason": "broken" });
    server.console("POST", &format!("/sales/{sale}/restock")).json(restock).expect(200).await;
    let gone = units.next().await.unwrap();
    assert_eq!((&gone["units"], &gone["sold_out"]), (&json!(2), &json!(true)), "{gone}");
}
