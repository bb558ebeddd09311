//! The same for attempts, orders and payments: carts of nothing, orders of nobody, money from nowhere.

use serde_json::{Value, json};

use super::rows::row;
use super::suite::{Row, Stage};

pub fn orders(stage: &Stage) -> Vec<Row> {
    let attempt = |body: Value| stage.player("POST", "/sales/5/attempts").json(body);
    let cart = |body: Value| stage.player("POST", "/attempts").json(body);
    let line = |sale: &str, quantity: i64| json!({ "sale": sale, "quantity": quantity });
    let look = |path: &str| stage.player("GET", path);
    let wheel = stage.player("POST", &format!("/sales/{}/attempts", stage.activity)).json(json!({}));
    let refund = |body: Value| stage.admin("POST", "/admin/orders/5/refund").json(body);
    let callback = |provider: &str| {
        let told = json!({ "order": "5", "reference": "a", "amount_minor": 5, "currency": "CNY" });
        stage.anybody("POST", &format!("/payments/{provider}/callback")).json(told)
    };
    vec![
        row("an attempt at no sale", attempt(json!({})), 404, "not_found", ""),
        row("an attempt at a wheel", wheel, 404, "not_found", ""),
        row("an attempt at nothing", attempt(json!({ "quantity": 0 })), 400, "invalid_field", "quantity"),
        row(
            "an attempt at too much",
            attempt(json!({ "quantity": 1_001 })),
            400,
            "invalid_field",
            "quantity",
        ),
        row("an attempt at half", attempt(json!({ "quantity": 0.5 })), 400, "invalid_field", "quantity"),
        row(
            "a price below nothing",
            attempt(json!({ "price_minor": -1 })),
            400,
            "invalid_field",
            "price_minor",
        ),
        row("a token that is a number", attempt(json!({ "token": 5 })), 400, "invalid_field", "token"),
        row("a cart without lines", cart(json!({})), 400, "invalid_field", "lines"),
        row("an empty cart", cart(json!({ "lines": [] })), 400, "invalid_field", "lines"),
        row(
            "a cart of too many lines",
            cart(json!({ "lines": vec![line("5", 1); 21] })),
            400,
            "invalid_field",
            "lines",
        ),
        row(
            "a cart of no sale",
            cart(json!({ "lines": [line("x", 1)] })),
            400,
            "invalid_field",
            "lines[0].sale",
        ),
        row(
            "the same thing twice",
            cart(json!({ "lines": [line("5", 1), line("5", 1)] })),
            400,
            "invalid_field",
            "lines[1].sale",
        ),
        row(
            "a cart with a hole",
            cart(json!({ "lines": [line("5", 1), line("6", 0)] })),
            400,
            "invalid_field",
            "lines[1].quantity",
        ),
        row("a cart of what is not there", cart(json!({ "lines": [line("5", 1)] })), 404, "not_found", ""),
        row("an attempt of number nothing", look("/attempts/0"), 404, "not_found", ""),
        row("an attempt below nothing", look("/attempts/-1"), 404, "not_found", ""),
        row("a stream of nothing", look("/attempts/0/live"), 404, "not_found", ""),
        row("an attempt beyond all", look("/attempts/9223372036854775808"), 404, "not_found", ""),
        row("an attempt that is no number", look("/attempts/x"), 404, "not_found", ""),
        row("a wait without end", look("/attempts/5?wait_ms=25001"), 400, "invalid_field", "wait_ms"),
        row("a wait into the past", look("/attempts/5?wait_ms=-1"), 400, "invalid_field", "wait_ms"),
        row("a wait of words", look("/attempts/5?wait_ms=x"), 400, "invalid_field", "wait_ms"),
        row("nobody's order", look("/orders/5"), 404, "not_found", ""),
        row("orders of no state", look("/me/orders?state=placed"), 400, "invalid_field", "state"),
        row("orders from nowhere", look("/me/orders?after=x"), 400, "cursor_invalid", ""),
        row("things from nowhere", look("/me/items?after=x"), 400, "cursor_invalid", ""),
        row("paying for nothing", stage.player("POST", "/orders/5/pay"), 404, "not_found", ""),
        row("letting nothing go", stage.player("POST", "/orders/5/cancel"), 404, "not_found", ""),
        row("orders of no sale", stage.admin("GET", "/admin/orders?sale=x"), 400, "invalid_field", "sale"),
        row("orders of nobody", stage.admin("GET", "/admin/orders?user=x"), 400, "invalid_field", "user"),
        row(
            "a table of no state",
            stage.admin("GET", "/admin/orders.csv?state=x"),
            400,
            "invalid_field",
            "state",
        ),
        row("an order that is not there", stage.admin("GET", "/admin/orders/5"), 404, "not_found", ""),
        row("a refund of nothing", refund(json!({ "reason": "x" })), 404, "not_found", ""),
        row("a refund without a reason", refund(json!({})), 400, "invalid_field", "reason"),
        row("money from an unknown provider", callback("bank"), 404, "not_found", ""),
        row("money that nobody signed", callback("sandbox"), 401, "signature_wrong", ""),
    ]
}
