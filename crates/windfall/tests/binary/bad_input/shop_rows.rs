//! The same for the shop: offers of nothing, orders for nothing.

use serde_json::{Value, json};

use super::rows::row;
use super::suite::{Row, Stage};

pub fn shop(stage: &Stage) -> Vec<Row> {
    let make = |change: Value| {
        let mut offer = json!({ "name": "tea", "kind": "parcel", "price": 10 });
        offer.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        stage.admin("POST", "/shop/offers").json(offer)
    };
    let field = |what, change: Value, field| row(what, make(change), 400, "invalid_field", field);
    let buy = |id: &str, body: Value| stage.player("POST", &format!("/shop/{id}/orders")).json(body);
    let edit = |body: Value| stage.admin("PATCH", "/shop/offers/5").json(body);
    let restock = |body: Value| stage.admin("POST", "/shop/offers/5/restock").json(body);
    let refund = |body: Value| stage.admin("POST", "/shop/orders/5/refund").json(body);
    vec![
        field("an offer with a blank name", json!({ "name": " " }), "name"),
        field("an offer of no kind", json!({ "kind": "love" }), "kind"),
        field("points for points", json!({ "kind": "points" }), "kind"),
        field("a gift", json!({ "price": 0 }), "price"),
        field("a price beyond all accounts", json!({ "price": 1_000_000_001 }), "price"),
        field("a limit below zero", json!({ "limit": -1 }), "limit"),
        field("stock below zero", json!({ "stock": -1 }), "stock"),
        field("chances for sale of no activity", json!({ "kind": "chances" }), "activity"),
        field("an activity for a parcel", json!({ "activity": "5" }), "activity"),
        field("codes of no pool", json!({ "kind": "code" }), "pool"),
        field("a pool for a parcel", json!({ "pool": "5" }), "pool"),
        field("a sale that ends before it begins", json!({ "from": 5, "until": 5 }), "until"),
        field("a field of one's own", json!({ "discount": 5 }), "discount"),
        row(
            "codes of a pool that is not there",
            make(json!({ "kind": "code", "pool": "5" })),
            404,
            "not_found",
            "",
        ),
        row(
            "chances at an activity that is not there",
            make(json!({ "kind": "chances", "activity": "5" })),
            404,
            "not_found",
            "",
        ),
        row("offers of no state", stage.admin("GET", "/shop/offers?state=x"), 400, "invalid_field", "state"),
        row("a change to no offer", edit(json!({ "edition": 1 })), 404, "not_found", ""),
        row("a change to nothing seen", edit(json!({ "price": 1 })), 400, "invalid_field", "edition"),
        row("a state of no kind", edit(json!({ "edition": 1, "state": "x" })), 400, "invalid_field", "state"),
        row(
            "stock of no offer",
            restock(json!({ "id": "a", "delta": 1, "reason": "x" })),
            404,
            "not_found",
            "",
        ),
        row("stock without an id", restock(json!({ "delta": 1, "reason": "x" })), 400, "invalid_field", "id"),
        row("orders of no state", stage.admin("GET", "/shop/orders?state=x"), 400, "invalid_field", "state"),
        row("orders of no number", stage.admin("GET", "/shop/orders?user=x"), 400, "invalid_field", "user"),
        row("orders from nowhere", stage.admin("GET", "/shop/orders?after=x"), 400, "cursor_invalid", ""),
        row("a refund of nothing", refund(json!({ "reason": "x" })), 404, "not_found", ""),
        row("a refund without a word", refund(json!({ "reason": " " })), 400, "invalid_field", "reason"),
        row("an offer that is not there", stage.anybody("GET", "/shop/5"), 404, "not_found", ""),
        row("an offer that is no number", stage.anybody("GET", "/shop/x"), 404, "not_found", ""),
        row("a shelf from nowhere", stage.anybody("GET", "/shop?after=x"), 400, "cursor_invalid", ""),
        row("an order for nothing", buy("5", json!({})), 404, "not_found", ""),
        row("fewer than none", buy("5", json!({ "quantity": -1 })), 400, "invalid_field", "quantity"),
        row("half a piece", buy("5", json!({ "quantity": 0.5 })), 400, "invalid_field", "quantity"),
        row("orders from nowhere", stage.player("GET", "/me/shop-orders?after=x"), 400, "cursor_invalid", ""),
    ]
}
