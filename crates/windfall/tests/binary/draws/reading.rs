//! What can be read of draws: by their players, by everybody, and as proof.

use std::collections::BTreeMap;

use domain::hex::unhex_all;
use domain::ids::ActivityId;
use domain::lottery::chain::{ChainLink, PublishedChain, Receipt};
use domain::lottery::publish::StrategyHash;
use domain::lottery::random::{Commitment, DrawSecret};
use domain::lottery::replay::Replayer;
use domain::lottery::strategy::Strategy;
use serde_json::{Value, json};

use super::campaign::{Players, generous, prizes};
use crate::activities::fixtures::Crew;
use crate::backend::settled;
use crate::client::Answer;
use crate::people::fresh_external;
use crate::process::shared;
use crate::sales::fixtures as sales;

/// Waits until so many are listed.
pub async fn listed(call: impl Fn() -> crate::client::Call, many: usize) -> Vec<Value> {
    settled(call, |answer: &Answer| answer.status == 200 && answer.items().len() == many).await.items()
}

/// What one did a moment ago is there: in the list, among the wins, and with its proof.
#[tokio::test]
async fn ones_own_draws_are_there_at_once() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let activity = crew.publish(generous(100, 50)).await;
    let (players, ann) = (Players::new(server, &activity).await, fresh_external());
    for drawn in 1..=20_usize {
        let ticket = players.draw(&ann, &drawn.to_string(), 1).expect(201).await.json();
        let name = ticket["ticket"].as_str().unwrap();
        match drawn % 3 {
            0 => {
                let proof = players.get(&ann, &format!("/me/proof/{name}")).expect(200).await.json();
                assert_eq!(proof["receipt"], ticket["receipt"]);
            }
            1 => {
                let mine = players.get(&ann, "/me/draws").expect(200).await.items();
                assert_eq!((mine.len(), &mine[0]["ticket"]), (drawn, &ticket["ticket"]));
            }
            _ => assert_eq!(players.me(&ann, "/wins").expect(200).await.items().len(), drawn),
        }
    }
}

#[tokio::test]
async fn a_player_finds_tickets_and_wins_page_by_page() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let form = generous(50, 50);
    let name = form["name"].clone();
    let activity = crew.publish(form).await;
    let (players, ann, bob) = (Players::new(server, &activity).await, fresh_external(), fresh_external());
    let mut told = Vec::new();
    for (id, draws) in [("one", 1), ("two", 10), ("three", 1)] {
        let mut ticket = players.draw(&ann, id, draws).expect(201).await.json();
        ticket.as_object_mut().unwrap().remove("chances");
        told.insert(0, ticket);
    }
    players.draw(&bob, "one", 1).expect(201).await;

    let mine = listed(|| players.get(&ann, "/me/draws"), 3).await;
    assert_eq!(mine, told, "the newest first, as they were told");
    let first = players.get(&ann, "/me/draws?limit=2").expect(200).await;
    let rest = players.get(&ann, &format!("/me/draws?limit=2&after={}", first.member("next")));
    assert_eq!(rest.expect(200).await.items(), told[2..]);
    // Somebody else's place in the list is no place in one's own.
    let theirs = players.get(&bob, &format!("/me/draws?limit=2&after={}", first.member("next")));
    assert_eq!(theirs.expect(200).await.items(), Vec::<Value>::new());

    let won: Vec<String> = told.iter().rev().flat_map(prizes).rev().collect();
    let wins = listed(|| players.me(&ann, "/wins"), 12).await;
    let names: Vec<&str> = wins.iter().map(|win| win["prize"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, won, "everybody wins here");
    assert!(wins.iter().all(|win| win["activity_name"] == name && win["activity"] == json!(activity)));
    let page = players.me(&ann, "/wins?limit=5").expect(200).await;
    let next = players.me(&ann, &format!("/wins?limit=5&after={}", page.member("next"))).expect(200).await;
    assert_eq!([page.items(), next.items()].concat(), wins[..10]);
}

#[tokio::test]
async fn everybody_sees_who_wins_and_nobody_who_that_is() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let activity = crew.publish(generous(50, 50)).await;
    let players = Players::new(server, &activity).await;
    let people = [("小明", 3), ("John", 2), ("=cmd()", 1)];
    let mut draws = Vec::new();
    for (name, count) in people {
        let person = server.person(&[]).await;
        server.by(&person, "PATCH", "/me").json(json!({ "name": name })).expect(200).await;
        for _ in 0..count {
            let path = format!("/play/activities/{activity}/draws");
            let draw = server.by(&person, "POST", &path).json(json!({ "id": fresh_external() }));
            draws.insert(0, prizes(&draw.expect(201).await.json()).remove(0));
        }
    }
    let open = |rest: &str| server.api("GET", &format!("/play/activities/{activity}{rest}"));
    let winners = listed(|| open("/winners"), 6).await;
    let names: Vec<&str> = winners.iter().map(|winner| winner["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["=***", "J***", "J***", "小**", "小**", "小**"]);
    let won: Vec<&str> = winners.iter().map(|winner| winner["prize"]["name"].as_str().unwrap()).collect();
    assert_eq!(won, draws);
    assert!(winners.iter().all(|winner| winner.get("user").is_none() && winner.get("id").is_none()));
    let leaders = settled(
        || open("/leaders"),
        |answer| answer.items().iter().filter_map(|leader| leader["won"].as_u64()).sum::<u64>() == 6,
    );
    let leaders: Vec<(String, u64)> = leaders
        .await
        .items()
        .iter()
        .map(|leader| (leader["name"].as_str().unwrap().to_owned(), leader["won"].as_u64().unwrap()))
        .collect();
    let expected = [("小**", 3), ("J***", 2), ("=***", 1)].map(|(name, won)| (name.to_owned(), won));
    assert_eq!(leaders, expected);

    // The same for publication, in the order they were won; what begins like a formula is none.
    let table = crew.get(&format!("/activities/{activity}/winners?format=csv")).expect(200).await;
    assert_eq!(table.header("content-type"), "text/csv; charset=utf-8");
    let text = table.text();
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], "name,round,prize,prize_name,fallback_points,time");
    let names: Vec<&str> = lines[1..].iter().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(names, ["小**", "小**", "小**", "J***", "J***", "'=***"]);
    let _ = players;
}

/// What is told suffices to check a ticket without trusting whoever told it.
#[tokio::test]
async fn a_proof_can_be_checked_by_its_player_alone() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let activity = crew.publish(generous(50, 50)).await;
    let (players, ann, bob) = (Players::new(server, &activity).await, fresh_external(), fresh_external());
    let first = players.draw(&ann, "one", 1).expect(201).await.json();
    let second = players.draw(&bob, "one", 10).expect(201).await.json();
    let path = |ticket: &Value| format!("/me/proof/{}", ticket["ticket"].as_str().unwrap());
    settled(|| players.get(&bob, &path(&second)), |answer| answer.status == 200).await;
    players.get(&ann, &path(&second)).refused(404, "not_found").await;
    let elsewhere = crew.publish(generous(1, 1)).await;
    players.of(&elsewhere).get(&bob, &path(&second)).refused(404, "not_found").await;

    let mut last = None;
    for (player, ticket) in [(&ann, &first), (&bob, &second)] {
        let proof = players.get(player, &path(ticket)).expect(200).await.json();
        assert!(proof.get("secret").is_none(), "not while anybody can draw");
        assert_eq!(proof["receipt"], ticket["receipt"]);
        let (before, receipt) = (receipt(&proof["before"]), receipt(&proof["receipt"]));
        assert_eq!(before.next(&bytes(&proof["record"])), receipt, "it is where it is said to be");
        assert_eq!(before, last.unwrap_or(published(&proof).begin()), "each hangs on the one before");
        last = Some(receipt);
    }

    crew.step(&activity, "close").expect(200).await;
    let proof = settled(|| players.get(&bob, &path(&second)), |answer| answer.json().get("secret").is_some());
    let proof = proof.await.json();
    let secret = DrawSecret::new(bytes(&proof["secret"]).try_into().unwrap());
    let strategy = Strategy::decode(&bytes(&proof["strategy"])).unwrap();
    let replayer = Replayer::new(published(&proof), strategy, &secret).unwrap();
    let record = replayer.replay(&bytes(&proof["record"])).unwrap();
    let drawn: Vec<Value> = record.draws.iter().map(|draw| json!(draw.drawn.slot.0)).collect();
    let told: Vec<Value> =
        second["draws"].as_array().unwrap().iter().map(|draw| draw["slot"].clone()).collect();
    assert_eq!(drawn, told, "it could not have come out otherwise");
}

fn bytes(hex: &Value) -> Vec<u8> {
    unhex_all(hex.as_str().unwrap()).unwrap()
}

fn receipt(body: &Value) -> Receipt {
    Receipt {
        place: body["place"].as_u64().unwrap(),
        link: ChainLink(bytes(&body["link"]).try_into().unwrap()),
    }
}

fn published(proof: &Value) -> PublishedChain {
    let told = &proof["published"];
    let number = |name: &str| u32::try_from(told[name].as_u64().unwrap()).unwrap();
    PublishedChain {
        activity: ActivityId(told["activity"].as_str().unwrap().parse().unwrap()),
        round: number("round"),
        version: number("version"),
        commitment: Commitment(bytes(&told["commitment"]).try_into().unwrap()),
        strategy: StrategyHash(bytes(&told["strategy_hash"]).try_into().unwrap()),
    }
}

/// One look at everything that support is asked about.
#[tokio::test]
async fn support_sees_one_user_on_one_page() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let person = server.person(&[]).await;
    let mut drawn = BTreeMap::new();
    for draws in [1, 2] {
        let activity = crew.publish(generous(9, 9)).await;
        for _ in 0..draws {
            let path = format!("/play/activities/{activity}/draws");
            let ticket = server.by(&person, "POST", &path).json(json!({ "id": fresh_external() }));
            ticket.expect(201).await;
        }
        drawn.insert(activity, draws);
    }
    let sale = sales::sale(server, json!({})).await;
    let order = sales::ordered(server, &person, &sale, 1).await;
    let admin = server.person(&["admin"]).await;
    let facts = format!("/admin/users/{}/facts", person.id);
    server.by(&admin, "PATCH", &facts).json(json!({ "vip": true })).expect(200).await;
    let path = format!("/admin/users/{}/support", person.id);
    let page = settled(
        || crew.get(&path),
        |answer| {
            let has =
                |what: &str, count| answer.json()[what].as_array().is_some_and(|rows| rows.len() == count);
            has("tickets", 3) && has("orders", 1)
        },
    );
    let page = page.await.json();
    assert_eq!(
        (&page["orders"][0]["id"], &page["orders"][0]["state"], &page["orders"][0]["lines"][0]["sale"]),
        (&json!(order), &json!("unpaid"), &json!(sale))
    );
    assert_eq!((&page["account"]["id"], &page["facts"]["vip"]["value"]), (&json!(person.id), &json!(true)));
    let played: BTreeMap<String, i32> = page["played"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| {
            let draws = i32::try_from(part["draws"].as_i64().unwrap()).unwrap();
            assert_eq!(part["chances"]["left"], json!(9 - draws));
            (part["activity"].as_str().unwrap().to_owned(), draws)
        })
        .collect();
    assert_eq!(played, drawn);
    assert_eq!(page["wins"].as_array().unwrap().len(), 3);
    assert_eq!(page["sessions"].as_array().unwrap().len(), 1);
    assert!(!page.to_string().contains("hash"), "no secrets: {page}");
}
