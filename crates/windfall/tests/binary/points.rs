//! Points as people meet them: given, spent, taken back, expired; and who may do that to whom.

use domain::time::DAY_MS;
use engine::points::account;
use serde_json::{Value, json};
use store::model::{Actor, ExternalUser};

use crate::activities::world::{ANN, BOB, Stage, T0};
use crate::client::Call;
use crate::people::{Person, fresh_external};
use crate::process::{Server, shared};

fn adjust(server: &Server, by: &Person, user: &str, points: i64) -> Call {
    let body = json!({ "points": points, "reason": "an apology" });
    server.by(by, "POST", &format!("/admin/users/{user}/points")).json(body)
}

fn reverse(server: &Server, by: &Person, user: &str, n: i64) -> Call {
    let path = format!("/admin/users/{user}/points/{n}/reverse");
    server.by(by, "POST", &path).json(json!({ "reason": "by mistake" }))
}

async fn balance(server: &Server, person: &Person) -> Value {
    server.by(person, "GET", "/me/points").expect(200).await.json()["balance"].clone()
}

#[tokio::test]
async fn an_operator_gives_takes_and_takes_back() {
    let (_, server) = shared().await;
    let (oper, player) = (server.person(&["operator"]).await, server.person(&[]).await);
    assert_eq!(server.by(&player, "GET", "/me/points").expect(200).await.json(), json!({ "balance": 0 }));

    let given = adjust(server, &oper, &player.id, 120).expect(200).await.json();
    assert_eq!(given, json!({ "n": 1, "points": 120, "balance": 120 }));
    adjust(server, &oper, &player.id, -121).refused(409, "points_short").await;
    adjust(server, &oper, &player.id, -20).expect(200).await;
    let back = reverse(server, &oper, &player.id, 2).expect(200).await.json();
    assert_eq!(back, json!({ "n": 3, "points": 20, "balance": 120 }));
    assert_eq!(reverse(server, &oper, &player.id, 2).expect(200).await.json(), back, "the same row again");
    reverse(server, &oper, &player.id, 3).refused(409, "points_final").await;
    adjust(server, &oper, &player.id, -100).expect(200).await;
    let debt = reverse(server, &oper, &player.id, 1).expect(200).await.json();
    assert_eq!(debt["balance"], json!(-100));
    assert_eq!(balance(server, &player).await, json!(-100));

    // Mine, page by page; what it came of is for staff.
    let first = server.by(&player, "GET", "/me/points/statement?limit=3").expect(200).await;
    let path = format!("/me/points/statement?limit=3&after={}", first.member("next"));
    let rest = server.by(&player, "GET", &path).expect(200).await;
    let rows = [first.items(), rest.items()].concat();
    let told: Vec<_> =
        rows.iter().map(|row| (row["n"].as_i64().unwrap(), row["points"].as_i64().unwrap())).collect();
    assert_eq!(told, [(5, -120), (4, -100), (3, 20), (2, -20), (1, 120)]);
    assert_eq!((&rows[2]["reverses"], &rows[3]["reversed_by"]), (&json!(2), &json!(3)));
    assert_eq!((&rows[2]["kind"], &rows[2]["reason"]), (&json!("reverse"), &json!("by mistake")));
    assert!(rows.iter().all(|row| row.get("key").is_none()));
    let staff = format!("/admin/users/{}/points", player.id);
    assert_eq!(server.by(&oper, "GET", &staff).expect(200).await.json(), json!({ "balance": -100 }));
    let rows = server.by(&oper, "GET", &format!("{staff}/statement")).expect(200).await.items();
    assert_eq!((rows.len(), &rows[0]["key"]), (5, &json!("reverse:1")));
    let support =
        server.by(&oper, "GET", &format!("/admin/users/{}/support", player.id)).expect(200).await.json();
    assert_eq!(
        (&support["points"]["balance"], support["statement"].as_array().unwrap().len()),
        (&json!(-100), 5)
    );

    let admin = server.person(&["admin"]).await;
    let log = server.by(&admin, "GET", &format!("/admin/audit?subject=user:{}", player.id)).expect(200).await;
    let lines: Vec<_> = log.items().iter().rev().map(|line| line["action"].clone()).collect();
    let points: Vec<_> =
        lines.iter().filter(|action| action.as_str().unwrap().starts_with("points")).collect();
    assert_eq!(
        points,
        ["points.adjust", "points.adjust", "points.reverse", "points.adjust", "points.reverse"]
    );
}

#[tokio::test]
async fn an_adjustment_under_a_key_happens_once() {
    let (_, server) = shared().await;
    let (oper, player) = (server.person(&["operator"]).await, server.person(&[]).await);
    let key = fresh_external();
    let ask = |points: i64| adjust(server, &oper, &player.id, points).header("idempotency-key", &key);
    let first = ask(7).expect(200).await.json();
    assert_eq!(ask(7).expect(200).await.json(), first);
    ask(8).refused(409, "idempotency_conflict").await;
    assert_eq!(balance(server, &player).await, json!(7));
}

#[tokio::test]
async fn many_points_need_a_second_person_who_does_not_receive_them() {
    let (_, server) = shared().await;
    let (oper, ann) = (server.person(&["operator"]).await, server.person(&["admin"]).await);
    let (bob, player) = (server.person(&["admin"]).await, server.person(&[]).await);
    let decide = |by: &Person, id: &str, word: &str| {
        server
            .by(by, "POST", &format!("/admin/approvals/{id}/{word}"))
            .json(json!({ "reason": "looked at it" }))
    };
    adjust(server, &oper, &player.id, 10_000).expect(200).await;
    let key = fresh_external();
    let ask = || adjust(server, &oper, &player.id, 10_001).header("idempotency-key", &key).expect(202);
    let asked = ask().await;
    let id = asked.member("approval_id");
    assert_eq!(ask().await.member("approval_id"), id, "asked for once");
    assert_eq!(asked.header("location"), format!("/api/v1/admin/approvals/{id}"));
    assert_eq!(balance(server, &player).await, json!(10_000));
    let shown = server.by(&ann, "GET", &format!("/admin/approvals/{id}")).expect(200).await.json();
    let request = json!({ "kind": "adjust_points", "user_id": player.id, "points": 10_001 });
    assert_eq!(shown["request"], request);
    decide(&ann, &id, "approve").expect(200).await;
    decide(&ann, &id, "approve").expect(200).await;
    assert_eq!(balance(server, &player).await, json!(20_001));
    let rows = server.by(&player, "GET", "/me/points/statement").expect(200).await.items();
    assert_eq!((rows.len(), &rows[0]["reason"]), (2, &json!("an apology")));

    // The day's sum counts, to whomever, and what is taken back with it.
    let other = server.person(&[]).await;
    adjust(server, &oper, &other.id, 1).expect(202).await;
    let taking = reverse(server, &oper, &player.id, 2).expect(202).await.member("approval_id");
    let shown = server.by(&ann, "GET", &format!("/admin/approvals/{taking}")).expect(200).await.json();
    assert_eq!(shown["request"], json!({ "kind": "reverse_points", "user_id": player.id, "n": 2 }));
    decide(&ann, &taking, "approve").expect(200).await;
    assert_eq!(balance(server, &player).await, json!(10_000));
    let fresh = server.person(&["operator"]).await;
    assert_eq!(reverse(server, &fresh, &player.id, 2).expect(200).await.json()["n"], 3, "the same row");
    adjust(server, &ann, &player.id, 10_000).expect(200).await;

    // More than is left: the request stays as it was.
    let id = adjust(server, &oper, &player.id, -20_002).expect(202).await.member("approval_id");
    decide(&ann, &id, "approve").refused(409, "points_short").await;
    decide(&ann, &id, "refuse").expect(200).await;
    // Nobody gives to themselves, alone or as the second of two.
    adjust(server, &bob, &bob.id, 1).refused(403, "own_account").await;
    adjust(server, &bob, &bob.id, 50_000).refused(403, "own_account").await;
    let id = adjust(server, &ann, &bob.id, 50_000).expect(202).await.member("approval_id");
    decide(&ann, &id, "approve").refused(403, "own_work").await;
    decide(&bob, &id, "approve").refused(403, "own_account").await;
    assert_eq!(balance(server, &bob).await, json!(0));
    decide(&server.person(&["admin"]).await, &id, "approve").expect(200).await;
    reverse(server, &bob, &bob.id, 1).refused(403, "own_account").await;
}

/// Under a clock that the test sets: gone at the end of the day, whether or not the job has run.
#[tokio::test]
async fn points_expire_at_the_end_of_their_day() {
    let stage = Stage::new().await;
    let world = &stage.world;
    for user in [ANN, BOB] {
        let (external_id, name) = (user.to_string(), format!("Player {user}"));
        let mark = [u8::try_from(user.0 % 251).unwrap(); 32];
        let step = ExternalUser { external_id, mark, id: user, name, sign_up_day: 20_260_101, now: T0 };
        stage.db.external_user(step).await.unwrap();
    }
    let signed = || world.audit_stamp(Actor::Console, "an apology", "test");
    for user in [ANN, BOB] {
        account::adjust(world, signed(), None, user, 40).await.unwrap();
    }
    let end = T0 + 30 * DAY_MS + DAY_MS / 2;
    let told = account::points(world, ANN).await.unwrap();
    assert_eq!((told.balance, told.expiring), (40, Some((end, 40))));
    stage.set(15 * DAY_MS);
    account::adjust(world, signed(), None, ANN, 2).await.unwrap();
    stage.set(end.0 - T0.0 - 1);
    stage.run_job("points_expiry").await;
    assert_eq!(account::points(world, ANN).await.unwrap().balance, 42);
    account::adjust(world, signed(), None, ANN, -1).await.unwrap();

    stage.set(end.0 - T0.0);
    let told = account::points(world, ANN).await.unwrap();
    assert_eq!((told.balance, told.expiring), (2, Some((end + 15 * DAY_MS, 2))), "before the job has run");
    assert_eq!(world.db.points_of(ANN).await.unwrap().balance, 41);
    stage.run_job("points_expiry").await;
    for (user, deltas) in [(ANN, vec![-39, -1, 2, 40]), (BOB, vec![-40, 40])] {
        let rows = account::statement(world, user, Default::default()).await.unwrap().items;
        assert_eq!(rows.iter().map(|row| row.entry.delta).collect::<Vec<_>>(), deltas);
    }
}

/// What the company's own backend shows its users, and what it may do to their points.
#[tokio::test]
async fn a_play_key_sees_the_points_of_its_user() {
    let (_, server) = shared().await;
    let (key, admin_key) = (server.new_key(&["play"]).await, server.new_key(&["admin"]).await);
    let external = fresh_external();
    let call = |path: &str| server.api("GET", path).key(&key.secret).header("windfall-user", &external);
    let user = call("/me").expect(200).await.member("id");
    let path = format!("/admin/users/{user}/points");
    let body = json!({ "points": 3, "reason": "a survey" });
    server.api("POST", &path).key(&admin_key.secret).json(body.clone()).expect(200).await;
    // A key would be its maker's second pair of eyes.
    let many = json!({ "points": 10_001, "reason": "a survey" });
    server.api("POST", &path).key(&admin_key.secret).json(many).refused(403, "points_alone_max").await;
    let fulfil = server.new_key(&["fulfil"]).await;
    server.api("POST", &path).key(&fulfil.secret).json(body).refused(403, "scope_missing").await;
    assert_eq!(call("/me/points").expect(200).await.json(), json!({ "balance": 3 }));
    assert_eq!(call("/me/points/statement").expect(200).await.items().len(), 1);
}
