//! Checking in over HTTP: the site's days, kills, and a site that moves to another zone.

use futures::future::join_all;
use serde_json::{Value, json};

use crate::people::Person;
use crate::process::{Home, Server};

const DAY_MS: i64 = 86_400_000;

async fn check_in(server: &Server, person: &Person) -> Value {
    server.by(person, "POST", "/me/check-in").expect(200).await.json()
}

async fn calendar(server: &Server, person: &Person) -> Value {
    server.by(person, "GET", "/me/check-in").expect(200).await.json()
}

fn make_up(server: &Server, person: &Person, day: &Value) -> crate::client::Call {
    server.by(person, "POST", "/me/check-in/make-up").json(json!({ "day": day }))
}

#[tokio::test]
async fn days_are_those_of_the_site_and_milestones_are_given_once() {
    let (home, noon) = Home::at_noon(&[
        ("WINDFALL__CHECK_IN__MILESTONES", "2 = 30"),
        ("WINDFALL__CHECK_IN__MAKE_UP_POINTS", "20"),
    ]);
    let server = &home.demo().await;
    let ann = server.person(&[]).await;
    assert_eq!(calendar(server, &ann).await["checked_in"], json!(false));
    let first = check_in(server, &ann).await;
    assert_eq!((&first["new"], &first["streak"]), (&json!(true), &json!(1)));
    // Until midnight in the site's zone it is the same day, twelve hours on it is the next one.
    home.clock_at(noon + DAY_MS / 2 - 1);
    assert_eq!(check_in(server, &ann).await["new"], json!(false));
    home.clock_at(noon + DAY_MS / 2);
    let second = check_in(server, &ann).await;
    assert_eq!((&second["new"], &second["streak"]), (&json!(true), &json!(2)));
    assert_eq!(second["milestones"], json!([{ "days": 2, "points": 30, "reached": true }]));
    // Two days later the streak is broken; the day in between is made up, for points, and mends it.
    home.clock_at(noon + 3 * DAY_MS);
    let broken = calendar(server, &ann).await;
    assert_eq!((&broken["streak"], &broken["make_up"]["left"]), (&json!(0), &json!(3)));
    let missed = broken["make_up"]["days"][0].clone();
    let mended = make_up(server, &ann, &missed).expect(200).await.json();
    assert_eq!(mended["streak"], json!(3));
    make_up(server, &ann, &missed).expect(200).await;
    assert_eq!(check_in(server, &ann).await["streak"], json!(4));
    let points = server.by(&ann, "GET", "/me/points").expect(200).await.json();
    assert_eq!(points["balance"], json!(10), "30 less 20, once");
    make_up(server, &ann, &broken["today"]).expect(200).await;
    make_up(server, &ann, &json!("2020-02-02")).refused(409, "make_up_day").await;
    let month = |text: &str| server.by(&ann, "GET", &format!("/me/check-in?month={text}"));
    assert_eq!(month("2020-02").expect(200).await.json()["days"], json!([]));
    month("2020-13").refused(400, "invalid_field").await;
}

/// The dates that are kept stay what they were: a site that moves west is a day behind for a while, and nobody's streak breaks.
#[tokio::test]
async fn hole_57_a_change_of_the_zone_moves_no_date() {
    let (mut home, noon) = Home::at_noon(&[]);
    // One in the morning in Shanghai.
    home.clock_at(noon + DAY_MS / 2 + DAY_MS / 24);
    let server = home.demo().await;
    let ann = server.person(&[]).await;
    let before = check_in(&server, &ann).await;
    server.stop().await;
    home.set("WINDFALL__TIME_ZONE", "America/New_York");
    let server = home.demo().await;
    let after = calendar(&server, &ann).await;
    assert!(after["today"].as_str() < before["today"].as_str(), "{after}");
    let all = server.by(&ann, "GET", &format!("/me/check-in?month={}", before["month"].as_str().unwrap()));
    assert_eq!(all.expect(200).await.json()["days"], before["days"]);
    let west = check_in(&server, &ann).await;
    assert_eq!((&west["new"], &west["streak"]), (&json!(true), &json!(1)));
    home.clock_at(noon + 3 * DAY_MS / 2 + DAY_MS / 24);
    let next = check_in(&server, &ann).await;
    assert_eq!((&next["today"], &next["new"], &next["streak"]), (&before["today"], &json!(false), &json!(2)));
}

/// What was told is there after a kill, and fifty requests for one day are one check-in.
#[tokio::test(flavor = "multi_thread")]
async fn hole_57_a_check_in_survives_a_kill_and_counts_once() {
    let (home, noon) = Home::at_noon(&[]);
    let mut server = home.demo().await;
    let ann = server.person(&[]).await;
    let bob = server.person(&[]).await;
    for day in 0..3 {
        home.clock_at(noon + day * DAY_MS);
        let calls = (0..50).map(|n| server.by(if n % 2 == 0 { &ann } else { &bob }, "POST", "/me/check-in"));
        let crowd: Vec<_> = calls.map(|call| tokio::spawn(call.attempt())).collect();
        // Killed with answers on the way: whoever has one has checked in.
        let told = server.by(&ann, "POST", "/me/check-in").expect(200).await.json();
        assert_eq!(told["checked_in"], json!(true));
        server.kill().await;
        join_all(crowd).await;
        server = home.demo().await;
        assert_eq!(calendar(&server, &ann).await["checked_in"], json!(true), "told and lost");
        check_in(&server, &bob).await;
    }
    for person in [&ann, &bob] {
        let seen = calendar(&server, person).await;
        assert_eq!(seen["streak"], json!(3));
        let rows: i64 = home
            .database()
            .query_row(
                "SELECT COUNT(*) FROM check_ins WHERE user_id = ?1",
                [person.id.parse::<i64>().unwrap()],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(rows, 3);
    }
}
