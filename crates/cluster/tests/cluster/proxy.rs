//! A way to Redis that can be cut at the worst moment: after the request has arrived, before the answer has left.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

pub struct Proxy {
    pub port: u16,
    cut: Arc<AtomicBool>,
}

impl Proxy {
    pub async fn to(redis: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let cut = Arc::new(AtomicBool::new(false));
        let way = Arc::clone(&cut);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, redis, Arc::clone(&way)));
            }
        });
        Self { port, cut }
    }

    /// From now on the next answer is lost, and its connection with it.
    pub fn cut(&self) {
        self.cut.store(true, Ordering::Release);
    }

    pub fn was_cut(&self) -> bool {
        !self.cut.load(Ordering::Acquire)
    }
}

async fn carry(mut client: TcpStream, redis: u16, cut: Arc<AtomicBool>) {
    let mut server = TcpStream::connect(("127.0.0.1", redis)).await.unwrap();
    let (mut from_client, mut from_server) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            read = client.read(&mut from_client) => match read {
                Ok(length) if length > 0 => server.write_all(&from_client[..length]).await.unwrap(),
                _ => return,
            },
            read = server.read(&mut from_server) => match read {
                // Redis has answered, so it has done what was asked.
                Ok(length) if length > 0 && !cut.swap(false, Ordering::AcqRel) => {
                    if client.write_all(&from_server[..length]).await.is_err() {
                        return;
                    }
                }
                _ => return,
            },
        }
    }
}
