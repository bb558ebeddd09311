//! Orders and payments are counted by every state they come to, with the row that says so.

use std::collections::BTreeMap;

use serde_json::json;

use super::fixtures::*;
use crate::activities::fixtures::HOUR_MS;
use crate::backend::settled;
use crate::people::Person;
use crate::process::{Home, Server};

/// All figures of a family that are not zero, by their label.
async fn figures(server: &Server, family: &str) -> BTreeMap<String, u64> {
    let text = server.page("GET", "/metrics").expect(200).await.text();
    let begin = format!("{family}{{came=\"");
    let lines = text.lines().filter_map(|line| line.strip_prefix(&begin)?.split_once("\"} "));
    lines
        .map(|(label, value)| (label.to_owned(), value.parse().unwrap()))
        .filter(|(_, value)| *value > 0)
        .collect()
}

fn expected(rows: &[(&str, u64)]) -> BTreeMap<String, u64> {
    rows.iter().map(|(label, value)| ((*label).to_owned(), *value)).collect()
}

async fn refund(server: &Server, id: &str) {
    let ask = server.console("POST", &format!("/admin/orders/{id}/refund"));
    ask.json(json!({ "reason": "arrived broken" })).expect(200).await;
}

async fn pay(server: &Server, who: &Person, id: &str, state: &str) {
    press(server, id, "pay").expect(303).await;
    comes_to(server, who, id, state).await;
}

#[tokio::test]
async fn every_state_of_an_order_and_of_a_payment_is_counted_once() {
    let home = Home::with_clock(&[("WINDFALL__PAYMENTS__PROVIDER", "sandbox")]);
    let server = home.start("serve").await;
    let before =
        (figures(&server, "windfall_orders_total").await, figures(&server, "windfall_payments_total").await);
    let ann = server.person(&[]).await;
    let long = json!({ "per_user": 9, "item": "collectible" });
    let at_order = sale(&server, long.clone()).await;
    let mut later = long;
    later["policy"] = json!("at_payment");
    let at_payment = sale(&server, later).await;
    for sale in [&at_order, &at_payment] {
        let [given, back, let_go, over] = [
            ordered(&server, &ann, sale, 1).await,
            ordered(&server, &ann, sale, 1).await,
            ordered(&server, &ann, sale, 1).await,
            ordered(&server, &ann, sale, 1).await,
        ];
        pay(&server, &ann, &given, "fulfilled").await;
        // The second press is a payment that goes back.
        press(&server, &given, "pay").expect(303).await;
        pay(&server, &ann, &back, "fulfilled").await;
        refund(&server, &back).await;
        comes_to(&server, &ann, &back, "refunded").await;
        for _ in 0..2 {
            assert_eq!(cancel(&server, &ann, &let_go).await["state"], "cancelled");
        }
        assert_eq!(state(&server, &ann, &over).await, "unpaid");
    }
    home.clock_off(HOUR_MS / 2);
    server.console("POST", "/admin/jobs/orders/run").json(json!({})).expect(202).await;
    let mine = || server.by(&ann, "GET", "/me/orders?state=expired");
    settled(mine, |answer| answer.items().len() == 2).await;
    let more = |now: &BTreeMap<String, u64>, before: &BTreeMap<String, u64>| -> BTreeMap<String, u64> {
        let grown = now
            .iter()
            .map(|(label, value)| (label.clone(), value - before.get(label).copied().unwrap_or_default()));
        grown.filter(|(_, value)| *value > 0).collect()
    };
    let orders = figures(&server, "windfall_orders_total").await;
    assert_eq!(
        more(&orders, &before.0),
        expected(&[
            ("unpaid", 8),
            ("paid", 4),
            ("fulfilled", 4),
            ("cancelled", 2),
            ("expired", 2),
            ("refund_due", 2),
            ("refunded", 2),
        ])
    );
    let payments = figures(&server, "windfall_payments_total").await;
    assert_eq!(
        more(&payments, &before.1),
        expected(&[("arrived", 4), ("used", 4), ("back_due", 4), ("back", 4)])
    );
    assert!(server.stop().await.success());
}
