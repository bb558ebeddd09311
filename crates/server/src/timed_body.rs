//! A request's body that has to be there in time: whoever stalls is not waited for beyond the request's own limit.
//!
//! A write goes on to its end when its caller hangs up or its time is over, and reading its body is part of it. So the limit
//! is in the body: what is read from it after that is an error.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::BoxError;
use axum::body::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::time::Sleep;

/// The body was not there in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyLate;

impl fmt::Display for BodyLate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the body was not there in time")
    }
}

impl std::error::Error for BodyLate {}

impl BodyLate {
    /// Whether it is behind an error.
    pub fn caused(error: &(dyn std::error::Error + 'static)) -> bool {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if error.is::<Self>() {
                return true;
            }
            cause = error.source();
        }
        false
    }
}

#[derive(Debug)]
pub(crate) struct TimedBody<B = Incoming> {
    inner: B,
    deadline: Instant,
    /// Only for what is waited for: most bodies come with their head.
    late: Option<Pin<Box<Sleep>>>,
}

impl<B> TimedBody<B> {
    pub fn new(inner: B, deadline: Instant) -> Self {
        Self { inner, deadline, late: None }
    }
}

impl<B: Body<Data = Bytes, Error: Into<BoxError>> + Unpin> Body for TimedBody<B> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.inner).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let deadline = self.deadline;
        let late = self.late.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline.into())));
        match late.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Some(Err(BodyLate.into()))),
            Poll::Pending => Poll::Pending,
        }
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
    use futures::stream::{self, StreamExt};
    use http_body_util::{BodyExt, StreamBody};

    use super::*;

    /// Whatever has come is taken; what has not is not waited for beyond the deadline.
    #[tokio::test]
    async fn hole_65_a_body_that_stalls_is_over_in_time() {
        let piece = || Ok::<_, BoxError>(Frame::data(Bytes::from_static(b"a")));
        let deadline = Instant::now();
        let stalls = StreamBody::new(stream::iter([piece(), piece()]).chain(stream::pending()));
        let error = TimedBody::new(stalls, deadline).collect().await.unwrap_err();
        assert!(BodyLate::caused(&*error), "{error}");
        let ends = StreamBody::new(stream::iter([piece(), piece()]));
        let read = TimedBody::new(ends, deadline).collect().await.unwrap();
        assert_eq!(read.to_bytes(), "aa");
    }
}
