//! Server-sent events as they come.

use http_body_util::BodyExt;
use serde_json::Value;

use crate::people::Key;
use crate::process::{LIMIT, Server};

/// The events of a stream, piece by piece.
pub struct Stream {
    body: hyper::body::Incoming,
    /// What came of the events to be read.
    text: String,
    /// What each is called.
    name: &'static str,
}

impl Stream {
    pub async fn open(server: &Server, key: Option<&Key>, path: &str, name: &'static str) -> Self {
        let bearer = key.map(|key| ("authorization", format!("Bearer {}", key.secret)));
        Self::open_as(server, bearer.as_slice(), path, name).await
    }

    /// With headers that say who asks.
    pub async fn open_as(
        server: &Server,
        headers: &[(&str, String)],
        path: &str,
        name: &'static str,
    ) -> Self {
        Self::try_open(server, headers, path, name).await.expect("a stream")
    }

    /// The same; nothing when the answer is another one.
    pub async fn try_open(
        server: &Server,
        headers: &[(&str, String)],
        path: &str,
        name: &'static str,
    ) -> Option<Self> {
        let stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(hyper_util::rt::TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let mut request = http::Request::get(format!("/api/v1{path}")).header("host", "windfall.test");
        for (header, value) in headers {
            request = request.header(*header, value);
        }
        let request = request.body(http_body_util::Empty::<hyper::body::Bytes>::new());
        let response = sender.send_request(request.unwrap()).await.unwrap();
        let is_stream = response.status() == 200 && response.headers()["content-type"] == "text/event-stream";
        is_stream.then(|| Self { body: response.into_body(), text: String::new(), name })
    }

    /// The next event; nothing when the stream is over.
    pub async fn next(&mut self) -> Option<Value> {
        let text = loop {
            let frame = tokio::time::timeout(LIMIT, self.body.frame()).await.expect("an event in time")?;
            let text = String::from_utf8(frame.unwrap().into_data().unwrap().to_vec()).unwrap();
            // A sign of life, when nothing else was told for long.
            if !text.starts_with(':') {
                break text;
            }
        };
        let begin = format!("event: {}\ndata: ", self.name);
        let data = text.strip_prefix(&begin).and_then(|rest| rest.strip_suffix("\n\n"));
        Some(serde_json::from_str(data.unwrap_or_else(|| panic!("not an event: {text:?}"))).unwrap())
    }

    /// The next event of a stream with several kinds: its name, its id and what it says.
    pub async fn next_event(&mut self) -> Option<(String, String, Value)> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.text = rest;
                if event.starts_with(':') {
                    continue;
                }
                let field = |name: &str| {
                    let begin = format!("{name}: ");
                    event.lines().find_map(|line| line.strip_prefix(&begin)).unwrap_or_default().to_owned()
                };
                let data = serde_json::from_str(&field("data")).unwrap();
                return Some((field("event"), field("id"), data));
            }
            let frame = tokio::time::timeout(LIMIT, self.body.frame()).await.expect("an event in time")?;
            self.text += str::from_utf8(&frame.unwrap().into_data().unwrap()).unwrap();
        }
    }
}
