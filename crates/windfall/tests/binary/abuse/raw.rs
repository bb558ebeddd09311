//! A connection on which bytes are written as they are.

use testkit::wait;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::process::{LIMIT, Server};

pub struct Raw(TcpStream);

/// An answer as it came.
#[derive(Clone, Debug)]
pub struct RawAnswer {
    pub head: String,
    pub body: String,
}

impl RawAnswer {
    pub fn status(&self) -> u16 {
        self.head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default()
    }

    pub fn says(&self, header: &str) -> bool {
        self.head.lines().any(|line| line.eq_ignore_ascii_case(header))
    }
}

impl Raw {
    pub async fn connect(server: &Server) -> Self {
        Self(TcpStream::connect(server.address).await.unwrap())
    }

    pub async fn write(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// Writes what it can; the other side may have closed meanwhile.
    pub async fn try_write(&mut self, text: &str) -> bool {
        self.0.write_all(text.as_bytes()).await.is_ok()
    }

    /// A plain request on a connection that stays open.
    pub async fn get(&mut self, path: &str) -> RawAnswer {
        self.write(&format!("GET {path} HTTP/1.1\r\nhost: windfall.test\r\n\r\n")).await;
        self.answer().await.unwrap().expect("an answer")
    }

    /// The next answer; nothing when the connection was closed before any of it came, and an error when it was reset or
    /// closed in the middle of one.
    pub async fn answer(&mut self) -> Result<Option<RawAnswer>, String> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            match self.byte().await? {
                Some(byte) => head.push(byte),
                None if head.is_empty() => return Ok(None),
                None => return Err("closed within a head".to_owned()),
            }
        }
        let head = String::from_utf8(head).unwrap();
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().unwrap())
        });
        let mut body = vec![0; length.unwrap_or(0)];
        let read =
            tokio::time::timeout(LIMIT, self.0.read_exact(&mut body)).await.expect("an answer in time");
        read.map_err(|error| error.to_string())?;
        Ok(Some(RawAnswer { head, body: String::from_utf8_lossy(&body).into_owned() }))
    }

    /// Whether the other side closes, without anything more.
    pub async fn is_closed(&mut self) -> bool {
        !matches!(self.byte().await, Ok(Some(_)))
    }

    /// Whether the other side has nothing to say now.
    pub fn is_silent(&self) -> bool {
        self.0.try_read(&mut [0; 1]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    }

    async fn byte(&mut self) -> Result<Option<u8>, String> {
        let mut byte = [0];
        let read = tokio::time::timeout(LIMIT, self.0.read(&mut byte)).await.expect("a word in time");
        match read {
            Ok(0) => Ok(None),
            Ok(_) => Ok(Some(byte[0])),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Connections that the server has open, itself asked over one of them.
pub async fn open_connections(server: &Server) -> u64 {
    let text = server.page("GET", "/metrics").expect(200).await.text();
    let line = text.lines().find_map(|line| line.strip_prefix("windfall_http_connections "));
    line.unwrap_or_else(|| panic!("no gauge in {text}")).parse().unwrap()
}

/// Waits until all connections but the one that asks are closed.
pub async fn all_closed(server: &Server) {
    let closed = async || (open_connections(server).await <= 1).then_some(());
    wait::until_async(LIMIT, "the connections to close", closed).await.unwrap();
}
