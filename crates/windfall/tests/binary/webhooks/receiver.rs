//! A receiver that does as it is told, on a socket of its own: it can hang, break off and lie.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::process::LIMIT;

/// What it does with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    Take,
    Status(u16),
    /// Takes it by its status, and says this.
    Say(&'static str),
    /// To itself, where it would notice.
    Redirect,
    /// Says nothing.
    Hang,
    /// Takes it, and says so without end.
    Drip,
    BreakOff,
}

#[derive(Clone, Debug)]
pub struct Seen {
    pub path: String,
    head: String,
    pub body: String,
    pub did: Does,
}

impl Seen {
    pub fn header(&self, name: &str) -> String {
        let line = |line: &str| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then(|| value.to_owned())
        };
        self.head.lines().find_map(line).unwrap_or_default()
    }

    pub fn delivery(&self) -> String {
        self.header("windfall-delivery")
    }

    /// Whether one of its signatures is made with this secret.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        self.is_signed_over(secret, &self.body)
    }

    /// Whether it is a refund that Windfall has signed with this secret.
    pub fn is_refund_signed_with(&self, secret: &str) -> bool {
        self.is_signed_over(secret, &format!("refund.{}", self.body))
    }

    fn is_signed_over(&self, secret: &str, text: &str) -> bool {
        let signature = self.header("windfall-signature");
        let mut parts = signature.split(',');
        let time = parts.next().and_then(|part| part.strip_prefix("t=")).unwrap();
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret.as_bytes());
        let signed = ring::hmac::sign(&key, format!("{time}.{text}").as_bytes());
        let expected =
            signed.as_ref().iter().fold(String::from("v1="), |text, byte| text + &format!("{byte:02x}"));
        parts.any(|part| part == expected)
    }
}

#[derive(Debug)]
struct Inner {
    address: String,
    plan: Mutex<VecDeque<Does>>,
    then: Mutex<Does>,
    seen: Mutex<Vec<Seen>>,
    news: Notify,
}

#[derive(Clone, Debug)]
pub struct Receiver(Arc<Inner>);

impl Receiver {
    /// It takes everything.
    pub async fn start() -> Self {
        Self::doing(&[], Does::Take).await
    }

    /// It does these first, one request each, and then always the same.
    pub async fn doing(plan: &[Does], then: Does) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let inner = Inner {
            address: listener.local_addr().unwrap().to_string(),
            plan: Mutex::new(plan.iter().copied().collect()),
            then: Mutex::new(then),
            seen: Mutex::default(),
            news: Notify::new(),
        };
        let receiver = Self(Arc::new(inner));
        let serving = receiver.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let receiver = serving.clone();
                tokio::spawn(async move { receiver.serve(stream).await });
            }
        });
        receiver
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook", self.0.address)
    }

    pub fn address(&self) -> &str {
        &self.0.address
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.0.seen.lock().unwrap().clone()
    }

    /// What it took.
    pub fn taken(&self) -> Vec<Seen> {
        self.seen().into_iter().filter(|seen| seen.did == Does::Take).collect()
    }

    /// Waits until it has taken so many.
    pub async fn took(&self, count: usize) -> Vec<Seen> {
        self.took_as(count, |_| true).await
    }

    /// Waits until it has taken so many different ones, and answers each as it came first: what is handed over may come twice.
    pub async fn took_different(&self, count: usize) -> Vec<Seen> {
        let mut enough = count;
        loop {
            let mut known = std::collections::HashSet::new();
            let mut taken = self.took(enough).await;
            enough = taken.len() + 1;
            taken.retain(|seen| known.insert(seen.delivery()));
            if taken.len() >= count {
                return taken;
            }
        }
    }

    /// The same of one delivery.
    pub async fn took_of(&self, delivery: &str, count: usize) -> Vec<Seen> {
        self.took_as(count, |seen| seen.delivery() == delivery).await
    }

    /// The same of those that count.
    pub async fn took_as(&self, count: usize, counts: impl Fn(&Seen) -> bool) -> Vec<Seen> {
        let wait = async {
            loop {
                let news = self.0.news.notified();
                let taken: Vec<Seen> = self.taken().into_iter().filter(&counts).collect();
                if taken.len() >= count {
                    return taken;
                }
                news.await;
            }
        };
        tokio::time::timeout(LIMIT, wait).await.expect("deliveries arrive")
    }

    async fn serve(self, mut stream: TcpStream) {
        let mut read = Vec::new();
        while let Some((head, body)) = request(&mut stream, &mut read).await {
            let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
            let did = self.0.plan.lock().unwrap().pop_front().unwrap_or(*self.0.then.lock().unwrap());
            self.0.seen.lock().unwrap().push(Seen { path, head, body, did });
            let answer = match did {
                Does::Take => "HTTP/1.1 204 No Content\r\n\r\n".to_owned(),
                Does::Status(status) => format!("HTTP/1.1 {status} No\r\ncontent-length: 5\r\n\r\nsorry"),
                Does::Say(words) => {
                    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{words}", words.len())
                }
                Does::Redirect => {
                    let to = format!("http://{}/elsewhere", self.0.address);
                    format!("HTTP/1.1 307 There\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n")
                }
                Does::Hang => return std::future::pending().await,
                Does::Drip => return drip(stream).await,
                Does::BreakOff => "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf".to_owned(),
            };
            let _ = stream.write_all(answer.as_bytes()).await;
            self.0.news.notify_waiters();
            if did == Does::BreakOff {
                return;
            }
        }
    }
}

async fn drip(mut stream: TcpStream) {
    let piece = format!("400\r\n{}\r\n", "x".repeat(0x400));
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut going = stream.write_all(head.as_bytes()).await.is_ok();
    while going {
        going = stream.write_all(piece.as_bytes()).await.is_ok();
    }
}

async fn request(stream: &mut TcpStream, read: &mut Vec<u8>) -> Option<(String, String)> {
    loop {
        let text = String::from_utf8(read.clone()).unwrap();
        if let Some((head, rest)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.parse().unwrap());
            if rest.len() >= length {
                read.drain(..head.len() + 4 + length);
                return Some((head.to_owned(), rest[..length].to_owned()));
            }
        }
        if stream.read_buf(read).await.ok()? == 0 {
            return None;
        }
    }
}
