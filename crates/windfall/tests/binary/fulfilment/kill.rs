//! The server is killed while people win chances and play them: every win is granted once.

use serde_json::json;

use crate::activities::fixtures::{Crew, HOUR_MS, now_ms};
use crate::backend::settled;
use crate::draws::campaign::{Players, prizes};
use crate::draws::crowd::{Player, Storm};
use crate::people::fresh_external;
use crate::process::Home;

const CHANCES: u64 = 1_000_000;

fn won(player: &Player) -> u64 {
    player.told.values().flat_map(prizes).filter(|prize| prize == "again").count() as u64
}

/// Whichever chance is used first, the sum tells how much was ever granted.
fn sum(answer: &crate::client::Answer) -> u64 {
    let me = answer.json();
    ["granted", "total", "drawn"].iter().map(|part| me[*part].as_u64().unwrap()).sum()
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
    let storm = Storm { kills: 6, answers: |kill| 5 + 40 * kill, draws: |_| 10 };
    let (server, crowd) = storm.over(&home, server, &players).await;
    let players = players.at(&server);
    for player in &crowd {
        assert!(won(player) > 0, "there is something to give");
        let expected = CHANCES + won(player);
        settled(|| players.get(&player.name, "/me"), |answer| sum(answer) >= expected).await;
    }
    // All of it is given: nothing waits, nothing failed, and not one chance too many.
    for state in ["ready", "failed"] {
        let queue = || server.console("GET", &format!("/fulfilments?state={state}"));
        settled(queue, |answer| answer.items().is_empty()).await;
    }
    for player in &crowd {
        let me = players.get(&player.name, "/me").expect(200).await;
        assert_eq!(sum(&me), CHANCES + won(player), "{}", player.name);
    }
    assert!(server.stop().await.success());
}
