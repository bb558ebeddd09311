//! Activities in which everybody wins one thing, and prizes that stand where a test needs them.

use serde_json::{Value, json};

use crate::activities::fixtures::{Crew, HOUR_MS, now_ms};
use crate::backend::settled;
use crate::client::Call;
use crate::people::{Person, address, fresh_external};
use crate::process::Server;

/// Everybody wins it for certain.
pub fn sure(prize: &Value) -> Value {
    let mut sure = json!({ "name": "sure thing", "odds": 1_000_000, "units": 1_000 });
    sure.as_object_mut().unwrap().extend(prize.as_object().unwrap().clone());
    json!({
        "name": format!("sure {}", fresh_external()),
        "from": now_ms() - HOUR_MS,
        "until": now_ms() + HOUR_MS,
        "chances": { "total": 5 },
        "prizes": [sure],
    })
}

/// A win of somebody, once it can be seen; with the activity it was won in.
pub async fn won(server: &Server, prize: &Value, sign: impl Fn(Call) -> Call) -> (String, Value) {
    let activity = Crew::new(server).await.publish(sure(prize)).await;
    let draw = server.api("POST", &format!("/play/activities/{activity}/draws"));
    sign(draw.json(json!({ "id": fresh_external() }))).expect(201).await;
    let win = settled(
        || sign(server.api("GET", "/me/wins")),
        |answer| {
            answer.status == 200
                && answer.items().first().is_some_and(|win| win["activity"] == activity.as_str())
        },
    )
    .await;
    (activity, win.items()[0].clone())
}

pub fn id(win: &Value) -> String {
    win["id"].as_str().unwrap().to_owned()
}

/// A step of the command line, which may do what operators do.
pub fn step(server: &Server, id: &str, step: &str, body: Value) -> Call {
    server.console("POST", &format!("/fulfilments/{id}/{step}")).json(body)
}

pub fn because() -> Value {
    json!({ "reason": "as planned" })
}

pub fn ship() -> Value {
    json!({ "carrier": "SF Express", "tracking": "SF1029384756" })
}

/// How a prize stands for operators.
pub fn look(server: &Server, id: &str) -> Call {
    server.console("GET", &format!("/fulfilments/{id}"))
}

pub async fn stands(server: &Server, id: &str, state: &str) -> Value {
    settled(|| look(server, id), |answer| answer.json()["state"] == state).await.json()
}

/// A parcel of somebody's, in one of the states that parcels go through.
pub async fn parcel(server: &Server, winner: &Person, state: &str) -> String {
    let prize = json!({ "kind": "parcel", "grant": "by_hand" });
    let (_, win) = won(server, &prize, |call| call.cookie(&winner.cookie)).await;
    let id = id(&win);
    let order = ["waiting", "claimable", "to_ship", "shipped"];
    let wanted = order.iter().position(|known| *known == state).unwrap();
    for next in &order[1..=wanted] {
        match *next {
            "claimable" => step(server, &id, "release", because()).expect(200).await,
            "to_ship" => {
                let claim = server.by(winner, "POST", &format!("/me/wins/{id}/claim"));
                claim.json(json!({ "address": address("世纪大道 1 号") })).expect(200).await
            }
            _ => step(server, &id, "ship", ship()).expect(200).await,
        };
    }
    id
}

/// Chances that could not be granted: they were released after the end. Their message is a dead letter of the same id.
pub async fn failed(server: &Server) -> String {
    let winner = server.person(&[]).await;
    let prize = json!({ "kind": "chances", "amount": 2, "grant": "by_hand" });
    let (activity, win) = won(server, &prize, |call| call.cookie(&winner.cookie)).await;
    server.console("POST", &format!("/activities/{activity}/close")).json(because()).expect(200).await;
    step(server, &id(&win), "release", because()).expect(200).await;
    stands(server, &id(&win), "failed").await;
    id(&win)
}

/// Voided by two people.
pub async fn void(server: &Server, id: &str) -> Value {
    let (operator, admin) = (server.person(&["operator"]).await, server.person(&["admin"]).await);
    let ask = server.by(&operator, "POST", &format!("/fulfilments/{id}/void")).json(because());
    let approval = ask.expect(202).await.member("approval_id");
    let approve = server.by(&admin, "POST", &format!("/admin/approvals/{approval}/approve"));
    approve.json(json!({})).expect(200).await.json()
}
