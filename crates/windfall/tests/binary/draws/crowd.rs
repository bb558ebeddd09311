//! A crowd that draws while the server is killed again and again, and remembers what it was told.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;
use tokio::task::JoinSet;

use super::campaign::Players;
use crate::process::{Home, Server};

const PLAYERS: usize = 4;

/// Somebody who draws until the server is gone.
#[derive(Debug)]
pub struct Player {
    pub name: String,
    /// Tickets by the id they were asked for under.
    pub told: BTreeMap<String, Value>,
    sent: u64,
}

/// How often the server is killed, after how many answers each time, and how many draws a player's nth request is of.
#[derive(Clone, Copy, Debug)]
pub struct Storm {
    pub kills: u64,
    pub answers: fn(u64) -> u64,
    pub draws: fn(u64) -> u64,
}

impl Storm {
    /// Answers the server that is there in the end, and everybody with what they heard: what was on its way when the
    /// server went last is asked for again.
    pub async fn over(self, home: &Home, server: Server, players: &Players) -> (Server, Vec<Player>) {
        let player = |n| Player { name: format!("player-{n}"), told: BTreeMap::new(), sent: 0 };
        let mut crowd: Vec<Player> = (0..PLAYERS).map(player).collect();
        let mut running = server;
        for kill in 0..self.kills {
            let (here, answers) = (players.at(&running), Arc::new(AtomicU64::new(0)));
            let going: JoinSet<Player> = crowd
                .drain(..)
                .map(|player| player.go_on(here.clone(), Arc::clone(&answers), self.draws))
                .collect();
            while answers.load(Ordering::Relaxed) < (self.answers)(kill) {
                tokio::task::yield_now().await;
            }
            assert_eq!(running.kill().await.code(), None, "ended by the signal");
            crowd = going.join_all().await;
            running = home.start("serve").await;
        }
        let players = players.at(&running);
        for player in &mut crowd {
            let answer = player.ask(&players, self.draws).send().await;
            player.hear(answer.json());
        }
        (running, crowd)
    }
}

impl Player {
    /// Asks for the last draw again, if its answer was never heard, and then for more.
    async fn go_on(mut self, players: Players, answers: Arc<AtomicU64>, draws: fn(u64) -> u64) -> Self {
        loop {
            let Some(answer) = self.ask(&players, draws).attempt().await else { return self };
            assert!(matches!(answer.status, 200 | 201), "{}", answer.text());
            self.hear(answer.json());
            answers.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn ask(&self, players: &Players, draws: fn(u64) -> u64) -> crate::client::Call {
        players.draw(&self.name, &format!("draw-{}", self.sent), draws(self.sent))
    }

    fn hear(&mut self, ticket: Value) {
        self.told.insert(format!("draw-{}", self.sent), ticket);
        self.sent += 1;
    }
}
