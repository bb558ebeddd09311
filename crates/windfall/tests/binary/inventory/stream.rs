//! A pool's counters as they change.

use serde_json::json;

use crate::backend::{Backend, part, settled};
use crate::process::Home;
use crate::stream::Stream;

#[tokio::test]
async fn a_stream_tells_a_pools_counters_and_ends_with_the_server() {
    let home = Home::with(&[("WINDFALL__HTTP__STREAMS_MAX", "2")]);
    let server = home.start("serve").await;
    let backend = Backend::new(&server).await;
    let tea = backend.pool(5).await;
    let path = format!("/pools/{}/events", part(&tea));
    let place = format!("/inventory{path}");
    let open = || Stream::open(&server, Some(&backend.key), &place, "counters");
    let mut streams = [open().await, open().await];
    for stream in &mut streams {
        assert_eq!(stream.next().await.unwrap()["available"], 5, "the first event comes at once");
    }
    let full = backend.get(&path).refused(503, "streams_full").await;
    assert_eq!(full.header("retry-after"), "5");
    backend.reserve("a", &tea, 2).expect(201).await;
    for stream in &mut streams {
        let told = stream.next().await.unwrap();
        assert_eq!((&told["name"], &told["available"], &told["held"]), (&json!(tea), &json!(3), &json!(2)));
    }
    let [first, mut last] = streams;
    drop(first);
    settled(|| backend.get(&path), |answer| answer.status == 200).await;
    server.signal("TERM");
    assert_eq!(last.next().await, None, "the stream ends");
    assert!(server.ended().await.success());
    assert!(!home.log().contains("the drain time is over"), "no stream holds up a stop");
}
