//! Live streams of a pool's counters, as server-sent events.
//!
//! All streams of one pool share one look at the ledger per tick, so that a thousand open pages cost as much as one.
//! What is told is durable. Nothing is told twice and nothing is queued: who reads slowly sees the latest values, not
//! all of them. There is no replay; movements are for that.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::response::sse::Event;
use domain::Rejection;
use domain::ledger::{PoolId, PoolView};
use engine::ports::Stock;
use futures::Stream;
use futures::stream::unfold;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, MissedTickBehavior};

/// Between two looks at a pool: five updates a second at most.
const TICK: Duration = Duration::from_millis(200);
/// A stream ends after this, and the client's next request is judged anew: a revoked key does not look on for ever.
const LIFE: Duration = Duration::from_secs(600);
const RETRY_AFTER_S: i64 = 5;

/// The open streams of this process.
#[derive(Debug)]
pub struct Streams {
    max: u32,
    places: Arc<Semaphore>,
    watched: Mutex<HashMap<PoolId, watch::Sender<PoolView>>>,
    stopped: watch::Receiver<bool>,
}

/// One stream's view of a pool.
#[derive(Debug)]
pub struct Watching {
    view: watch::Receiver<PoolView>,
    first: bool,
    over: Instant,
    stopped: watch::Receiver<bool>,
    _place: OwnedSemaphorePermit,
}

impl Streams {
    /// `max` streams at once; all of them end when `stopped` becomes true.
    pub fn new(max: u32, stopped: watch::Receiver<bool>) -> Self {
        let places = Arc::new(Semaphore::new(max as usize));
        Self { max, places, watched: Mutex::default(), stopped }
    }

    /// Follows a pool from `now` on.
    pub(crate) fn follow(
        self: &Arc<Self>,
        stock: &Arc<dyn Stock>,
        now: PoolView,
    ) -> Result<Watching, Rejection> {
        let full = |_| Rejection::StreamsFull { max: self.max, retry_after_s: RETRY_AFTER_S };
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(full)?;
        let mut watched = self.lock();
        let view = match watched.get(&now.pool) {
            Some(sender) => {
                let view = sender.subscribe();
                update(sender, now);
                view
            }
            None => {
                let (sender, view) = watch::channel(now);
                watched.insert(now.pool, sender);
                tokio::spawn(Arc::clone(self).look(Arc::clone(stock), now.pool));
                view
            }
        };
        let stopped = self.stopped.clone();
        Ok(Watching { view, first: true, over: Instant::now() + LIFE, stopped, _place: place })
    }

    /// Looks at a pool again and again while anybody follows it.
    async fn look(self: Arc<Self>, stock: Arc<dyn Stock>, pool: PoolId) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks.tick().await;
        loop {
            ticks.tick().await;
            // Under the lock: nobody begins to follow between the look at the number and the end.
            {
                let mut watched = self.lock();
                if watched.get(&pool).is_none_or(|sender| sender.receiver_count() == 0) {
                    watched.remove(&pool);
                    return;
                }
            }
            // A ledger that is busy or stuck is asked again at the next tick.
            if let Ok(Some(view)) = stock.pool(pool).await
                && let Some(sender) = self.lock().get(&pool)
            {
                update(sender, view);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PoolId, watch::Sender<PoolView>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn update(sender: &watch::Sender<PoolView>, view: PoolView) {
    sender.send_if_modified(|last| std::mem::replace(last, view) != view);
}

impl Watching {
    /// The first values at once, then each time they have changed.
    pub(crate) fn events(
        self,
        write: impl Fn(PoolView) -> Event + Send,
    ) -> impl Stream<Item = Result<Event, Infallible>> + Send {
        unfold((self, write), |(mut watching, write)| async move {
            let view = watching.next().await?;
            Some((Ok(write(view)), (watching, write)))
        })
    }

    async fn next(&mut self) -> Option<PoolView> {
        if !std::mem::take(&mut self.first) {
            tokio::select! {
                changed = self.view.changed() => changed.ok()?,
                _ = self.stopped.wait_for(|stopped| *stopped) => return None,
                () = tokio::time::sleep_until(self.over) => return None,
            }
        }
        Some(*self.view.borrow_and_update())
    }
}
