//! From what Windfall sees people do to what they have for it, on a clock that moves.

use serde_json::{Value, json};

use super::fixtures::{post, written};
use crate::backend::settled;
use crate::people::{Person, fresh_external};
use crate::process::{Home, Server};

const DAY_MS: i64 = 86_400_000;

async fn rule(server: &Server, behaviour: &str, gives: Value) {
    let mut rule = json!({ "name": behaviour, "behaviour": behaviour, "period": "day", "zone": "America/New_York", "times": 2 });
    rule.as_object_mut().unwrap().extend(gives.as_object().unwrap().clone());
    server.console("POST", "/grant-rules").json(rule).expect(201).await;
}

async fn balance_becomes(server: &Server, person: &Person, balance: i64) {
    settled(|| server.by(person, "GET", "/me/points"), |answer| answer.json()["balance"] == balance).await;
}

async fn task(server: &Server, person: &Person, name: &str) -> Value {
    let all = server.by(person, "GET", "/me/tasks").expect(200).await.items();
    all.into_iter().find(|task| task["name"] == name).unwrap()
}

/// A check-in counts on the site's date, whatever the rule's zone is, pays once, and what it pays can be drawn.
#[tokio::test]
async fn a_check_in_pays_a_chance_which_is_drawn() {
    let (home, noon) = Home::at_noon(&[]);
    let server = &home.demo().await;
    let ann = server.person(&[]).await;
    rule(server, "check_in", json!({ "gives": "points", "amount": 7, "times": 1 })).await;
    // One in the morning there: in the rule's zone it is the day before, and then the same day twice.
    home.clock_at(noon + DAY_MS / 2 + DAY_MS / 24);
    assert_eq!(task(server, &ann, "check_in").await["done"], json!(0));
    for _ in 0..3 {
        server.by(&ann, "POST", "/me/check-in").expect(200).await;
    }
    balance_becomes(server, &ann, 7).await;
    let done = task(server, &ann, "check_in").await;
    assert_eq!((&done["done"], &done["open"], &done["earned"]), (&json!(1), &json!(false), &json!(7)));
    home.clock_at(noon + DAY_MS + DAY_MS / 4);
    assert_eq!(server.by(&ann, "POST", "/me/check-in").expect(200).await.json()["new"], json!(false));
    home.clock_at(noon + 3 * DAY_MS / 2 + 1);
    assert_eq!(server.by(&ann, "POST", "/me/check-in").expect(200).await.json()["new"], json!(true));
    balance_becomes(server, &ann, 14).await;
    // The demo's own rule gives a chance for each of the two days.
    let grants = server.by(&ann, "GET", "/me/grants").expect(200).await.items();
    let chances: Vec<_> = grants.iter().filter(|grant| grant["gives"] == "chances").collect();
    assert_eq!(chances.len(), 2, "{grants:?}");
    let activity = chances[0]["activity"].as_str().unwrap();
    let me = || server.by(&ann, "GET", &format!("/play/activities/{activity}/me"));
    settled(me, |answer| answer.json()["granted"] == 2).await;
    let draw = server.by(&ann, "POST", &format!("/play/activities/{activity}/draws"));
    draw.json(json!({ "id": fresh_external() })).expect(201).await;
}

/// Each act pays once ever, not towards oneself, not while the account is new, and not when it is taken back.
#[tokio::test]
async fn likes_and_posts_pay_once_and_are_taken_back() {
    let (home, noon) = Home::at_noon(&[]);
    let server = &home.demo().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    rule(server, "like", json!({ "gives": "points", "amount": 100, "times": 9 })).await;
    rule(server, "post", json!({ "gives": "points", "amount": 1_000, "times": 9 })).await;
    let early = post(server, &ann).await;
    let like =
        |person: &Person, method: &str, id: &str| server.by(person, method, &format!("/posts/{id}/like"));
    like(&bob, "PUT", &early).expect(200).await;
    home.clock_at(noon + DAY_MS + DAY_MS / 24);
    like(&ann, "PUT", &early).expect(200).await;
    let id = post(server, &ann).await;
    // The demo's own rule gives ten besides.
    balance_becomes(server, &ann, 1_010).await;
    for method in ["PUT", "DELETE", "PUT"] {
        like(&bob, method, &id).expect(200).await;
    }
    let undone = || server.by(&bob, "GET", "/me/grants");
    let is_reversed =
        |grants: Vec<Value>| grants.len() == 2 && grants.iter().all(|grant| grant["state"] == "reversed");
    settled(undone, |answer| is_reversed(answer.items())).await;
    balance_becomes(server, &bob, 0).await;
    // Removed by a moderator: so is what it gave, and the level that came of it.
    let level = || server.api("GET", &format!("/members/{}", ann.id));
    assert_eq!(level().expect(200).await.json()["level"], json!(4));
    let judge = server.person(&["moderator"]).await;
    let remove = json!({ "act": "remove", "reason": "off topic" });
    server.by(&judge, "POST", &format!("/admin/posts/{id}/moderate")).json(remove).expect(200).await;
    balance_becomes(server, &ann, 0).await;
    assert_eq!(level().expect(200).await.json()["level"], json!(1));
    let tasks = server.by(&ann, "GET", "/me/tasks").expect(200).await.json();
    assert_eq!(tasks["level"], json!({ "level": 1, "earned": 0, "next_at": 100 }));
    // Written, and deleted by its author.
    let own = server.by(&bob, "POST", "/posts").json(written("Soon gone")).expect(201).await.member("id");
    balance_becomes(server, &bob, 1_010).await;
    server.by(&bob, "DELETE", &format!("/posts/{own}")).expect(204).await;
    balance_becomes(server, &bob, 0).await;
}
