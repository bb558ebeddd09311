//! A small HTTP client that hides nothing: one connection per request, headers as bytes, cookies by hand.

use std::net::SocketAddr;
use std::path::PathBuf;

use http::{HeaderMap, HeaderName, HeaderValue, Method, Request};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};

use crate::process::Server;

#[derive(Clone, Debug)]
enum Door {
    Network(SocketAddr),
    /// The socket of the command line.
    Console(PathBuf),
}

/// A request on its way.
#[derive(Clone, Debug)]
pub struct Call {
    door: Door,
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Bytes,
}

impl Server {
    /// A request to the API; `path` comes after `/api/v1`.
    pub fn api(&self, method: &str, path: &str) -> Call {
        self.page(method, &format!("/api/v1{path}"))
    }

    /// A request to any address.
    pub fn page(&self, method: &str, path: &str) -> Call {
        Call::new(Door::Network(self.address), method, path.to_owned())
    }

    /// A request by the command line on the machine itself.
    pub fn console(&self, method: &str, path: &str) -> Call {
        let door = Door::Console(self.data.join("admin.sock"));
        Call::new(door, method, format!("/api/v1{path}"))
    }
}

impl Call {
    /// A request to a place where a server may or may not be.
    pub fn to(address: SocketAddr, method: &str, path: String) -> Self {
        Self::new(Door::Network(address), method, path)
    }

    fn new(door: Door, method: &str, path: String) -> Self {
        let method = method.parse().unwrap();
        Self { door, method, path, headers: HeaderMap::new(), body: Bytes::new() }
    }

    /// Adds a header; one of the same name stays.
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        let name: HeaderName = name.parse().unwrap();
        self.headers.append(name, HeaderValue::from_bytes(value.as_ref()).unwrap());
        self
    }

    pub fn cookie(self, cookie: &str) -> Self {
        self.header("cookie", cookie)
    }

    pub fn key(self, secret: &str) -> Self {
        self.header("authorization", format!("Bearer {secret}"))
    }

    #[allow(clippy::needless_pass_by_value)] // Reads as `json!` at the call.
    pub fn json(self, body: Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }

    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    pub async fn send(self) -> Answer {
        self.attempt().await.expect("the server answers")
    }

    /// The same; nothing when the server is gone before its answer is complete.
    pub async fn attempt(self) -> Option<Answer> {
        match &self.door {
            Door::Network(address) => {
                let stream = TcpStream::connect(address).await.ok()?;
                self.attempt_over(stream).await
            }
            Door::Console(path) => {
                let stream = UnixStream::connect(path).await.ok()?;
                self.attempt_over(stream).await
            }
        }
    }

    /// Sends over a stream that is already there.
    pub async fn send_over(self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) -> Answer {
        self.attempt_over(stream).await.expect("the server answers")
    }

    async fn attempt_over(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    ) -> Option<Answer> {
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.ok()?;
        tokio::spawn(connection);
        let mut request = Request::new(Full::new(self.body));
        *request.method_mut() = self.method;
        *request.uri_mut() = self.path.parse().unwrap();
        *request.headers_mut() = self.headers;
        request.headers_mut().entry("host").or_insert(HeaderValue::from_static("windfall.test"));
        let response = sender.send_request(request).await.ok()?;
        let (head, body) = response.into_parts();
        let kind = head.headers.get("content-type").map(HeaderValue::as_bytes);
        let body = if kind == Some(b"text/event-stream") {
            first_piece(body).await
        } else {
            body.collect().await.ok()?.to_bytes()
        };
        Some(Answer { status: head.status.as_u16(), headers: head.headers, body })
    }

    /// Sends, and asserts the status.
    #[track_caller]
    pub fn expect(self, status: u16) -> impl Future<Output = Answer> {
        let asked = format!("{} {}", self.method, self.path);
        let place = std::panic::Location::caller();
        async move {
            let answer = self.send().await;
            let said = answer.text();
            assert_eq!(answer.status, status, "{asked} at {place}: {said}");
            answer
        }
    }

    /// Sends, and asserts the refusal's status and name.
    #[track_caller]
    pub fn refused(self, status: u16, code: &str) -> impl Future<Output = Answer> {
        let sent = self.expect(status);
        async move {
            let answer = sent.await;
            assert_eq!(answer.code(), code);
            answer
        }
    }
}

/// Of a stream that does not end by itself, what comes first.
async fn first_piece(mut body: Incoming) -> Bytes {
    let piece = body.frame().await.unwrap().unwrap();
    piece.into_data().unwrap()
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }

    /// A text member of the answer.
    #[track_caller]
    pub fn member(&self, name: &str) -> String {
        let value = self.json()[name].as_str().map(str::to_owned);
        value.unwrap_or_else(|| panic!("no {name} in {}", self.text()))
    }

    /// The name of a refusal; empty when it is none.
    pub fn code(&self) -> String {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        body["code"].as_str().unwrap_or_default().to_owned()
    }

    /// A header as text; empty when it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// `name=value` of the cookie that was set, as a browser sends it back.
    #[track_caller]
    pub fn cookie(&self) -> String {
        let set = self.header("set-cookie");
        let (pair, _) = set.split_once(';').unwrap_or_else(|| panic!("no cookie in {:?}", self.headers));
        pair.to_owned()
    }

    /// The entries of a listing.
    #[track_caller]
    pub fn items(&self) -> Vec<Value> {
        self.json()["items"].as_array().cloned().unwrap_or_else(|| panic!("no list: {}", self.text()))
    }
}
