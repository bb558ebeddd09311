//! Winners and figures as they come in.

use std::time::{Duration, Instant};

use serde_json::json;
use testkit::wait;

use super::campaign::{Players, generous};
use crate::activities::fixtures::Crew;
use crate::backend::settled;
use crate::people::fresh_external;
use crate::process::{Home, LIMIT};
use crate::stream::Stream;

/// One address has so many places, gets them back, and leaves the others to everybody else.
#[tokio::test]
async fn one_address_does_not_take_every_place() {
    let settings =
        [("WINDFALL__HTTP__STREAMS_OF_ADDRESS_MAX", "2"), ("WINDFALL__HTTP__TRUSTED_PROXIES", "127.0.0.1")];
    let home = Home::with(&settings);
    let server = home.start("serve").await;
    let activity = Crew::new(&server).await.publish(generous(50, 50)).await;
    let open = format!("/play/activities/{activity}/winners/events");
    let export = format!("/activities/{activity}/export");
    let first = Stream::open(&server, None, &open, "winners").await;
    let _second = Stream::open(&server, None, &open, "winners").await;
    for path in [&open, &export] {
        server.api("GET", path).refused(429, "streams_of_address_full").await;
    }
    server.api("GET", &export).header("x-forwarded-for", "198.51.100.7").expect(200).await;
    drop(first);
    settled(|| server.api("GET", &export), |answer| answer.status == 200).await;
}

#[tokio::test]
async fn streams_have_places_of_their_own() {
    let home = Home::with(&[("WINDFALL__HTTP__STREAMS_MAX", "1")]);
    let server = home.start("serve").await;
    let crew = Crew::new(&server).await;
    let activity = crew.publish(generous(50, 50)).await;
    let (players, key) = (Players::new(&server, &activity).await, server.new_key(&["read"]).await);
    let (open, staff) =
        (format!("/play/activities/{activity}/winners/events"), format!("/activities/{activity}/live"));
    let mut winners = Stream::open(&server, None, &open, "winners").await;
    assert_eq!(winners.next().await.unwrap()["items"], json!([]), "the first event comes at once");
    server.api("GET", &open).refused(503, "streams_full").await;

    // The public takes no place from those who run it.
    let mut figures = Stream::open(&server, Some(&key), &staff, "figures").await;
    assert_eq!(figures.next().await.unwrap()["draws"], json!(0));
    crew.get(&staff).refused(503, "streams_full").await;

    for count in 1..=3 {
        players.draw(&fresh_external(), "one", 1).expect(201).await;
        let told = winners.next().await.unwrap();
        assert_eq!(told["items"].as_array().unwrap().len(), count, "{told}");
        while figures.next().await.unwrap()["wins"] != json!(count) {}
    }
    server.signal("TERM");
    assert_eq!(winners.next().await, None, "the stream ends");
    while figures.next().await.is_some() {}
    assert!(server.ended().await.success());
}

/// What a request may take here. On a busy machine that is too little for some, and they ask again.
const REQUEST_MAX: Duration = Duration::from_secs(1);

#[tokio::test]
async fn streams_outlive_the_time_limit_of_requests() {
    let mut home = Home::new();
    let server = home.start("serve").await;
    let activity = Crew::new(&server).await.publish(generous(50, 50)).await;
    let players = Players::new(&server, &activity).await;
    assert!(server.stop().await.success());

    home.set("WINDFALL__HTTP__REQUEST_TIMEOUT_MS", &REQUEST_MAX.as_millis().to_string());
    let server = home.start("serve").await;
    let players = players.at(&server);
    let open = format!("/play/activities/{activity}/winners/events");
    let mut winners = wait::until_async(LIMIT, "a stream in time", async || {
        Stream::try_open(&server, &[], &open, "winners").await
    })
    .await
    .unwrap();
    let opened = Instant::now();
    let mut wins = 0;
    while opened.elapsed() < 2 * REQUEST_MAX {
        let (who, id) = (fresh_external(), fresh_external());
        settled(|| players.draw(&who, &id, 1), |answer| matches!(answer.status, 200 | 201)).await;
        wins += 1;
        while winners.next().await.expect("it goes on")["items"].as_array().unwrap().len() < wins {}
    }
    assert!(server.stop().await.success());
}
