//! What answers behind the listener: the whole application, or a node of a cluster, which is the application while it leads
//! and hands requests on to the leader before that.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::response::Response;

use crate::context::Connection;
use crate::edge::Site;
use crate::forwarder::{Forwarded, Forwarder};

/// Whether this node leads, at this moment.
pub type IsLed = Arc<dyn Fn() -> bool + Send + Sync>;

#[derive(Clone, Debug)]
pub enum Front {
    /// One process.
    Site(Site),
    /// One of several.
    Node(Arc<NodeFront>),
}

impl From<Site> for Front {
    fn from(site: Site) -> Self {
        Self::Site(site)
    }
}

impl Front {
    pub(crate) fn request_timeout(&self) -> Duration {
        match self {
            Self::Site(site) => site.request_timeout(),
            Self::Node(node) => node.forwarder.request_timeout(),
        }
    }

    pub(crate) async fn answer(self, connection: Connection, started: Instant, request: Request) -> Response {
        match self {
            Self::Site(site) => site.answer(connection, started, request).await,
            Self::Node(node) => node.answer(connection, started, request).await,
        }
    }
}

/// A node of a cluster. It begins to lead at most once: a lead that was lost does not come back, and the process ends.
pub struct NodeFront {
    forwarder: Forwarder,
    leading: OnceLock<Leading>,
}

struct Leading {
    site: Site,
    is_led: IsLed,
}

impl fmt::Debug for NodeFront {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NodeFront")
            .field("forwarder", &self.forwarder)
            .field("leads", &self.leading.get().is_some())
            .finish()
    }
}

impl NodeFront {
    pub fn new(forwarder: Forwarder) -> Self {
        Self { forwarder, leading: OnceLock::new() }
    }

    pub fn forwarder(&self) -> &Forwarder {
        &self.forwarder
    }

    /// From now on this node answers by itself, for as long as it is led.
    pub fn lead(&self, site: Site, is_led: IsLed) {
        // A second lead of one process would be a fault of whoever starts it; the first one counts.
        let _ = self.leading.set(Leading { site, is_led });
        self.forwarder.lead_here();
    }

    async fn answer(&self, connection: Connection, started: Instant, request: Request) -> Response {
        let request = match self.leading.get() {
            Some(_) => request,
            None => match self.forwarder.answer(connection, started, request).await {
                Forwarded::Answered(response) => return response,
                Forwarded::LedHere(request) => request,
            },
        };
        match self.leading.get() {
            Some(leading) if (leading.is_led)() => {
                leading.site.clone().answer(connection, started, request).await
            }
            // A lead that is over: the successor is not known yet, and what this node remembers may be out of date.
            Some(_) | None => self.forwarder.decline(connection, request),
        }
    }
}
