//! Live streams, as server-sent events: a pool's counters, an activity's winners, how an activity is doing, the line in front
//! of a sale, what is left of it, and how it is doing.
//!
//! All streams about one thing share one look at it per tick, so that a thousand open pages cost as much as one.
//! What is told is durable. Nothing is told twice and nothing is queued: who reads slowly sees the latest values, not
//! all of them. There is no replay; listings are for that.
//!
//! Staff and the public have places of their own: a crowd of players keeps no operator from looking. Of the public's, one
//! client address has so many and no more, and one person or key too: nobody takes them all.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use domain::ids::{ActivityId, UserId};
use domain::ledger::{PoolId, PoolView};
use domain::limit::address_key;
use domain::sale::room::WaitingLine;
use engine::activities::LiveFigures;
use engine::activity_cache::WinnerView;
use engine::sales::reports::{SaleFigures, SaleLive};
use futures::future::BoxFuture;
use futures::stream::unfold;
use serde::Serialize;
use store::model::Actor;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, MissedTickBehavior};

use crate::shares::{Share, Shares};

/// Between two looks at a pool: five updates a second at most.
pub(crate) const POOL_TICK: Duration = Duration::from_millis(200);
/// Between two looks at an activity.
pub(crate) const ACTIVITY_TICK: Duration = Duration::from_secs(1);
/// A stream ends after this, and the client's next request is judged anew: a revoked key does not look on for ever.
pub(crate) const LIFE: Duration = Duration::from_secs(600);
/// A comment so often keeps proxies from closing a quiet stream.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(15);
const RETRY_AFTER_S: i64 = 5;

/// The open streams of this process.
#[derive(Debug)]
pub struct Streams {
    max: u32,
    staff: Arc<Semaphore>,
    public: Arc<Semaphore>,
    shares_max: SharesMax,
    addresses: Shares,
    callers: Shares,
    stopped: watch::Receiver<bool>,
    pub(crate) pools: Topic<PoolId, PoolView>,
    pub(crate) winners: Topic<ActivityId, Arc<Vec<WinnerView>>>,
    pub(crate) figures: Topic<ActivityId, Arc<LiveFigures>>,
    pub(crate) rooms: Topic<ActivityId, Arc<WaitingLine>>,
    pub(crate) sales: Topic<ActivityId, SaleLive>,
    pub(crate) sale_figures: Topic<ActivityId, Arc<SaleFigures>>,
}

/// How many of the places one of many may have.
#[derive(Clone, Copy, Debug)]
pub struct SharesMax {
    /// Of the public's, one client address.
    pub address: u32,
    /// One person or key, of the staff's and of those for one person.
    pub caller: u32,
}

/// Who takes a place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Audience {
    /// Who of them.
    Staff(Actor),
    /// From where.
    Public(IpAddr),
    /// From where, and whose stream of their own it is.
    Player(IpAddr, UserId),
}

/// Things of one kind that are being watched.
#[derive(Debug)]
pub(crate) struct Topic<K, V>(Arc<Mutex<HashMap<K, watch::Sender<V>>>>);

impl<K, V> Default for Topic<K, V> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

/// One stream's view of a thing.
pub(crate) struct Watching<V> {
    view: watch::Receiver<V>,
    first: bool,
    over: Instant,
    stopped: watch::Receiver<bool>,
    _place: (OwnedSemaphorePermit, Vec<Share>),
}

impl<V> fmt::Debug for Watching<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watching").field("first", &self.first).finish_non_exhaustive()
    }
}

impl Streams {
    /// `max` streams of staff at once, and as many of everybody else, with a share for each; all of them end when `stopped`
    /// becomes true.
    pub fn new(max: u32, shares_max: SharesMax, stopped: watch::Receiver<bool>) -> Self {
        let places = || Arc::new(Semaphore::new(max as usize));
        let (staff, public) = (places(), places());
        Self {
            max,
            staff,
            public,
            shares_max,
            addresses: Shares::default(),
            callers: Shares::default(),
            stopped,
            pools: Topic::default(),
            winners: Topic::default(),
            figures: Topic::default(),
            rooms: Topic::default(),
            sales: Topic::default(),
            sale_figures: Topic::default(),
        }
    }

    /// A place for one more.
    pub(crate) fn enter(&self, audience: Audience) -> Result<Place, Rejection> {
        let full = |_| Rejection::StreamsFull { max: self.max, retry_after_s: RETRY_AFTER_S };
        let (places, shares) = match audience {
            Audience::Staff(actor) => (&self.staff, vec![self.of_caller(actor)?]),
            Audience::Public(client) => (&self.public, vec![self.of_address(client)?]),
            Audience::Player(client, user) => {
                (&self.public, vec![self.of_address(client)?, self.of_caller(Actor::Person(user))?])
            }
        };
        let place = Arc::clone(places).try_acquire_owned().map_err(full)?;
        Ok(Place { place: (place, shares), stopped: self.stopped.clone() })
    }

    fn of_address(&self, client: IpAddr) -> Result<Share, Rejection> {
        let max = self.shares_max.address;
        let full = || Rejection::StreamsOfAddressFull { max, retry_after_s: RETRY_AFTER_S };
        self.addresses.take(address_key(client), max).ok_or_else(full)
    }

    fn of_caller(&self, actor: Actor) -> Result<Share, Rejection> {
        let max = self.shares_max.caller;
        let full = || Rejection::StreamsOfCallerFull { max, retry_after_s: RETRY_AFTER_S };
        self.callers.take(format!("{actor:?}"), max).ok_or_else(full)
    }
}

/// Where a stream may begin.
#[derive(Debug)]
pub(crate) struct Place {
    place: (OwnedSemaphorePermit, Vec<Share>),
    stopped: watch::Receiver<bool>,
}

impl Place {
    /// When the streams should end.
    pub async fn stopped(&mut self) {
        let _ = self.stopped.wait_for(|stopped| *stopped).await;
    }
}

impl<K, V> Topic<K, V>
where
    K: Copy + Eq + Hash + Send + 'static,
    V: Clone + PartialEq + Send + Sync + 'static,
{
    /// Follows a thing from `now` on. `look` is asked once per tick, whoever follows; it says nothing while it is busy
    /// or stuck, and is asked again.
    pub fn follow(
        &self,
        place: Place,
        key: K,
        now: V,
        tick: Duration,
        look: impl Fn() -> BoxFuture<'static, Option<V>> + Send + Sync + 'static,
    ) -> Watching<V> {
        let mut watched = self.lock();
        let view = match watched.get(&key) {
            Some(sender) => {
                let view = sender.subscribe();
                update(sender, now);
                view
            }
            None => {
                let (sender, view) = watch::channel(now);
                watched.insert(key, sender);
                tokio::spawn(Self(Arc::clone(&self.0)).watch(key, tick, look));
                view
            }
        };
        let Place { place, stopped } = place;
        Watching { view, first: true, over: Instant::now() + LIFE, stopped, _place: place }
    }

    /// Looks again and again while anybody follows.
    async fn watch(
        self,
        key: K,
        tick: Duration,
        look: impl Fn() -> BoxFuture<'static, Option<V>> + Send + Sync + 'static,
    ) {
        let mut ticks = tokio::time::interval(tick);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks.tick().await;
        loop {
            ticks.tick().await;
            // Under the lock: nobody begins to follow between the look at the number and the end.
            {
                let mut watched = self.lock();
                if watched.get(&key).is_none_or(|sender| sender.receiver_count() == 0) {
                    watched.remove(&key);
                    return;
                }
            }
            if let Some(view) = look().await
                && let Some(sender) = self.lock().get(&key)
            {
                update(sender, view);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, watch::Sender<V>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn update<V: PartialEq>(sender: &watch::Sender<V>, view: V) {
    sender.send_if_modified(|last| {
        let news = *last != view;
        *last = view;
        news
    });
}

impl<V: Clone + Send + Sync + 'static> Watching<V> {
    /// The first values at once, then each time they have changed, as events of that name.
    pub fn respond<B: Serialize>(
        self,
        name: &'static str,
        write: impl Fn(V) -> B + Send + Sync + 'static,
    ) -> Response {
        let events = unfold((self, write), move |(mut watching, write)| async move {
            let body = write(watching.next().await?);
            // Numbers and texts: nothing that could fail to be written.
            let event = Event::default().event(name).json_data(&body).unwrap_or_default();
            Some((Ok::<_, Infallible>(event), (watching, write)))
        });
        let events = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
        // Some proxies gather an answer before they pass it on, unless they are told not to.
        ([("x-accel-buffering", "no")], events).into_response()
    }

    async fn next(&mut self) -> Option<V> {
        if !std::mem::take(&mut self.first) {
            tokio::select! {
                changed = self.view.changed() => changed.ok()?,
                _ = self.stopped.wait_for(|stopped| *stopped) => return None,
                () = tokio::time::sleep_until(self.over) => return None,
            }
        }
        Some(self.view.borrow_and_update().clone())
    }
}
