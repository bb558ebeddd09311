//! What operators switch while people draw: a prize taken back, and everything at once.

use serde_json::{Value, json};

use super::fixtures::{Crew, running};
use crate::backend::settled;
use crate::draws::campaign::{Players, prizes};
use crate::people::fresh_external;
use crate::process::{Home, shared};

/// Everybody wins the one prize there is.
fn certain() -> Value {
    let mut form = running();
    form["entries"] = json!(null);
    form["chances"] = json!({ "total": 50 });
    form["prizes"] = json!([{ "name": "tea", "odds": 1_000_000, "unlimited": true }]);
    form
}

#[tokio::test]
async fn a_withdrawn_prize_is_won_by_nobody_until_it_is_restored() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let id = crew.publish(certain()).await;
    let (players, ann) = (Players::new(server, &id).await, fresh_external());
    let switch = |what: &str, command: &str| {
        let path = format!("/activities/{id}/prizes/0/{what}");
        server.by(&crew.author, "POST", &path).json(json!({ "id": command, "reason": "a defect" }))
    };
    for (what, withdrawn, won) in [("", false, "tea"), ("withdraw", true, "-"), ("restore", false, "tea")] {
        if !what.is_empty() {
            for _ in 0..2 {
                let body = switch(what, what).expect(200).await.json();
                assert_eq!(body, json!({ "prize": 0, "withdrawn": withdrawn }));
            }
        }
        let ticket = players.draw(&ann, &fresh_external(), 1).expect(201).await.json();
        assert_eq!(prizes(&ticket), [won], "after {what:?}");
    }
    // The same id for the other switch is another request.
    switch("restore", "withdraw").refused(409, "conflict").await;
    let admin = server.person(&["admin"]).await;
    let log = format!("/admin/audit?subject=activity:{id}&action=activity.prize_withdraw");
    let lines = server.by(&admin, "GET", &log).expect(200).await.items();
    assert_eq!((lines.len(), &lines[0]["reason"]), (1, &json!("a defect")), "repeated, and told once");
    crew.step(&id, "close").expect(200).await;
    switch("withdraw", "too-late").refused(409, "ended").await;
}

#[tokio::test]
async fn one_switch_stops_everything() {
    let home = Home::new();
    let server = home.demo().await;
    let crew = Crew::new(&server).await;
    let admin = server.person(&["admin"]).await;
    let (one, two) = (crew.publish(certain()).await, crew.publish(certain()).await);
    let halt = |on: bool| {
        server.by(&admin, "POST", "/admin/halt").json(json!({ "on": on, "reason": "something is wrong" }))
    };
    let ann = fresh_external();
    for (press, answer) in [(None, 201), (Some(true), 0), (Some(true), 0), (Some(false), 201)] {
        if let Some(on) = press {
            let told = halt(on).expect(200).await.json();
            let (by, reason) = (&told["by"]["id"], &told["reason"]);
            assert_eq!(told["on"], on);
            let expected = (json!(admin.id), json!("something is wrong"));
            assert!(!on || (by, reason) == (&expected.0, &expected.1), "who stopped everything: {told}");
            assert_eq!(told["at_ms"].is_i64(), on, "{told}");
        }
        for id in [&one, &two] {
            let draw = Players::new(&server, id).await.draw(&ann, &fresh_external(), 1).send().await;
            match answer {
                0 => assert_eq!(draw.code(), "halted"),
                status => assert_eq!(draw.status, status, "{}", draw.text()),
            }
            assert_eq!(crew.state(id).await, "running", "states stay as they are");
        }
    }
    let keyed = |on: bool| halt(on).header("idempotency-key", "k");
    keyed(true).expect(200).await;
    halt(false).expect(200).await;
    // A late repetition does not press it again.
    keyed(true).expect(200).await;
    Players::new(&server, &one).await.draw(&ann, &fresh_external(), 1).expect(201).await;
    keyed(false).refused(409, "idempotency_conflict").await;
    for (action, times) in [("ledger.halt", 3), ("ledger.go_on", 2)] {
        let path = format!("/admin/audit?action={action}");
        assert_eq!(server.by(&admin, "GET", &path).expect(200).await.items().len(), times, "{action}");
    }

    // Stopping is safe, so operators may; letting go on is not theirs to decide.
    let by_author = |on: bool| {
        server
            .by(&crew.author, "POST", "/admin/halt")
            .json(json!({ "on": on, "reason": "something is wrong" }))
    };
    for (halt, is_on) in [(by_author(true), true), (halt(false), false)] {
        by_author(false).refused(403, "forbidden").await;
        halt.expect(200).await;
        settled(|| crew.get("/admin/halt"), |told| told.json()["on"] == is_on).await;
    }
}
