//! A keep-alive connection that outlives its server: when the server is gone, it looks for the next one.

use std::net::SocketAddr;

use http::{HeaderValue, Request};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::sync::watch;

/// Where the server is, as long as there is one.
pub type Whereabouts = watch::Receiver<Option<SocketAddr>>;

#[derive(Debug)]
pub struct Wire {
    server: Whereabouts,
    /// Of the key that stands for every buyer.
    secret: String,
    sender: Option<SendRequest<Full<Bytes>>>,
    /// Which server it is connected to, or was.
    address: Option<SocketAddr>,
}

/// A request, with everything it takes to send it again.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    pub method: &'static str,
    /// After `/api/v1`.
    pub path: &'a str,
    pub headers: &'a [(&'static str, &'a str)],
    pub body: String,
}

#[derive(Clone, Debug)]
pub struct Heard {
    pub status: u16,
    pub body: Value,
}

impl Heard {
    pub fn text(&self, member: &str) -> String {
        self.body[member].as_str().unwrap_or_else(|| panic!("no {member} in {}", self.body)).to_owned()
    }

    /// The name of a refusal; empty when it is none.
    pub fn code(&self) -> &str {
        if self.status < 400 { "" } else { self.body["code"].as_str().unwrap_or_default() }
    }
}

impl Wire {
    pub fn new(server: Whereabouts, secret: String) -> Self {
        Self { server, secret, sender: None, address: None }
    }

    /// Whether the same process has answered on both.
    pub fn has_same_server(&self, other: &Self) -> bool {
        self.address == other.address
    }

    /// Another one of the same kind.
    pub fn second(&self) -> Self {
        Self::new(self.server.clone(), self.secret.clone())
    }

    /// The answer; nothing when the server went before it was complete. Whether it was done nobody knows then.
    pub async fn ask(&mut self, ask: &Ask<'_>) -> Option<Heard> {
        let heard = self.try_ask(ask).await;
        if heard.is_none() {
            self.sender = None;
        }
        heard
    }

    /// Asks until there is an answer: for whatever is safe to repeat.
    pub async fn ask_surely(&mut self, ask: &Ask<'_>) -> Heard {
        loop {
            if let Some(heard) = self.ask(ask).await {
                return heard;
            }
        }
    }

    async fn try_ask(&mut self, ask: &Ask<'_>) -> Option<Heard> {
        let mut request = Request::builder().method(ask.method).uri(format!("/api/v1{}", ask.path));
        request = request
            .header("host", "windfall.test")
            .header("authorization", format!("Bearer {}", self.secret));
        for (name, value) in ask.headers {
            request = request.header(*name, HeaderValue::from_str(value).unwrap());
        }
        if !ask.body.is_empty() {
            request = request.header("content-type", "application/json");
        }
        let request = request.body(Full::new(Bytes::from(ask.body.clone()))).unwrap();
        let sender = self.connected().await;
        let response = sender.send_request(request).await.ok()?;
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.ok()?.to_bytes();
        Some(Heard { status, body: serde_json::from_slice(&body).unwrap_or_default() })
    }

    async fn connected(&mut self) -> &mut SendRequest<Full<Bytes>> {
        while self.sender.as_ref().is_none_or(SendRequest::is_closed) {
            let address = *self.server.wait_for(Option::is_some).await.expect("the test goes on");
            let Ok(stream) = TcpStream::connect(address.unwrap()).await else {
                // It went a moment ago, and the test has not said so yet.
                tokio::task::yield_now().await;
                continue;
            };
            stream.set_nodelay(true).unwrap();
            if let Ok((mut sender, connection)) = handshake(TokioIo::new(stream)).await {
                tokio::spawn(connection);
                self.address = address;
                self.sender = sender.ready().await.is_ok().then_some(sender);
            }
        }
        self.sender.as_mut().unwrap()
    }
}
