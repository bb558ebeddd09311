//! Many at once: the same click sent often, different clicks for one chance, and a crowd for few prizes.

use std::collections::BTreeMap;

use serde_json::Value;
use tokio::task::JoinSet;

use super::campaign::{Players, generous, prizes};
use crate::activities::fixtures::Crew;
use crate::people::fresh_external;
use crate::process::shared;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hole_42_the_same_click_sent_often_is_one_draw() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let players = Players::new(server, &crew.publish(generous(9, 9)).await).await;
    let ann = fresh_external();
    let sent: JoinSet<_> = (0..20).map(|_| players.draw(&ann, "click", 1).send()).collect();
    let answers = sent.join_all().await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(made, 1, "drawn once");
    let draws: Vec<Value> = answers.iter().map(|answer| answer.json()["draws"].clone()).collect();
    assert!(draws.iter().all(|told| *told == draws[0]), "told the same: {draws:?}");
    assert_eq!(players.get(&ann, "/me").expect(200).await.json()["drawn"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hole_40_different_clicks_share_the_chances_there_are() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let players = Players::new(server, &crew.publish(generous(9, 3)).await).await;
    let ann = fresh_external();
    let click = |n: usize| players.draw(&ann, &format!("click-{n}"), 1).send();
    let sent: JoinSet<_> = (0..12).map(click).collect();
    let answers = sent.join_all().await;
    let mut codes: BTreeMap<String, usize> = BTreeMap::new();
    for answer in &answers {
        let code = answer.json()["code"].as_str().unwrap_or("drawn").to_owned();
        *codes.entry(code).or_default() += 1;
    }
    let expected = [("chances_spent".to_owned(), 9), ("drawn".to_owned(), 3)];
    assert_eq!(codes, BTreeMap::from(expected));
}

/// Hole 41: "a losing draw does not consume the ticket: draw until you win". Every draw costs a chance, and the same id is
/// the same miss.
#[tokio::test]
async fn hole_41_a_losing_draw_costs_its_chance() {
    let (_, server) = shared().await;
    let mut form = generous(1, 3);
    form["mode"] = serde_json::json!("fixed");
    form["prizes"] = serde_json::json!([{ "name": "car", "odds": 1, "units": 1 }]);
    let players = Players::new(server, &Crew::new(server).await.publish(form).await).await;
    let ann = fresh_external();
    let drawn = async || players.get(&ann, "/me").expect(200).await.json()["drawn"].clone();
    let mut told = Vec::new();
    for n in 0..3 {
        assert_eq!(drawn().await, n, "before draw {n}");
        told.push(players.draw(&ann, &format!("draw {n}"), 1).expect(201).await.json()["draws"].clone());
    }
    players.draw(&ann, "draw 3", 1).refused(409, "chances_spent").await;
    for (n, told) in told.iter().enumerate() {
        let again = players.draw(&ann, &format!("draw {n}"), 1).expect(200).await.json();
        assert_eq!(again["draws"], *told, "draw {n} again");
    }
    assert_eq!(drawn().await, 3);
}

/// Never oversold: as many wins as there are units, whoever comes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hole_43_a_crowd_wins_exactly_what_there_is() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let players = Players::new(server, &crew.publish(generous(15, 10)).await).await;
    let visit = |_| {
        let (players, who) = (players.clone(), fresh_external());
        async move {
            let mut won = Vec::new();
            won.extend(prizes(&players.draw(&who, "one", 1).expect(201).await.json()));
            won.extend(prizes(&players.draw(&who, "more", 1).expect(201).await.json()));
            won
        }
    };
    let crowd: JoinSet<Vec<String>> = (0..40).map(visit).collect();
    let won: Vec<String> = crowd.join_all().await.into_iter().flatten().collect();
    for (prize, units) in [("tea", 15), ("cup", 15), ("-", 50)] {
        assert_eq!(won.iter().filter(|name| *name == prize).count(), units, "{prize}");
    }
}
