//! A pool's counters as they change.

use http_body_util::BodyExt;
use serde_json::{Value, json};

use crate::backend::{Backend, part, settled};
use crate::people::Key;
use crate::process::{Home, LIMIT, Server};

/// The bytes of a stream, piece by piece.
struct Stream(hyper::body::Incoming);

impl Stream {
    async fn open(server: &Server, key: &Key, path: &str) -> Self {
        let stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(hyper_util::rt::TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let request = http::Request::get(format!("/api/v1/inventory{path}"))
            .header("host", "windfall.test")
            .header("authorization", format!("Bearer {}", key.secret))
            .body(http_body_util::Empty::<hyper::body::Bytes>::new());
        let response = sender.send_request(request.unwrap()).await.unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["content-type"]),
            (200, &"text/event-stream".parse().unwrap())
        );
        Self(response.into_body())
    }

    /// The next counters; nothing when the stream is over.
    async fn next(&mut self) -> Option<Value> {
        let frame = tokio::time::timeout(LIMIT, self.0.frame()).await.expect("an event in time")?;
        let text = String::from_utf8(frame.unwrap().into_data().unwrap().to_vec()).unwrap();
        let data = text.strip_prefix("event: counters\ndata: ").and_then(|rest| rest.strip_suffix("\n\n"));
        Some(serde_json::from_str(data.unwrap_or_else(|| panic!("not an event: {text:?}"))).unwrap())
    }
}

#[tokio::test]
async fn a_stream_tells_a_pools_counters_and_ends_with_the_server() {
    let home = Home::with(&[("WINDFALL__HTTP__STREAMS_MAX", "2")]);
    let server = home.start("serve").await;
    let backend = Backend::new(&server).await;
    let tea = backend.pool(5).await;
    let path = format!("/pools/{}/events", part(&tea));
    let mut streams =
        [Stream::open(&server, &backend.key, &path).await, Stream::open(&server, &backend.key, &path).await];
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
