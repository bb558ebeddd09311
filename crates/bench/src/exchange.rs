//! One keep-alive connection that asks one thing after the other and reads the answers: for benches in which what is asked
//! next depends on what was answered.

use std::net::SocketAddr;

use anyhow::{Context, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::response;

/// How much room to keep for the next read.
const READ_BYTES: usize = 4 * 1024;

#[derive(Debug)]
pub struct Exchange {
    stream: TcpStream,
    incoming: Vec<u8>,
}

impl Exchange {
    pub async fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await.context("connecting")?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, incoming: Vec::new() })
    }

    /// Status and body of the answer.
    pub async fn ask(&mut self, request: &[u8]) -> anyhow::Result<(u16, &[u8])> {
        self.stream.write_all(request).await.context("sending a request")?;
        self.incoming.clear();
        loop {
            self.incoming.reserve(READ_BYTES);
            if self.stream.read_buf(&mut self.incoming).await.context("reading a response")? == 0 {
                bail!("the server closed the connection before its answer");
            }
            if let Some(response) = response::parse(&self.incoming)? {
                return Ok((response.status, &self.incoming[response.body]));
            }
        }
    }
}
