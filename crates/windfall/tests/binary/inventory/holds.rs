//! Holds: their lives, their ends, and why there is none.

use serde_json::json;

use crate::backend::{Backend, part, settled};
use crate::client::Answer;
use crate::people::fresh_external;
use crate::process::shared;

#[tokio::test]
async fn a_hold_goes_through_its_life() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let (tea, cup) = (backend.pool(10).await, backend.pool(10).await);
    let id = format!("order/{}", fresh_external());
    let lines = json!([{ "pool": tea, "quantity": 2 }, { "pool": cup, "quantity": 1 }, { "pool": tea, "quantity": 1 }]);
    let body = json!({ "id": id, "lines": lines, "owner": "ann", "ttl_ms": 600_000 });
    let made = backend.post("/holds", body.clone()).expect(201).await;
    let place = format!("/holds/{}", part(&id));
    assert_eq!(made.header("location"), format!("/api/v1/inventory{place}"));
    let hold = made.json();
    let line = |pool: &str, quantity: u32, taken: u32| json!({ "pool": pool, "round": 1, "quantity": quantity, "taken": taken });
    assert_eq!(
        (&hold["state"], &hold["lines"]),
        (&json!("held"), &json!([line(&tea, 3, 0), line(&cup, 1, 0)]))
    );
    assert_eq!(backend.post("/holds", body).expect(200).await.json(), hold, "the same again");
    assert_eq!(backend.counters(&tea).await, [10, 7, 3, 0]);

    let due = hold["due_ms"].as_i64().unwrap() + 60_000;
    let extended = backend.post(&format!("{place}/extend"), json!({ "until_ms": due })).expect(200).await;
    assert_eq!(extended.json()["due_ms"], due);
    let part_of_it = json!({ "lines": [{ "pool": tea, "quantity": 2 }] });
    for _ in 0..2 {
        let confirmed =
            backend.post(&format!("{place}/confirm"), part_of_it.clone()).expect(200).await.json();
        assert_eq!(confirmed["lines"], json!([line(&tea, 3, 2), line(&cup, 1, 0)]));
    }
    backend.post(&format!("{place}/confirm"), json!({})).refused(409, "already_confirmed").await;
    backend.post_nothing(&format!("{place}/cancel")).refused(409, "already_confirmed").await;
    assert_eq!(backend.counters(&tea).await, [10, 8, 0, 2]);
    assert_eq!(backend.counters(&cup).await, [10, 10, 0, 0]);

    let whole = |answer: &Answer| answer.json()["life"].as_array().unwrap().len() == 3;
    let story = settled(|| backend.get(&place), whole).await.json();
    let life: Vec<_> = story["life"].as_array().unwrap().iter().map(|step| step["what"].clone()).collect();
    assert_eq!(life, ["reserved", "extended", "confirmed"]);
    let moved = |pool: &str, available: i64, held: i64, taken: i64| json!({ "pool": pool, "available": available, "held": held, "taken": taken });
    let moves: Vec<_> = story["life"].as_array().unwrap().iter().map(|step| step["moved"].clone()).collect();
    assert_eq!(moves[0], json!([moved(&tea, -3, 3, 0), moved(&cup, -1, 1, 0)]));
    assert_eq!(moves[1], json!([]), "an extension moves nothing");
    assert_eq!(moves[2], json!([moved(&tea, 1, -3, 2), moved(&cup, 1, -1, 0)]));
    assert_eq!((&story["owner"], &story["state"]), (&json!("ann"), &json!("confirmed")));
}

/// Each way to be refused for stock names the pool and the figures.
#[tokio::test]
async fn refusals_carry_their_figures() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let (tea, cup) = (backend.pool(3).await, backend.pool(10).await);
    let body = json!({ "id": fresh_external(), "ttl_ms": 600_000,
        "lines": [{ "pool": cup, "quantity": 1 }, { "pool": tea, "quantity": 4 }] });
    let refused = backend.post("/holds", body).refused(409, "sold_out").await.json();
    assert_eq!((&refused["pool"], &refused["left"]), (&json!(tea), &json!(3)));
    assert_eq!(backend.counters(&cup).await, [10, 10, 0, 0], "all or nothing");

    let limit = json!({ "id": fresh_external(), "owner_max": 2 });
    backend.post(&format!("/pools/{}/limit", part(&cup)), limit).expect(200).await;
    let take = |quantity: u32| {
        let lines = json!([{ "pool": cup, "quantity": quantity }]);
        backend.post(
            "/holds",
            json!({ "id": fresh_external(), "lines": lines, "owner": "ann", "ttl_ms": 600_000 }),
        )
    };
    take(1).expect(201).await;
    let refused = take(2).refused(409, "limit_reached").await.json();
    assert_eq!((&refused["pool"], &refused["limit"], &refused["has"]), (&json!(cup), &json!(2), &json!(1)));
    let adjust = json!({ "id": fresh_external(), "delta": -10, "reason": "x" });
    let refused =
        backend.post(&format!("/pools/{}/adjust", part(&cup)), adjust).refused(409, "not_free").await;
    assert_eq!(refused.json()["left"], 9);
}

/// A cancellation that overtakes its reserve spends the id, and is as safe to repeat as any other.
#[tokio::test]
async fn a_cancel_before_its_reserve_spends_the_id() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let (tea, id) = (backend.pool(3).await, fresh_external());
    let cancel = || backend.post_nothing(&format!("/holds/{id}/cancel"));
    let first = cancel().expect(200).await.json();
    assert_eq!(first, json!({ "id": id, "state": "cancelled", "lines": [] }));
    backend.reserve(&id, &tea, 1).refused(409, "already_cancelled").await;
    assert_eq!(cancel().expect(200).await.json(), first);
    // Its state is told at once, its life once the rows have it.
    let spent = |answer: &Answer| answer.status == 200 && answer.json()["life"][0].is_object();
    let story = settled(|| backend.get(&format!("/holds/{id}")), spent).await.json();
    assert_eq!(story["life"][0]["what"], "spent");
    assert_eq!(cancel().expect(200).await.json(), first, "also when it has left memory");
}

/// A hold is over at its end, whoever asks, and its units are free again.
#[tokio::test]
async fn a_hold_expires() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let (tea, id) = (backend.pool(3).await, fresh_external());
    let body = json!({ "id": id, "lines": [{ "pool": tea, "quantity": 3 }], "ttl_ms": 100 });
    backend.post("/holds", body).expect(201).await;
    let path = format!("/pools/{}", part(&tea));
    settled(|| backend.get(&path), |answer| answer.json()["available"] == 3).await;
    backend.post(&format!("/holds/{id}/confirm"), json!({})).refused(409, "expired").await;
    assert_eq!(backend.get(&format!("/holds/{id}")).expect(200).await.member("state"), "expired");
}

#[tokio::test]
async fn holds_are_listed_and_movements_name_them() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let (tea, owner) = (backend.pool(10).await, fresh_external());
    let ids = [fresh_external(), fresh_external()];
    for id in &ids {
        let body =
            json!({ "id": id, "lines": [{ "pool": tea, "quantity": 1 }], "owner": owner, "ttl_ms": 600_000 });
        backend.post("/holds", body).expect(201).await;
    }
    backend.post(&format!("/holds/{}/confirm", ids[0]), json!({})).expect(200).await;
    let list = |query: &str| server.console("GET", &format!("/inventory/holds?{query}"));
    let seen = |answer: &Answer| -> Vec<(String, String)> {
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        answer.items().iter().map(|hold| (text(&hold["id"]), text(&hold["state"]))).collect()
    };
    let of_pool = format!("pool={}", part(&tea));
    let both = [(ids[1].clone(), "held".to_owned()), (ids[0].clone(), "confirmed".to_owned())];
    settled(|| list(&of_pool), |answer| seen(answer) == both).await;
    for (query, expected) in [
        (format!("owner={owner}"), &both[..]),
        (format!("owner={owner}&state=held"), &both[..1]),
        (format!("{of_pool}&state=confirmed"), &both[1..]),
        (format!("{of_pool}&state=expired"), &[][..]),
    ] {
        assert_eq!(seen(&list(&query).expect(200).await), expected, "{query}");
    }
    let first = list(&format!("{of_pool}&limit=1")).expect(200).await.json();
    let next = first["next"].as_str().unwrap();
    let rest = list(&format!("{of_pool}&limit=1&after={next}")).expect(200).await;
    assert_eq!(seen(&rest), both[1..]);
    let moved =
        server.console("GET", &format!("/inventory/pools/{}/movements", part(&tea))).expect(200).await;
    let named: Vec<_> =
        moved.items().iter().map(|row| (row["kind"].clone(), row["hold_id"].clone())).collect();
    let row = |kind: &str, id: &str| (json!(kind), json!(id));
    assert_eq!(
        named[..3],
        [row("confirmed", &ids[0]), row("reserved", &ids[1]), row("reserved", &ids[0])],
        "{named:?}"
    );
}
