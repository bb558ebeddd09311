//! A client's socket: a peer that takes nothing is let go of, and a close loses no answer.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep};

use super::places::ConnectionPlace;

/// After the last answer of a connection that is closed on purpose, its peer may still be writing. It is listened to for so
/// long, and what it says is thrown away: a system that closes with something unread resets the connection, and the peer
/// may lose the answer that is on its way.
const LINGER: Duration = Duration::from_secs(1);
/// Bytes that are thrown away at most.
const LINGER_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Whether a connection is closed by us while its peer may still be writing.
#[derive(Clone, Debug)]
pub(super) struct Closing(Arc<ClosingParts>);

#[derive(Debug)]
struct ClosingParts {
    this: AtomicBool,
    /// The server stops.
    stop: Arc<Stop>,
}

/// How far the stop of a server is.
#[derive(Debug, Default)]
pub(super) struct Stop {
    begun: AtomicBool,
    /// Nobody is waited for any more who has asked for nothing.
    last: watch::Sender<bool>,
}

impl Stop {
    pub fn begin(&self) {
        self.begun.store(true, Ordering::Relaxed);
    }

    pub fn close_unused(&self) {
        self.last.send_replace(true);
    }

    /// Resolves once it has come to that.
    pub async fn unused_are_closed(&self) {
        // It does not fail: the sender is ours.
        let _ = self.last.subscribe().wait_for(|last| *last).await;
    }
}

impl Closing {
    pub fn new(stop: &Arc<Stop>) -> Self {
        Self(Arc::new(ClosingParts { this: AtomicBool::new(false), stop: Arc::clone(stop) }))
    }

    pub fn begin(&self) {
        self.0.this.store(true, Ordering::Relaxed);
    }

    pub fn of_all(&self) -> bool {
        self.0.stop.begun.load(Ordering::Relaxed)
    }

    /// Whether a connection on which nothing was ever asked is over.
    pub fn of_unused(&self) -> bool {
        *self.0.stop.last.borrow()
    }

    fn has_begun(&self) -> bool {
        self.0.this.load(Ordering::Relaxed) || self.of_all()
    }
}

#[derive(Debug)]
pub(super) struct ClientSocket {
    /// There until it is dropped.
    stream: Option<TcpStream>,
    /// Held as long as the socket is open.
    place: Option<ConnectionPlace>,
    closing: Closing,
    write_timeout: Duration,
    /// Since when its peer takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl ClientSocket {
    pub fn new(stream: TcpStream, place: ConnectionPlace, closing: Closing, write_timeout: Duration) -> Self {
        Self { stream: Some(stream), place: Some(place), closing, write_timeout, stalled: None }
    }

    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        self.stream.as_mut().map(Pin::new).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    /// Progress, however small, begins the time anew.
    fn watch<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let limit = self.write_timeout;
        let sleep =
            self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + limit)));
        match sleep.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl Drop for ClientSocket {
    fn drop(&mut self) {
        let (Some(stream), place) = (self.stream.take(), self.place.take()) else { return };
        if self.closing.has_begun()
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(async move {
                let _ = tokio::time::timeout(LINGER, read_away(stream)).await;
                drop(place);
            });
        }
    }
}

/// Until the peer has closed its side.
async fn read_away(stream: TcpStream) {
    let mut rest = stream.take(LINGER_BYTES_MAX);
    let _ = tokio::io::copy(&mut rest, &mut tokio::io::sink()).await;
}

impl AsyncRead for ClientSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.stream()?.poll_read(context, buffer)
    }
}

impl AsyncWrite for ClientSocket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = self.stream()?.poll_write(context, bytes);
        self.watch(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.stream()?.poll_write_vectored(context, pieces);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_shutdown(context)
    }
}
