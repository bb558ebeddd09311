//! Who makes keys, what they may not do, and when they end.

use serde_json::json;

use super::fixtures::{approve, ask_key, key_of, made_key};
use crate::activities::{self, fixtures::Crew};
use crate::process::{Home, shared};
use crate::sales::fixtures::sale;
use crate::shop::fixtures::offer;

#[tokio::test]
async fn keys_are_made_by_people_and_an_admin_key_by_two() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&["admin"]).await, server.person(&["admin"]).await);
    let key = made_key(server, &ann, &["admin"]).await;
    for (method, path, body) in [
        ("POST", "/admin/keys".to_owned(), Some(json!({ "name": "more", "scopes": ["read"] }))),
        ("POST", format!("/admin/keys/{}/rotate", key.id), Some(json!({}))),
        ("DELETE", format!("/admin/keys/{}", key.id), None),
        ("POST", "/admin/halt".to_owned(), Some(json!({ "on": true, "reason": "why not" }))),
    ] {
        let call = server.api(method, &path).key(&key.secret);
        let call = body.map_or(call.clone(), |body| call.json(body));
        call.refused(403, "people_only").await;
    }
    let asked = ask_key(server, &ann, &["admin"]).expect(202).await;
    let waiting = key_of(&asked);
    let approval = asked.member("approval_id");
    server.api("GET", "/admin/jobs").key(&waiting.secret).refused(401, "unauthenticated").await;
    approve(server, &ann, &approval).refused(403, "own_work").await;
    let shown = server.by(&bob, "GET", &format!("/admin/approvals/{approval}")).expect(200).await.json();
    assert_eq!(
        (&shown["request"]["kind"], &shown["request"]["key_id"]),
        (&json!("activate_key"), &json!(waiting.id))
    );
    approve(server, &bob, &approval).expect(200).await;
    server.api("GET", "/admin/jobs").key(&waiting.secret).expect(200).await;
    // Nobody comes to an admin key by giving it a new secret.
    let rotate = server.by(&bob, "POST", &format!("/admin/keys/{}/rotate", waiting.id));
    rotate.json(json!({})).refused(403, "key_of_another").await;
}

#[tokio::test]
async fn keys_end_with_their_maker() {
    let (_, server) = shared().await;
    for how in ["ban", "roles"] {
        let (ann, bob) = (server.person(&["admin"]).await, server.person(&["admin"]).await);
        let key = made_key(server, &ann, &["read"]).await;
        server.api("GET", "/admin/jobs").key(&key.secret).expect(200).await;
        if how == "ban" {
            server.ban(&ann.id).await;
            server.console("DELETE", &format!("/admin/users/{}/ban", ann.id)).expect(204).await;
        } else {
            let ask = server.by(&bob, "POST", &format!("/admin/users/{}/roles", ann.id));
            let asked =
                ask.json(json!({ "roles": ["operator"], "reason": "another team" })).expect(202).await;
            let cal = server.person(&["admin"]).await;
            approve(server, &cal, &asked.member("approval_id")).expect(200).await;
        }
        server.api("GET", "/admin/jobs").key(&key.secret).refused(401, "unauthenticated").await;
        let listed = server.by(&bob, "GET", "/admin/keys").expect(200).await.items();
        let row = listed.iter().find(|row| row["id"] == key.id.as_str()).unwrap();
        assert!(row["revoked_ms"].is_number() && row["made_by"] == ann.id.as_str(), "{how}: {row}");
    }
}

/// Keys are asked for from memory with every request, and end at once all the same.
#[tokio::test]
async fn a_secret_ends_with_its_overlap_and_a_key_when_it_is_revoked() {
    const HOUR_MS: i64 = 3_600_000;
    let (home, now) = Home::with_still_clock(&[]);
    let server = home.start("serve").await;
    let ann = server.person(&["admin"]).await;
    let first = made_key(&server, &ann, &["read"]).await;
    let ask = |secret: &str| server.api("GET", "/admin/jobs").key(secret);
    ask(&first.secret).expect(200).await;
    let rotate = || server.by(&ann, "POST", &format!("/admin/keys/{}/rotate", first.id));
    let second = key_of(&rotate().json(json!({ "overlap_hours": 1 })).expect(200).await);
    for secret in [&first.secret, &second.secret, &first.secret] {
        ask(secret).expect(200).await;
    }
    home.clock_at(now + HOUR_MS);
    ask(&first.secret).refused(401, "unauthenticated").await;
    ask(&second.secret).expect(200).await;
    let third = key_of(&rotate().json(json!({ "overlap_hours": 0 })).expect(200).await);
    ask(&second.secret).refused(401, "unauthenticated").await;
    ask(&third.secret).expect(200).await;
    server.by(&ann, "DELETE", &format!("/admin/keys/{}", first.id)).expect(204).await;
    ask(&third.secret).refused(401, "unauthenticated").await;
}

#[tokio::test]
async fn one_person_has_so_many_keys() {
    let home = Home::with(&[("WINDFALL__ALONE__KEYS_LIVE_MAX", "2")]);
    let server = home.start("serve").await;
    let ann = server.person(&["admin"]).await;
    let first = made_key(&server, &ann, &["read"]).await;
    made_key(&server, &ann, &["play"]).await;
    ask_key(&server, &ann, &["read"]).refused(409, "keys_full").await;
    server.by(&ann, "DELETE", &format!("/admin/keys/{}", first.id)).expect(204).await;
    made_key(&server, &ann, &["read"]).await;
}

#[tokio::test]
async fn a_key_neither_bans_staff_nor_signs_them_out() {
    let (_, server) = shared().await;
    let key = made_key(server, &server.person(&["admin"]).await, &["admin"]).await;
    for (roles, passes) in [(&["admin"][..], false), (&["operator"][..], false), (&[][..], true)] {
        let person = server.person(roles).await;
        let path = |end: &str| format!("/admin/users/{}/{end}", person.id);
        let calls = [
            server.api("PUT", &path("ban")).key(&key.secret).json(json!({ "reason": "fraud" })),
            server.api("DELETE", &path("ban")).key(&key.secret),
            server.api("POST", &path("sign-out")).key(&key.secret),
        ];
        for call in calls {
            if passes {
                call.expect(204).await;
            } else {
                call.refused(403, "staff_in_person").await;
            }
        }
        if !passes {
            server.by(&person, "GET", "/me").expect(200).await;
        }
    }
}

/// A key that keeps everybody out would be the halt by another name.
#[tokio::test]
async fn keys_keep_so_many_people_out_a_day_and_people_any_number() {
    let home = Home::with(&[("WINDFALL__ALONE__KEY_BARS_DAILY_MAX", "4")]);
    let server = home.start("serve").await;
    let (crew, ann) = (Crew::new(&server).await, server.person(&["admin"]).await);
    let keys = [made_key(&server, &ann, &["admin"]).await, made_key(&server, &ann, &["admin"]).await];
    let activity = crew.publish(activities::fixtures::running()).await;
    let mut people = Vec::new();
    for _ in 0..5 {
        people.push(server.person(&[]).await.id);
    }
    let ban = |person: &str| {
        let reason = json!({ "reason": "fraud" });
        server.api("PUT", &format!("/admin/users/{person}/ban")).json(reason)
    };
    let sign_out = |person: &str| server.api("POST", &format!("/admin/users/{person}/sign-out"));
    let block = |people: &[String]| {
        let path = format!("/activities/{activity}/block-list");
        server.api("POST", &path).json(json!({ "users": people, "reason": "fraud" }))
    };
    ban(&people[0]).key(&keys[0].secret).expect(204).await;
    ban(&people[0]).key(&keys[0].secret).expect(204).await;
    sign_out(&people[1]).key(&keys[1].secret).expect(204).await;
    block(&people[..1]).key(&keys[0].secret).expect(200).await;
    // Who is on it already is not put there once more; two new ones are one too many, and neither is put there.
    block(&people[..3]).key(&keys[1].secret).refused(403, "key_bars_max").await;
    block(&people[..2]).key(&keys[1].secret).expect(200).await;
    for call in [ban(&people[4]), sign_out(&people[4]), block(&people[4..])] {
        call.key(&keys[0].secret).refused(403, "key_bars_max").await;
    }
    // What was done can be undone, and people may do any of it.
    server.api("DELETE", &format!("/admin/users/{}/ban", people[0])).key(&keys[0].secret).expect(204).await;
    for person in &people {
        let in_person = server.by(&ann, "PUT", &format!("/admin/users/{person}/ban"));
        in_person.json(json!({ "reason": "fraud" })).expect(204).await;
    }
    assert!(server.stop().await.success());
}

/// What a key adds to a sale counts in the day of its maker; people add what they like.
#[tokio::test]
async fn a_key_adds_so_many_units_to_sales_a_day() {
    let home = Home::with(&[("WINDFALL__ALONE__PIECES_DAILY_MAX", "10")]);
    let server = home.start("serve").await;
    let ann = server.person(&["admin"]).await;
    let key = made_key(&server, &ann, &["admin"]).await;
    let sale = sale(&server, json!({})).await;
    let path = format!("/sales/{sale}/restock");
    let more = |id: &str, delta: i64| json!({ "id": id, "delta": delta, "reason": "a second lorry" });
    server.api("POST", &path).key(&key.secret).json(more("a", 10)).expect(200).await;
    server.api("POST", &path).key(&key.secret).json(more("a", 10)).expect(200).await;
    server.api("POST", &path).key(&key.secret).json(more("b", 1)).refused(403, "pieces_alone_max").await;
    server.by(&ann, "POST", &path).json(more("b", 1_000_000)).expect(200).await;
    assert!(server.stop().await.success());
}

/// Keys that stop one activity after the other would be the halt, which is for people.
#[tokio::test]
async fn keys_stop_so_many_activities_a_day_and_people_all() {
    let home = Home::with(&[("WINDFALL__ALONE__KEY_STOPS_DAILY_MAX", "2")]);
    let server = home.start("serve").await;
    let (crew, ann) = (Crew::new(&server).await, server.person(&["admin"]).await);
    let keys = [made_key(&server, &ann, &["admin"]).await, made_key(&server, &ann, &["admin"]).await];
    let mut running = Vec::new();
    for _ in 0..4 {
        running.push(crew.publish(activities::fixtures::running()).await);
    }
    let stop = |id: &str, step: &str| {
        let reason = json!({ "reason": "an alarm" });
        server.api("POST", &format!("/activities/{id}/{step}")).json(reason)
    };
    stop(&running[0], "pause").key(&keys[0].secret).expect(200).await;
    // What is paused already is not paused once more.
    stop(&running[0], "pause").key(&keys[1].secret).expect(200).await;
    stop(&running[1], "close").key(&keys[1].secret).expect(200).await;
    for step in ["pause", "close"] {
        stop(&running[2], step).key(&keys[0].secret).refused(403, "key_stops_max").await;
        assert_eq!(crew.state(&running[2]).await, "running", "{step}");
    }
    stop(&running[0], "resume").key(&keys[0].secret).expect(200).await;
    // Nor by any other door.
    let (sale, offer) = (sale(&server, json!({})).await, offer(&server, json!({})).await);
    let doors = [
        (
            "POST",
            format!("/activities/{}/prizes/1/withdraw", running[2]),
            json!({ "id": "w", "reason": "an alarm" }),
        ),
        (
            "POST",
            format!("/activities/{}/prizes/0/restock", running[2]),
            json!({ "id": "r", "delta": -1, "reason": "an alarm" }),
        ),
        ("POST", format!("/sales/{sale}/restock"), json!({ "id": "s", "delta": -1, "reason": "an alarm" })),
        ("PATCH", "/admin/jobs/orders".to_owned(), json!({ "paused": true })),
        ("PATCH", "/admin/jobs/orders".to_owned(), json!({ "schedule": "every 24h" })),
        ("PATCH", format!("/shop/offers/{offer}"), json!({ "edition": 2, "state": "off" })),
    ];
    for (method, path, body) in doors {
        server.api(method, &path).key(&keys[0].secret).json(body.clone()).refused(403, "key_stops_max").await;
        let in_person = server.by(&ann, method, &path).json(body).send().await;
        assert!(in_person.status < 300, "{path}: {}", in_person.text());
    }
    for id in &running[2..] {
        crew.step(id, "pause").expect(200).await;
    }
    assert!(server.stop().await.success());
}
