//! Many commands in one request.

use serde_json::{Value, json};

use crate::backend::Backend;
use crate::people::fresh_external;
use crate::process::shared;

/// A thousand commands in one request; what is wrong with one is its own affair.
#[tokio::test]
async fn a_batch_answers_each_command_by_itself() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let (tea, mark) = (backend.pool(300).await, fresh_external());
    let id = |n: usize| format!("{mark}-{n}");
    let mut commands: Vec<Value> = (0..990)
        .map(|n| {
            json!({ "do": "reserve", "id": id(n), "lines": [{ "pool": tea, "quantity": 1 }], "ttl_ms": 600_000 })
        })
        .collect();
    commands.extend([
        json!({ "do": "confirm", "id": id(0) }),
        json!({ "do": "cancel", "id": id(1) }),
        json!({ "do": "confirm", "id": "nobody" }),
        json!({ "do": "restock", "id": id(2), "pool": tea, "quantity": 50, "reason": "more" }),
        json!({ "do": "restock", "id": id(2), "pool": tea, "quantity": 51, "reason": "more" }),
        json!({ "do": "open", "id": id(3), "name": format!("batch/{mark}"), "total": 7 }),
        json!({ "do": "dance" }),
        json!({ "do": "cancel", "id": 7 }),
        json!(7),
        json!({ "do": "reserve", "id": id(1_000), "lines": [], "ttl_ms": 1 }),
    ]);
    let body = json!({ "commands": commands });
    let told = backend.post("/batch", body.clone()).expect(200).await.json();
    let outcomes = told["outcomes"].as_array().unwrap();
    assert_eq!(outcomes.len(), 1_000);
    for (n, outcome) in outcomes[..300].iter().enumerate() {
        assert_eq!((&outcome["status"], &outcome["hold"]["id"]), (&json!(201), &json!(id(n))));
    }
    for outcome in &outcomes[300..990] {
        let problem = &outcome["problem"];
        assert_eq!(
            (&outcome["status"], &problem["code"], &problem["left"]),
            (&json!(409), &json!("sold_out"), &json!(0))
        );
    }
    let rest: Vec<_> = outcomes[990..]
        .iter()
        .map(|outcome| {
            (outcome["status"].as_u64().unwrap(), outcome["problem"]["code"].as_str().unwrap_or(""))
        })
        .collect();
    let expected = [
        (200, ""),
        (200, ""),
        (404, "hold_unknown"),
        (200, ""),
        (409, "conflict"),
        (201, ""),
        (400, "invalid_field"),
        (400, "invalid_field"),
        (400, "body_malformed"),
        (400, "invalid_field"),
    ];
    assert_eq!(rest, expected);
    assert_eq!(backend.counters(&tea).await, [350, 51, 298, 1]);
    let again = backend.post("/batch", body).expect(200).await.json();
    assert_eq!(again["outcomes"][0]["status"], 200, "safe to repeat: the hold is there already");
    assert_eq!(backend.counters(&tea).await[0], 350);
}
