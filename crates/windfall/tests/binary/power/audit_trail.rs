//! What the ledger does at somebody's word is on the record, also when the process dies in between.

use serde_json::{Value, json};

use crate::backend::settled;
use crate::people::fresh_external;
use crate::process::{Home, Server, shared};

async fn pool(server: &Server) -> String {
    let name = fresh_external();
    let open = json!({ "id": fresh_external(), "name": name, "total": 10 });
    server.console("POST", "/inventory/pools").json(open).expect(201).await;
    name
}

async fn lines(server: &Server, subject: &str) -> Vec<Value> {
    server.console("GET", &format!("/admin/audit?subject={subject}")).expect(200).await.items()
}

#[tokio::test]
async fn changes_of_pools_say_before_and_after() {
    let (_, server) = shared().await;
    let name = pool(server).await;
    let change = |step: &str, body: Value| {
        let mut body = body;
        body["id"] = json!(fresh_external());
        server.console("POST", &format!("/inventory/pools/{name}/{step}")).json(body).expect(200)
    };
    change("adjust", json!({ "delta": -3, "reason": "broken" })).await;
    change("limit", json!({ "owner_max": 2 })).await;
    change("freeze", json!({ "reason": "stocktaking" })).await;
    let told = lines(server, &format!("pool:{name}")).await;
    let seen: Vec<_> = told
        .iter()
        .rev()
        .map(|line| {
            (
                line["action"].as_str().unwrap(),
                line["before"]["total"].clone(),
                line["after"]["total"].clone(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("pool.open", Value::Null, json!(10)),
            ("pool.adjust", json!(10), json!(7)),
            ("pool.limit", json!(7), json!(7)),
            ("pool.state", json!(7), json!(7)),
        ]
    );
    assert_eq!((&told[0]["before"]["state"], &told[0]["after"]["state"]), (&json!("open"), &json!("frozen")));
    assert_eq!((&told[1]["before"]["owner_max"], &told[1]["after"]["owner_max"]), (&json!(0), &json!(2)));
    assert_eq!(told[2]["reason"], "broken");
}

/// The process dies after the ledger has answered and before the line is told: the next one tells it. A command that never
/// reached the ledger is not told.
#[tokio::test]
async fn a_crash_between_act_and_line_loses_nothing() {
    let home = Home::new();
    let server = home.start("serve").await;
    let name = pool(&server).await;
    let restock = json!({ "id": "r1", "quantity": 5, "reason": "a delivery" });
    server.console("POST", &format!("/inventory/pools/{name}/restock")).json(restock).expect(200).await;
    server.stop().await;
    {
        // As the crash leaves it: the intent is there, and the line is not. Beside it one whose command never arrived.
        let db = home.database();
        let moved = db
            .execute(
                "INSERT INTO audit_intents (id, command_key, made, actor, action, subject, reason, before_json, after_json,
                                            request_id, who, day, counted)
                 SELECT a.id, c.command_key, 1, a.actor, a.action, a.subject, a.reason, '', '{\"delta\":5}', a.request_id,
                        'console', 0, 0
                 FROM audit a, pool_commands c
                 WHERE a.action = 'pool.adjust' AND c.seq = (SELECT MAX(seq) FROM pool_commands)",
                [],
            )
            .unwrap();
        assert_eq!(moved, 1);
        db.execute("DELETE FROM audit WHERE action = 'pool.adjust'", []).unwrap();
        db.execute(
            "INSERT INTO audit_intents (id, command_key, made, actor, action, subject, reason, before_json, after_json,
                                        request_id, who, day, counted)
             SELECT 7, zeroblob(16), 1, actor, 'pool.adjust', subject, 'never', '', '', '', 'console', 0, 0
             FROM audit_intents",
            [],
        )
        .unwrap();
    }
    let server = home.start("serve").await;
    server.console("POST", "/admin/jobs/audit_trail/run").expect(202).await;
    let log = || server.console("GET", &format!("/admin/audit?subject=pool:{name}&action=pool.adjust"));
    let told = settled(log, |answer| !answer.items().is_empty()).await.items();
    assert_eq!((told.len(), &told[0]["reason"]), (1, &json!("a delivery")));
    assert_eq!(told[0]["after"], json!({ "delta": 5 }));
    let left =
        || home.database().query_row("SELECT COUNT(*) FROM audit_intents", [], |row| row.get::<_, i64>(0));
    assert_eq!(left(), Ok(0), "nothing waits any more");
}

/// Chances given by hand count for the day of the person who answers for them, key or not.
#[tokio::test]
async fn hole_71_chances_by_hand_have_a_day() {
    let home = Home::with(&[("WINDFALL__ALONE__CHANCES_DAILY_MAX", "5")]);
    let server = &home.start("serve").await;
    let crew = crate::activities::fixtures::Crew::new(server).await;
    let activity = crew.publish(crate::draws::campaign::generous(9, 99)).await;
    let (ann, player) = (server.person(&["operator", "admin"]).await, server.person(&[]).await);
    let key = super::fixtures::made_key(server, &ann, &["admin"]).await;
    let give = |period: &str, chances: i64| {
        let body = json!({ "user": player.id, "rule": "support", "period": period, "chances": chances, "reason": "sorry" });
        server.api("POST", &format!("/activities/{activity}/grants")).json(body)
    };
    give("a", 3).cookie(&ann.cookie).expect(201).await;
    // The same again gives nothing and counts nothing, however full the day is.
    give("a", 3).cookie(&ann.cookie).expect(200).await;
    give("a", 2).key(&key.secret).refused(409, "conflict").await;
    give("b", 2).key(&key.secret).expect(201).await;
    give("c", 1).key(&key.secret).refused(403, "chances_alone_max").await;
    give("c", 1).cookie(&ann.cookie).refused(403, "chances_alone_max").await;
}
