//! A future that is carried to its end even when nobody waits for it any more.
//!
//! While somebody waits, it runs where they wait: no task of its own, no second waking. Dropped before its end, what is left
//! of it becomes a task. When the whole runtime ends, so does it.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Handle;

/// The future; nothing once it has ended.
#[derive(Debug)]
pub struct ToTheEnd<F: Future<Output: Send> + Send + 'static>(Option<Pin<Box<F>>>);

impl<F: Future<Output: Send> + Send + 'static> ToTheEnd<F> {
    pub fn new(future: F) -> Self {
        Self(Some(Box::pin(future)))
    }
}

impl<F: Future<Output: Send> + Send + 'static> Future for ToTheEnd<F> {
    type Output = F::Output;

    /// # Panics
    /// When polled after its end.
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let future = self.0.as_mut().expect("nobody polls a future after its end");
        let polled = future.as_mut().poll(context);
        if polled.is_ready() {
            self.0 = None;
        }
        polled
    }
}

impl<F: Future<Output: Send> + Send + 'static> Drop for ToTheEnd<F> {
    fn drop(&mut self) {
        if let Some(rest) = self.0.take()
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use tokio::sync::{Notify, oneshot};

    use super::*;

    #[tokio::test]
    async fn whoever_waits_hears_the_answer() {
        assert_eq!(ToTheEnd::new(async { 7 }).await, 7);
    }

    #[tokio::test]
    async fn what_nobody_waits_for_still_ends_once() {
        let (go, gone) = (Arc::new(Notify::new()), Arc::new(AtomicU32::new(0)));
        let (done, ended) = oneshot::channel();
        let (begun, count) = (Arc::clone(&go), Arc::clone(&gone));
        let work = ToTheEnd::new(async move {
            count.fetch_add(1, Ordering::Relaxed);
            begun.notified().await;
            count.fetch_add(1, Ordering::Relaxed);
            done.send(()).ok();
        });
        tokio::select! {
            biased;
            () = work => panic!("it waits to be let go on"),
            () = std::future::ready(()) => {}
        }
        assert_eq!(gone.load(Ordering::Relaxed), 1);
        go.notify_one();
        ended.await.unwrap();
        assert_eq!(gone.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn what_was_never_begun_ends_too() {
        let (done, ended) = oneshot::channel();
        drop(ToTheEnd::new(async { done.send(()).ok() }));
        ended.await.unwrap();
    }
}
