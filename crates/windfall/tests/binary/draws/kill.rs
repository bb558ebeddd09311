//! The server is killed while people draw: whoever asks again with the same id hears the same, and nothing is given
//! twice.

use std::collections::BTreeMap;

use super::campaign::{Players, generous, prizes};
use super::crowd::Storm;
use crate::activities::fixtures::Crew;
use crate::process::Home;

const UNITS: u64 = 60;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hole_42_what_was_drawn_stays_drawn() {
    let home = Home::new();
    let server = home.start("serve").await;
    let crew = Crew::new(&server).await;
    let activity = crew.publish(generous(UNITS, 1_000_000)).await;
    let players = Players::new(&server, &activity).await;
    let storm = Storm {
        kills: 8,
        answers: |kill| 3 + 7 * kill,
        draws: |nth| if nth.is_multiple_of(5) { 10 } else { 1 },
    };
    let (server, crowd) = storm.over(&home, server, &players).await;
    let players = players.at(&server);
    let mut won: BTreeMap<String, u64> = BTreeMap::new();
    for player in &crowd {
        let mut drawn = 0;
        for (id, told) in &player.told {
            let count = told["draws"].as_array().unwrap().len() as u64;
            let again = players.draw(&player.name, id, count).expect(200).await.json();
            assert_eq!(again["draws"], told["draws"], "{} {id}", player.name);
            drawn += count;
            for prize in prizes(&again) {
                *won.entry(prize).or_default() += 1;
            }
        }
        let me = players.get(&player.name, "/me").expect(200).await.json();
        assert_eq!(me["drawn"], drawn, "{}: no draw that nobody was told of", player.name);
    }
    let total: u64 = won.values().sum();
    let tea = won.get("tea").copied().unwrap_or(0);
    let cup = won.get("cup").copied().unwrap_or(0);
    assert!(tea <= UNITS && cup <= UNITS, "oversold: {won:?}");
    // Everybody wins while anything is left.
    assert_eq!(tea + cup, total.min(2 * UNITS), "{won:?}");
    assert!(server.stop().await.success());
}
