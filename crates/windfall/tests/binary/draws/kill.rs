//! The server is killed while people draw: whoever asks again with the same id hears the same, and nothing is given
//! twice.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;
use tokio::task::JoinSet;

use super::campaign::{Players, generous, prizes};
use crate::activities::given::Crew;
use crate::process::Home;

const KILLS: u64 = 8;
const PLAYERS: usize = 4;
const UNITS: u64 = 60;

/// Somebody who draws until the server is gone, and remembers what they were told.
struct Player {
    name: String,
    sent: u64,
    told: BTreeMap<String, Value>,
}

impl Player {
    /// Asks for the last draw again, if its answer was never heard, and then for more.
    async fn go_on(mut self, players: Players, answers: Arc<AtomicU64>) -> Self {
        loop {
            let id = format!("draw-{}", self.sent);
            let draws = if self.sent.is_multiple_of(5) { 10 } else { 1 };
            let Some(answer) = players.draw(&self.name, &id, draws).attempt().await else { return self };
            assert!(matches!(answer.status, 200 | 201), "{}", answer.text());
            self.told.insert(id, answer.json()["draws"].clone());
            self.sent += 1;
            answers.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hole_42_what_was_drawn_stays_drawn() {
    let home = Home::new();
    let server = home.start("serve").await;
    let crew = Crew::new(&server).await;
    let activity = crew.publish(generous(UNITS, 1_000_000)).await;
    let players = Players::new(&server, &activity).await;
    let player = |n| Player { name: format!("player-{n}"), sent: 0, told: BTreeMap::new() };
    let mut crowd: Vec<Player> = (0..PLAYERS).map(player).collect();
    let mut server = Some(server);
    for kill in 0..KILLS {
        let running = match server.take() {
            Some(server) => server,
            None => home.start("serve").await,
        };
        let (here, answers) = (players.at(&running), Arc::new(AtomicU64::new(0)));
        let going: JoinSet<Player> =
            crowd.drain(..).map(|player| player.go_on(here.clone(), Arc::clone(&answers))).collect();
        while answers.load(Ordering::Relaxed) < 3 + 7 * kill {
            tokio::task::yield_now().await;
        }
        assert_eq!(running.kill().await.code(), None, "ended by the signal");
        crowd = going.join_all().await;
    }

    let server = home.start("serve").await;
    let players = players.at(&server);
    let mut won: BTreeMap<String, u64> = BTreeMap::new();
    for player in &mut crowd {
        // What was on its way when the server went is heard now, whether it had happened or not.
        let last = format!("draw-{}", player.sent);
        let draws = if player.sent.is_multiple_of(5) { 10 } else { 1 };
        let answer = players.draw(&player.name, &last, draws).send().await;
        player.told.insert(last, answer.json()["draws"].clone());
        for (id, told) in &player.told {
            let count = told.as_array().unwrap().len() as u64;
            let again = players.draw(&player.name, id, count).expect(200).await.json();
            assert_eq!(again["draws"], *told, "{} {id}", player.name);
            for prize in prizes(&again) {
                *won.entry(prize).or_default() += 1;
            }
        }
        let me = players.get(&player.name, "/me").expect(200).await.json();
        let drawn: usize = player.told.values().map(|told| told.as_array().unwrap().len()).sum();
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
