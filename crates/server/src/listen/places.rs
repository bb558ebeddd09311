//! How many connections there may be, in all and from one address.
//!
//! At the limit nobody new is accepted, and those who are there are served: the system's own backlog holds newcomers until a
//! place is free. An address that has its share is closed at once, so that it takes no place of anybody else. Proxies that
//! are trusted bring everybody's connections and have no share of their own.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use domain::limit::address_key;
use metrics::{Gauge, counter, gauge};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::network::Network;
use crate::shares::{Share, Shares};

/// Between two lines in the log about the same.
const SELDOM: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(super) struct Places {
    max: usize,
    free: Arc<Semaphore>,
    of_address_max: u32,
    addresses: Shares,
    trusted: Vec<Network>,
    full: Seldom,
    address_full: Seldom,
    open: Arc<OpenGauge>,
}

/// A connection's place, given back when it is closed.
#[derive(Debug)]
pub(super) struct ConnectionPlace {
    _place: OwnedSemaphorePermit,
    _share: Option<Share>,
    open: Arc<OpenGauge>,
}

struct OpenGauge(Gauge);

impl std::fmt::Debug for OpenGauge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OpenGauge")
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.open.0.decrement(1.0);
    }
}

impl Places {
    pub fn new(max: usize, of_address_max: u32, trusted: Vec<Network>) -> Self {
        let open = gauge!("windfall_http_connections");
        open.set(0.0);
        counter!("windfall_connections_refused_total").absolute(0);
        Self {
            max,
            free: Arc::new(Semaphore::new(max)),
            of_address_max,
            addresses: Shares::default(),
            trusted,
            full: Seldom::default(),
            address_full: Seldom::default(),
            open: Arc::new(OpenGauge(open)),
        }
    }

    /// A place for whoever is accepted next. Where there is none, the log says so once and not for everybody who waits.
    pub async fn free(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(place) = Arc::clone(&self.free).try_acquire_owned() {
            return Some(place);
        }
        if self.full.is_due(Instant::now()) {
            tracing::warn!(
                max_connections = self.max,
                "all connections are taken; those who are here are served, others wait until one closes"
            );
        }
        Arc::clone(&self.free).acquire_owned().await.ok()
    }

    /// The place of a connection from there; nothing when its address has all it may have.
    pub fn seat(&self, place: OwnedSemaphorePermit, peer: IpAddr) -> Option<ConnectionPlace> {
        let share = if self.trusted.iter().any(|proxy| proxy.contains(peer)) {
            None
        } else {
            let Some(share) = self.addresses.take(address_key(peer), self.of_address_max) else {
                self.refuse(peer);
                return None;
            };
            Some(share)
        };
        self.open.0.increment(1.0);
        Some(ConnectionPlace { _place: place, _share: share, open: Arc::clone(&self.open) })
    }

    /// What is left without waiting, for those who came before a stop.
    pub fn try_free(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.free).try_acquire_owned().ok()
    }

    /// Returns when every connection is closed.
    pub async fn all_free(&self) {
        let all = u32::try_from(self.max).unwrap_or(u32::MAX);
        drop(self.free.acquire_many(all).await);
    }

    fn refuse(&self, peer: IpAddr) {
        counter!("windfall_connections_refused_total").increment(1);
        if self.address_full.is_due(Instant::now()) {
            tracing::warn!(
                address = address_key(peer),
                max = self.of_address_max,
                "an address has as many connections as it may; more of it are closed"
            );
        }
    }
}

/// Something that is said now and then, however often it happens.
#[derive(Debug, Default)]
struct Seldom(Mutex<Option<Instant>>);

impl Seldom {
    fn is_due(&self, now: Instant) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.is_none_or(|last| now.duration_since(last) >= SELDOM);
        if due {
            *last = Some(now);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(max: usize, of_address_max: u32) -> Places {
        Places::new(max, of_address_max, vec!["10.0.0.0/8".parse().unwrap()])
    }

    #[tokio::test]
    async fn an_address_has_its_share_and_a_trusted_proxy_has_no_limit() {
        let places = places(100, 2);
        let seat = async |peer: &str| places.seat(places.free().await.unwrap(), peer.parse().unwrap());
        let mut kept = Vec::new();
        for (peer, seated) in [
            ("203.0.113.9", true),
            ("203.0.113.9", true),
            ("203.0.113.9", false),
            ("::ffff:203.0.113.9", false),
            ("203.0.113.8", true),
            ("2001:db8:1:2::1", true),
            ("2001:db8:1:2::2", true),
            ("2001:db8:1:2:3:4:5:6", false),
            ("2001:db8:1:3::1", true),
            ("10.0.0.1", true),
            ("10.0.0.1", true),
            ("10.0.0.1", true),
        ] {
            let seat = seat(peer).await;
            assert_eq!(seat.is_some(), seated, "{peer}");
            kept.extend(seat);
        }
        drop(kept);
        assert_eq!(places.free.available_permits(), 100, "everything was given back");
        assert!(seat("203.0.113.9").await.is_some());
    }

    #[test]
    fn what_happens_often_is_said_seldom() {
        let (seldom, began) = (Seldom::default(), Instant::now());
        for (second, due) in [(0, true), (0, false), (59, false), (60, true), (61, false), (3_600, true)] {
            assert_eq!(seldom.is_due(began + Duration::from_secs(second)), due, "{second}");
        }
    }
}
