//! Pools: made, changed, listed, and who did it.

use serde_json::{Value, json};

use crate::backend::{Backend, part, settled};
use crate::people::fresh_external;
use crate::process::shared;

#[tokio::test]
async fn a_pool_is_made_changed_closed_and_opened_again() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let name = format!("store-7/tea/{}", fresh_external());
    let id = fresh_external();
    let open = json!({ "id": id, "name": name, "total": 10, "owner_max": 4, "reason": "开售" });
    let made = backend.post("/pools", open.clone()).expect(201).await;
    assert_eq!(made.header("location"), format!("/api/v1/inventory/pools/{}", part(&name)));
    let expected = json!({ "name": name, "round": 1, "state": "open", "owner_max": 4,
        "total": 10, "available": 10, "held": 0, "taken": 0 });
    assert_eq!(made.json(), expected);
    assert_eq!(backend.post("/pools", open).expect(200).await.json(), expected, "the same again");
    let other = json!({ "id": id, "name": name, "total": 11 });
    backend.post("/pools", other).refused(409, "conflict").await;

    let to = |what: &str, body: Value| backend.post(&format!("/pools/{}/{what}", part(&name)), body);
    let restock = json!({ "id": fresh_external(), "quantity": 5, "reason": "delivery 7" });
    for _ in 0..2 {
        to("restock", restock.clone()).expect(200).await;
    }
    to("adjust", json!({ "id": fresh_external(), "delta": -3, "reason": "broken" })).expect(200).await;
    assert_eq!(backend.counters(&name).await, [12, 12, 0, 0], "a repetition adds nothing");
    to("limit", json!({ "id": fresh_external(), "owner_max": 2 })).expect(200).await;
    let state = |what: &str| to(what, json!({ "id": fresh_external(), "reason": "stocktaking" }));
    assert_eq!(state("freeze").expect(200).await.member("state"), "frozen");
    let refused = backend.reserve(&fresh_external(), &name, 1).refused(409, "frozen").await;
    assert_eq!(refused.member("pool"), name);
    assert_eq!(state("thaw").expect(200).await.member("state"), "open");
    assert_eq!(state("close").expect(200).await.member("state"), "closed");
    backend.reserve(&fresh_external(), &name, 1).refused(409, "closed").await;
    let reopened = to("reopen", json!({ "id": fresh_external(), "round": 2, "total": 3, "owner_max": 0 }))
        .expect(201)
        .await;
    assert_eq!((&reopened.json()["round"], &reopened.json()["total"]), (&json!(2), &json!(3)));

    let movements = backend.movements(&name, 8).await;
    let kinds: Vec<_> = movements.iter().map(|movement| movement["kind"].as_str().unwrap()).collect();
    let expected = ["opened", "adjusted", "adjusted", "limited", "frozen", "thawed", "closed", "opened"];
    assert_eq!(kinds, expected);
    assert_eq!((&movements[1]["reason"], &movements[1]["total"]), (&json!("delivery 7"), &json!(5)));
    assert!(movements.iter().all(|movement| movement["by"] == backend.key.id.as_str()), "{movements:?}");
}

#[tokio::test]
async fn pools_are_listed_newest_first_and_searched() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let mark = fresh_external();
    let names: Vec<String> =
        ["north/tea", "north/Cup", "south/tea"].iter().map(|name| format!("{mark}/{name}")).collect();
    for name in &names {
        let open = json!({ "id": format!("open {name}"), "name": name, "total": 1 });
        backend.post("/pools", open).expect(201).await;
    }
    let list = |query: String| move |backend: &Backend| backend.get(&format!("/pools?{query}"));
    let all = list(format!("under={mark}%2F"));
    settled(|| all(&backend), |answer| answer.items().len() == 3).await;
    for (query, expected) in [
        (format!("under={mark}%2F"), vec![2, 1, 0]),
        (format!("under={mark}%2Fnorth"), vec![1, 0]),
        (format!("under={mark}&q=CUP"), vec![1]),
        (format!("under={mark}&q=%25"), vec![]),
        (format!("under={mark}&limit=1"), vec![2]),
    ] {
        let found = list(query.clone())(&backend).expect(200).await.items();
        let found: Vec<_> = found.iter().map(|pool| pool["name"].as_str().unwrap().to_owned()).collect();
        let expected: Vec<_> = expected.into_iter().map(|at: usize| names[at].clone()).collect();
        assert_eq!(found, expected, "{query}");
    }
    let first = list(format!("under={mark}&limit=2"))(&backend).expect(200).await;
    let next =
        list(format!("under={mark}&limit=2&after={}", first.member("next")))(&backend).expect(200).await;
    assert_eq!(next.items()[0]["name"], names[0].as_str());
}

/// People of the staff change stock too, under their own name.
#[tokio::test]
async fn an_operators_change_carries_their_name() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let tea = backend.pool(5).await;
    let operator = server.person(&["operator"]).await;
    let body = json!({ "id": fresh_external(), "quantity": 1, "reason": "found one" });
    let path = format!("/inventory/pools/{}/restock", part(&tea));
    server.by(&operator, "POST", &path).json(body).expect(200).await;
    let movements = backend.movements(&tea, 2).await;
    assert_eq!((&movements[1]["by"], &movements[1]["reason"]), (&json!(operator.id), &json!("found one")));
}
