//! Stops the projection at one event, for a moment, so that the database can be held against the ledger as it was there.
//!
//! ```text
//! hold ──▶ look at the ledger (position S) ──▶ go on to S ──▶ read rows at S ──▶ dropped: the projection goes on
//! ```
//!
//! Held, the projector lets pass what it had already read and nothing more. That was durable, so decided, before the
//! look: S is never behind what is projected. One holds at a time. A stop of the program wins: then the projection runs
//! to its end, and who held finds rows at another position and gives up.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::ledger::Event;
use tokio::sync::{Notify, watch};

#[derive(Debug)]
pub(super) struct Barrier {
    /// Nothing beyond this event is projected.
    cap: Mutex<Option<u64>>,
    moved: Notify,
    reached: watch::Sender<u64>,
    one: tokio::sync::Mutex<()>,
}

/// While it lives, the projection waits at an event.
pub(super) struct Held<'b> {
    barrier: &'b Barrier,
    _one: tokio::sync::MutexGuard<'b, ()>,
}

impl Barrier {
    pub fn new() -> Self {
        let (reached, _) = watch::channel(0);
        Self { cap: Mutex::new(None), moved: Notify::new(), reached, one: tokio::sync::Mutex::new(()) }
    }

    /// Stops the projection where it is.
    pub async fn hold(&self) -> Held<'_> {
        let one = self.one.lock().await;
        self.set(Some(0));
        Held { barrier: self, _one: one }
    }

    /// Of events that were read, those that may be projected. Asked after reading, so that what is let through was
    /// durable before whoever holds looked at the ledger.
    pub fn cut(&self, mut events: Vec<Event>) -> Vec<Event> {
        if let Some(cap) = self.cap() {
            events.truncate(events.partition_point(|event| event.seq <= cap));
        }
        events
    }

    /// Whether there is no use in reading on from a position.
    pub fn is_at(&self, position: u64) -> bool {
        self.cap().is_some_and(|cap| cap <= position)
    }

    /// Comes back when the projector should look again.
    pub async fn moved(&self) {
        self.moved.notified().await;
    }

    /// The projector is here.
    pub fn reached(&self, position: u64) {
        self.reached.send_if_modified(|at| std::mem::replace(at, position) != position);
    }

    fn cap(&self) -> Option<u64> {
        *self.cap.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, cap: Option<u64>) {
        *self.cap.lock().unwrap_or_else(PoisonError::into_inner) = cap;
        self.moved.notify_one();
    }
}

impl Held<'_> {
    /// Lets the projection go on to an event; answers whether it came there in time.
    pub async fn go_on_to(&self, seq: u64, patience: Duration) -> bool {
        self.barrier.set(Some(seq));
        let mut reached = self.barrier.reached.subscribe();
        let there = reached.wait_for(|at| *at >= seq);
        matches!(tokio::time::timeout(patience, there).await, Ok(Ok(_)))
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.barrier.set(None);
    }
}

#[cfg(test)]
mod tests {
    use domain::ledger::{Change, PoolId};
    use domain::time::Timestamp;

    use super::*;

    fn events(seqs: std::ops::RangeInclusive<u64>) -> Vec<Event> {
        let change = Change::TermBegan;
        seqs.map(|seq| Event {
            seq,
            term: 1,
            at: Timestamp(0),
            route: PoolId(0),
            round: 0,
            change: change.clone(),
        })
        .collect()
    }

    #[tokio::test]
    async fn what_may_pass() {
        let barrier = Barrier::new();
        assert_eq!((barrier.cut(events(5..=9)).len(), barrier.is_at(4)), (5, false), "nobody holds");
        let held = barrier.hold().await;
        assert_eq!((barrier.cut(events(5..=9)).len(), barrier.is_at(4)), (0, true), "held where it is");
        assert!(!held.go_on_to(7, Duration::ZERO).await, "nobody projects");
        assert_eq!((barrier.cut(events(5..=9)).len(), barrier.is_at(4)), (3, false), "up to the event");
        assert_eq!((barrier.cut(events(8..=9)).len(), barrier.is_at(7)), (0, true), "and no further");
        barrier.reached(7);
        assert!(held.go_on_to(7, Duration::from_secs(60)).await);
        drop(held);
        assert_eq!((barrier.cut(events(8..=9)).len(), barrier.is_at(7)), (2, false), "dropped");
    }
}
