//! Whether anything is asked on an HTTP/2 connection: one on which nothing was for the limit is told to go.
//!
//! HTTP/1.1 needs none of this: its limit for the next head is a limit for saying nothing too. On HTTP/2 a peer that answers
//! pings would keep its place for good.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::watch;

/// Counts the requests under way on one connection.
#[derive(Clone, Debug)]
pub(super) struct InUse(watch::Sender<usize>);

impl InUse {
    pub fn new() -> Self {
        Self(watch::Sender::new(0))
    }

    /// One more request, until what this answers is dropped.
    pub fn begin(&self) -> RequestUnderWay {
        self.0.send_modify(|open| *open += 1);
        RequestUnderWay(self.clone())
    }

    /// Resolves once nothing was under way for so long without a break.
    pub async fn unused_for(&self, limit: Duration) {
        let mut open = self.0.subscribe();
        loop {
            // Neither fails: the sender is ours.
            let _ = open.wait_for(|open| *open == 0).await;
            if tokio::time::timeout(limit, open.changed()).await.is_err() {
                return;
            }
        }
    }
}

#[derive(Debug)]
pub(super) struct RequestUnderWay(InUse);

impl RequestUnderWay {
    /// A request is under way until the last of its answer has left, however long a stream lasts.
    pub fn until_sent(self, body: Body) -> Body {
        if body.is_end_stream() { body } else { Body::new(CountedBody { inner: body, _request: self }) }
    }
}

impl Drop for RequestUnderWay {
    fn drop(&mut self) {
        self.0.0.send_modify(|open| *open -= 1);
    }
}

struct CountedBody {
    inner: Body,
    _request: RequestUnderWay,
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures::{FutureExt, stream};
    use http_body_util::StreamBody;

    use super::*;

    #[tokio::test]
    async fn a_connection_is_unused_once_the_last_answer_has_left() {
        let in_use = InUse::new();
        in_use.unused_for(Duration::ZERO).await;

        // A stream that nobody ends is a use, whatever becomes of other requests.
        let endless = Body::new(StreamBody::new(stream::pending::<Result<Frame<Bytes>, axum::Error>>()));
        let streamed = in_use.begin().until_sent(endless);
        let unused = in_use.unused_for(Duration::ZERO);
        tokio::pin!(unused);
        assert!(unused.as_mut().now_or_never().is_none());
        drop(in_use.begin().until_sent(Body::from("short")));
        assert!(unused.as_mut().now_or_never().is_none());
        drop(streamed);
        unused.await;
    }
}
