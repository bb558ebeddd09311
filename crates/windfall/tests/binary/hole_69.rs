//! Hole 69: "A clock that was ahead over midnight: every draw refused until that day, with health checks green." Here it is
//! noticed, told by name and shown, and a clock that was put right serves again at once.

use std::time::Instant;

use serde_json::{Value, json};

use crate::activities::fixtures::{Crew, HOUR_MS, now_ms};
use crate::backend::Backend;
use crate::client::Answer;
use crate::draws::campaign::{Players, generous};
use crate::process::{Home, LIMIT, Server};

const DAY_MS: i64 = 24 * HOUR_MS;
/// By how much `/time` may be off: a clock that is set back a little stands still for that long.
const SLACK_MS: i64 = 5_000;

/// One draw a day for everybody, for days.
fn daily() -> Value {
    let mut form = generous(1_000, 9);
    form["until"] = json!(now_ms() + 5 * DAY_MS);
    form["chances"] = json!({ "total": 9, "day": 1 });
    form
}

async fn ready(server: &Server) -> Answer {
    server.page("GET", "/readyz").send().await
}

async fn metric(server: &Server, name: &str) -> f64 {
    let text = server.page("GET", "/metrics").send().await.text();
    let line = text.lines().find(|line| line.starts_with(name) && !line.starts_with('#'));
    line.and_then(|line| line.rsplit(' ').next()).map_or(0.0, |value| value.parse().unwrap())
}

/// Draws until it is decided; every "no" on the way must be the one that is about the clock.
async fn decided(players: &Players, who: &str, id: &str) -> Answer {
    let begun = Instant::now();
    loop {
        let answer = players.draw(who, id, 1).send().await;
        if answer.status < 500 {
            return answer;
        }
        assert_eq!((answer.status, answer.code().as_str()), (503, "clock_behind"), "{}", answer.text());
        assert!(begun.elapsed() < LIMIT, "the clock was put right and is not believed");
    }
}

/// However long the answer takes.
async fn assert_time_is_right(server: &Server) {
    let asked = now_ms();
    let told = server.api("GET", "/time").expect(200).await.json()["now_ms"].as_i64().unwrap();
    assert!((asked - SLACK_MS..=now_ms() + SLACK_MS).contains(&told), "{told} since {asked}");
}

#[tokio::test]
async fn hole_69_a_clock_that_was_a_day_ahead_and_is_put_right_serves_again() {
    let home = Home::with_clock(&[]);
    let server = home.start("serve").await;
    let activity = Crew::new(&server).await.publish(daily()).await;
    let players = Players::new(&server, &activity).await;
    let backend = Backend::new(&server).await;
    let pool = backend.pool(10).await;
    players.draw("ann", "1", 1).expect(201).await;
    players.draw("ann", "2", 1).refused(409, "chances_spent_day").await;

    // Ahead, over midnight: a new day, by all that anybody knows.
    home.clock_off(DAY_MS);
    players.draw("ann", "2", 1).expect(201).await;
    assert_eq!(metric(&server, "windfall_clock_behind_seconds").await, 0.0);

    // Put right while it runs. It stands, so that nobody believes it before this test has looked.
    home.clock_at(now_ms());
    let noticed = testkit::wait::until_async(LIMIT, "the clock to be noticed", async || {
        let ready = ready(&server).await;
        (ready.status == 503).then(|| ready.json())
    });
    let noticed = noticed.await.unwrap();
    assert!(noticed["parts"]["clock"].as_str().unwrap().starts_with("clock_behind: "), "{noticed}");
    players.draw("ben", "1", 1).refused(503, "clock_behind").await;
    home.clock_off(0);
    // Nobody has the same day twice; whoever has not played it yet plays.
    let again = decided(&players, "ann", "3").await;
    assert_eq!((again.status, again.code().as_str()), (409, "chances_spent_day"));
    assert_eq!(decided(&players, "ben", "1").await.status, 201);
    assert_time_is_right(&server).await;
    let fine = ready(&server).await;
    assert_eq!((fine.status, &fine.json()["parts"]["clock"]), (200, &json!("ok")));
    assert!(fine.json()["notes"]["ledger"].as_str().unwrap().contains("back"), "{}", fine.text());
    assert_eq!(metric(&server, "windfall_clock_put_back_total").await, 1.0);
    for line in ["the clock is behind the ledger", "the clock had been ahead and was put right"] {
        server.logged(line).await;
        let log = server.log();
        assert_eq!(log.matches(line).count(), 1, "{line:?} once in\n{log}");
    }
    // Holds go on: one that is made now is over when its time is over.
    let hold = json!({ "id": "h", "lines": [{ "pool": pool, "quantity": 1 }], "ttl_ms": 60_000 });
    backend.post("/holds", hold).expect(201).await;
    home.clock_off(60_000);
    assert_eq!(backend.get("/holds/h").expect(200).await.json()["state"], "expired");
    assert!(server.stop().await.success());
}

#[tokio::test]
async fn hole_69_a_clock_that_is_put_right_at_a_restart_serves_again() {
    let home = Home::with_clock(&[]);
    home.clock_off(DAY_MS);
    let server = home.start("serve").await;
    let mut form = daily();
    form["until"] = json!(now_ms() + 9 * DAY_MS);
    let activity = Crew::new(&server).await.publish(form).await;
    let players = Players::new(&server, &activity).await;
    players.draw("ann", "1", 1).expect(201).await;
    server.kill().await;
    home.clock_off(0);
    let server = home.start("serve").await;
    let players = players.at(&server);
    assert_eq!(decided(&players, "ben", "1").await.status, 201);
    assert_eq!(players.draw("ann", "1", 1).send().await.status, 200, "the same id, the same draw");
    assert_time_is_right(&server).await;
    assert_eq!(ready(&server).await.status, 200);
    assert!(server.stop().await.success());
}

/// Further back than the ledger follows by itself: told by name until somebody decides.
#[tokio::test]
async fn hole_69_a_clock_that_is_too_far_behind_needs_a_persons_word() {
    let mut home = Home::with_clock(&[("WINDFALL__LEDGER__CLOCK_BACK_MAX_S", "600")]);
    let server = home.start("serve").await;
    let activity = Crew::new(&server).await.publish(daily()).await;
    let players = Players::new(&server, &activity).await;
    home.clock_off(HOUR_MS);
    players.draw("ann", "1", 1).expect(201).await;
    home.clock_off(0);
    testkit::wait::until_async(LIMIT, "the clock to be noticed", async || {
        (ready(&server).await.status == 503).then_some(())
    })
    .await
    .unwrap();
    // However long it goes on like that.
    for minutes in 0..5 {
        home.clock_off(minutes * 60_000);
        let refused = players.draw("ben", "1", 1).refused(503, "clock_behind").await;
        assert_eq!(refused.header("retry-after"), "3");
    }
    server.logged("ledger.clock_back_max_s").await;
    server.stop().await;
    home.clock_off(0);
    home.set("WINDFALL__LEDGER__CLOCK_BACK_MAX_S", "7200");
    let server = home.start("serve").await;
    assert_eq!(decided(&players.at(&server), "ben", "1").await.status, 201);
    assert!(server.stop().await.success());
}
