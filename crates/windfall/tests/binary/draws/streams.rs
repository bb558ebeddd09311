//! Winners and figures as they come in.

use serde_json::json;

use super::campaign::{Players, generous};
use crate::activities::given::Crew;
use crate::people::fresh_external;
use crate::process::Home;
use crate::stream::Stream;

/// A request may take a fraction of a second here; a stream goes on for as many looks as there is news.
#[tokio::test]
async fn streams_outlive_the_time_limit_of_requests_and_have_places_of_their_own() {
    let settings = [("WINDFALL__HTTP__STREAMS_MAX", "1"), ("WINDFALL__HTTP__REQUEST_TIMEOUT_MS", "1000")];
    let home = Home::with(&settings);
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

    // Looks are a second apart, so the last of them is later than any request may take.
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
