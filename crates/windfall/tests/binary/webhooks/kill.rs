//! The server is killed while events are copied and delivered: every win is told at least once, and always under the same
//! delivery id.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::receiver::Receiver;
use super::subscribe;
use crate::activities::fixtures::Crew;
use crate::draws::campaign::{Players, generous, prizes};
use crate::draws::crowd::Storm;
use crate::process::{Home, LIMIT};

/// The ids under which each win was told.
fn told(receiver: &Receiver) -> BTreeMap<String, BTreeSet<String>> {
    let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for seen in receiver.taken() {
        let body: Value = serde_json::from_str(&seen.body).unwrap();
        assert_eq!(body["kind"], "win.made");
        let win = body["data"]["win_id"].as_str().unwrap().to_owned();
        told.entry(win).or_default().insert(seen.delivery());
    }
    told
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hole_21_every_win_is_told_however_often_the_server_dies() {
    let home = Home::new();
    let server = home.start("serve").await;
    let receivers = [Receiver::start().await, Receiver::start().await];
    for receiver in &receivers {
        subscribe(&server, &receiver.url(), &["win.made"]).await;
    }
    let activity = Crew::new(&server).await.publish(generous(1_000_000, 1_000_000)).await;
    let players = Players::new(&server, &activity).await;
    let storm = Storm { kills: 6, answers: |kill| 5 + 20 * kill, draws: |_| 10 };
    let (server, crowd) = storm.over(&home, server, &players).await;
    let won = crowd
        .iter()
        .flat_map(|player| player.told.values().flat_map(prizes))
        .filter(|prize| prize != "-")
        .count();
    assert!(won > 100, "there is something to tell");
    for receiver in &receivers {
        let all = || (told(receiver).len() >= won).then_some(());
        testkit::wait::until(LIMIT, "every win to be told", all).await.unwrap();
        let told = told(receiver);
        assert_eq!(told.len(), won, "nothing that was not won");
        let under: Vec<_> = told.iter().filter(|(_, ids)| ids.len() != 1).collect();
        assert!(under.is_empty(), "told under several ids: {under:?}");
    }
    assert!(server.stop().await.success());
}
