//! What a player hears: outcomes, chances, and every refusal by name.

use serde_json::{Value, json};

use super::campaign::{Players, generous, prizes};
use crate::activities::fixtures::{Crew, HOUR_MS, now_ms, problems};
use crate::people::fresh_external;
use crate::process::shared;

/// Holes 38, 39 and 41: nobody needs a row before their first draw, the same id is the ticket, and a miss has used it.
#[tokio::test]
async fn a_draw_is_told_with_its_slot_its_prize_and_what_is_left() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let activity = crew.publish(generous(1, 20)).await;
    let (players, ann) = (Players::new(server, &activity).await, fresh_external());

    let before = players.get(&ann, "/me").expect(200).await.json();
    assert_eq!((&before["left"], &before["drawn"]), (&json!(20), &json!(0)), "nobody has a row at first");
    let first = players.draw(&ann, "one", 1).expect(201).await.json();
    let [won] = prizes(&first).try_into().unwrap();
    let slot = if won == "tea" { 0 } else { 1 };
    assert_eq!((&first["draws"][0]["slot"], &first["draws"][0]["why"]), (&json!(slot), &json!("won")));
    assert_eq!((&first["first"], &first["count"], &first["round"]), (&json!(0), &json!(1), &json!(1)));
    assert_eq!((&first["chances"]["left"], &first["receipt"]["place"]), (&json!(19), &json!(1)));

    // The same id, the same ticket; what is left is as it is now.
    let again = players.draw(&ann, "one", 1).expect(200).await.json();
    assert_eq!(again, first);
    players.draw(&ann, "one", 10).refused(409, "conflict").await;

    // Ten in a row: one unit is left, and then there is nothing but misses, which are results.
    let ten = players.draw(&ann, "two", 10).expect(201).await.json();
    let other = if won == "tea" { "cup" } else { "tea" };
    let mut expected = vec![other];
    expected.resize(10, "-");
    assert_eq!(prizes(&ten), expected);
    assert_eq!((&ten["chances"]["left"], &ten["draws"][9]["n"]), (&json!(9), &json!(10)));
    players.draw(&ann, "three", 10).refused(409, "chances_spent").await;
    assert_eq!(players.get(&ann, "/me").expect(200).await.json()["left"], json!(9), "all or nothing");
}

#[tokio::test]
async fn everything_that_can_be_asked_wrongly_has_a_name() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let activity = crew.publish(generous(9, 9)).await;
    let (players, ann) = (Players::new(server, &activity).await, fresh_external());
    for (body, code, field) in [
        (json!({ "id": "x", "draws": 2 }), "invalid_field", "draws"),
        (json!({ "id": "x", "draws": 0 }), "invalid_field", "draws"),
        (json!({ "id": "", "draws": 1 }), "invalid_field", "id"),
        (json!({ "id": "x".repeat(65) }), "invalid_field", "id"),
        (json!({ "id": "x", "client_value": "00" }), "invalid_field", "client_value"),
        (json!({ "id": "x", "user": "7" }), "invalid_field", "user"),
    ] {
        let refused = players.post(&ann, "/draws", body.clone()).refused(400, code).await;
        assert_eq!(refused.json()["field"], json!(field), "{body}");
    }
    players.post(&ann, "/entries", json!({ "id": "x" })).refused(409, "draws_only").await;
    server
        .api("POST", &format!("/play/activities/{activity}/draws"))
        .json(json!({ "id": "x" }))
        .refused(401, "unauthenticated")
        .await;
    let nowhere = players.of("12");
    nowhere.draw(&ann, "x", 1).refused(404, "not_found").await;
}

#[tokio::test]
async fn windows_states_and_switches_have_refusals_of_their_own() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let ann = fresh_external();
    let soon = crew
        .publish(with(generous(9, 9), json!({ "from": now_ms() + HOUR_MS, "until": now_ms() + 2 * HOUR_MS })))
        .await;
    let players = Players::new(server, &soon).await;
    players.draw(&ann, "x", 1).refused(409, "not_started").await;

    let running = crew.publish(generous(9, 9)).await;
    let players = Players::new(server, &running).await;
    players.draw(&ann, "x", 1).expect(201).await;
    crew.step(&running, "pause").expect(200).await;
    players.draw(&ann, "y", 1).refused(409, "paused").await;
    players.draw(&ann, "x", 1).expect(200).await;
    crew.step(&running, "resume").expect(200).await;
    players.draw(&ann, "y", 1).expect(201).await;
    crew.step(&running, "close").expect(200).await;
    players.draw(&ann, "z", 1).refused(409, "ended").await;

    // Another round begins from nothing, with another secret.
    let before = players.get(&ann, "").expect(200).await.json();
    crew.step(&running, "reopen").expect(200).await;
    let after = players.get(&ann, "").expect(200).await.json();
    assert_eq!((&before["round"], &after["round"]), (&json!(1), &json!(2)));
    assert_ne!(before["commitment"], after["commitment"]);
    let anew = players.draw(&ann, "z", 1).expect(201).await.json();
    assert_eq!((&anew["round"], &anew["first"]), (&json!(2), &json!(0)));
    assert_eq!(players.draw(&ann, "x", 1).expect(200).await.json()["round"], json!(1), "told as it was");

    let few = crew.publish(with(generous(9, 10), json!({ "entries": 11 }))).await;
    let players = Players::new(server, &few).await;
    players.draw(&ann, "few", 1).expect(201).await;
    players.draw(&ann, "more", 10).refused(409, "chances_spent").await;
    players.draw(&fresh_external(), "rest", 10).expect(201).await;
    players.draw(&ann, "x", 1).refused(409, "conflict").await; // Spent at another activity: ids are a player's own.
    players.draw(&fresh_external(), "few", 1).refused(409, "entries_gone").await;
}

/// No entry, no ticket: whoever is refused has lost nothing and taken nothing.
#[tokio::test]
async fn hole_37_a_refusal_gives_no_ticket_and_takes_nothing() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let players =
        Players::new(server, &crew.publish(with(generous(9, 9), json!({ "entries": 1 }))).await).await;
    let (ann, bob) = (fresh_external(), fresh_external());
    players.draw(&ann, "one", 1).expect(201).await;
    for id in ["one", "two"] {
        players.draw(&bob, id, 1).refused(409, "entries_gone").await;
        let me = players.get(&bob, "/me").expect(200).await.json();
        assert_eq!((&me["left"], &me["drawn"]), (&json!(9), &json!(0)));
    }
    assert_eq!(players.get(&ann, "/me").expect(200).await.json()["drawn"], json!(1));
}

#[tokio::test]
async fn a_players_own_value_is_fixed_by_the_first_draw() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let players = Players::new(server, &crew.publish(generous(9, 9)).await).await;
    let ann = fresh_external();
    let draw =
        |id: &str, value: &str| players.post(&ann, "/draws", json!({ "id": id, "client_value": value }));
    let (mine, other) = ("ab".repeat(16), "cd".repeat(16));
    draw("one", &mine).expect(201).await;
    draw("two", &other).refused(409, "client_value_fixed").await;
    draw("two", &mine.to_uppercase()).expect(201).await;
}

/// A new version takes effect between two draws, and nobody draws from a mixture.
#[tokio::test]
async fn hole_45_a_newer_version_takes_the_place_of_the_old_one() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let form = generous(5, 50);
    let id = crew.publish(form.clone()).await;
    let (players, ann) = (Players::new(server, &id).await, fresh_external());
    let first = players.draw(&ann, "one", 1).expect(201).await.json();
    let kept = with(
        form,
        json!({ "prizes": [
            { "name": "tea", "odds": 600_000, "units": 5 },
            { "name": "gold", "odds": 400_000, "units": 5, "id": 7 },
        ] }),
    );
    crew.edit(&id, 0, &with(kept.clone(), json!({ "zone": "UTC" }))).expect(200).await;
    let flawed = crew.step(&id, "submit").refused(422, "flawed").await;
    assert_eq!(problems(&flawed), [("zone".to_owned(), "zone_changed".to_owned())], "a new day at once");
    crew.edit(&id, 1, &kept).expect(200).await;
    crew.step(&id, "submit").expect(200).await;
    let again = players.draw(&ann, "two", 1).expect(201).await.json();
    assert_eq!(again["version"], json!(1), "what is in review changes nothing");
    crew.step(&id, "approve").expect(200).await;
    let after = players.draw(&ann, "three", 10).expect(201).await.json();
    assert_eq!((&after["version"], &after["receipt"]["place"]), (&json!(2), &json!(1)), "a chain of its own");
    assert!(prizes(&after).iter().all(|prize| prize != "cup"), "{after}");
    assert_eq!(players.draw(&ann, "one", 1).expect(200).await.json()["draws"], first["draws"]);
    let tea = prizes(&first).iter().chain(&prizes(&again)).filter(|prize| *prize == "tea").count()
        + prizes(&after).iter().filter(|prize| *prize == "tea").count();
    assert!(tea <= 5, "the tea that was won before is gone for the new version too");
}

/// The form with some members in the place of others.
fn with(mut form: Value, members: Value) -> Value {
    let Value::Object(members) = members else { unreachable!("an object") };
    form.as_object_mut().unwrap().extend(members);
    form
}
