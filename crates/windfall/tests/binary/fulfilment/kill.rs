//! The server is killed while people win chances and play them: every win is granted once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use tokio::task::JoinSet;

use crate::activities::given::{Crew, HOUR_MS, now_ms};
use crate::backend::settled;
use crate::draws::campaign::{Players, prizes};
use crate::people::fresh_external;
use crate::process::Home;

const KILLS: u64 = 6;
const PLAYERS: usize = 4;
const CHANCES: u64 = 1_000_000;

/// Somebody who draws until the server is gone, and remembers what they won.
struct Player {
    name: String,
    sent: u64,
    won: BTreeMap<String, usize>,
}

impl Player {
    async fn go_on(mut self, players: Players, answers: Arc<AtomicU64>) -> Self {
        loop {
            let id = format!("draw-{}", self.sent);
            let Some(answer) = players.draw(&self.name, &id, 10).attempt().await else { return self };
            assert!(matches!(answer.status, 200 | 201), "{}", answer.text());
            self.keep(id, &answer.json());
            self.sent += 1;
            answers.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn keep(&mut self, id: String, ticket: &serde_json::Value) {
        self.won.insert(id, prizes(ticket).iter().filter(|prize| *prize == "again").count());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hole_21_what_was_won_is_given_once_however_often_the_server_dies() {
    let home = Home::new();
    let server = home.start("serve").await;
    let form = json!({
        "name": format!("again {}", fresh_external()),
        "from": now_ms() - HOUR_MS,
        "until": now_ms() + HOUR_MS,
        "ten": true,
        "chances": { "total": CHANCES },
        "prizes": [{ "name": "again", "odds": 400_000, "unlimited": true, "kind": "chances", "amount": 1 }],
    });
    let activity = Crew::new(&server).await.publish(form).await;
    let players = Players::new(&server, &activity).await;
    let player = |n| Player { name: format!("player-{n}"), sent: 0, won: BTreeMap::new() };
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
        while answers.load(Ordering::Relaxed) < 5 + 40 * kill {
            tokio::task::yield_now().await;
        }
        assert_eq!(running.kill().await.code(), None, "ended by the signal");
        crowd = going.join_all().await;
    }

    let server = home.start("serve").await;
    let players = players.at(&server);
    for player in &mut crowd {
        let last = format!("draw-{}", player.sent);
        let answer = players.draw(&player.name, &last, 10).send().await.json();
        player.keep(last, &answer);
    }
    for player in &crowd {
        let won: usize = player.won.values().sum();
        assert!(won > 0, "there is something to give");
        let expected = CHANCES + won as u64;
        // What was granted is used before what everybody has: the sum tells how much was ever granted.
        let sum = |answer: &crate::client::Answer| {
            let me = answer.json();
            ["granted", "total", "drawn"].iter().map(|part| me[*part].as_u64().unwrap()).sum::<u64>()
        };
        settled(|| players.get(&player.name, "/me"), |answer| sum(answer) >= expected).await;
    }
    // All of it is given: nothing waits, nothing failed, and not one chance too many.
    for state in ["ready", "failed"] {
        let queue = || server.console("GET", &format!("/fulfilments?state={state}"));
        settled(queue, |answer| answer.items().is_empty()).await;
    }
    for player in &crowd {
        let me = players.get(&player.name, "/me").expect(200).await.json();
        let won: usize = player.won.values().sum();
        let sum: u64 = ["granted", "total", "drawn"].iter().map(|part| me[*part].as_u64().unwrap()).sum();
        assert_eq!(sum, CHANCES + won as u64, "{}: {me}", player.name);
    }
    assert!(server.stop().await.success());
}
