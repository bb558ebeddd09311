//! What an application is put together from, and what it serves; how it is served is the [`Site`](crate::Site)'s.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::routing::get;
use domain::Rejection;
use domain::rejection::MissingThing;
use engine::World;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::body_room::BodyRoom;
use crate::network::Network;
use crate::problem::Problem;
use crate::requests::Requests;
use crate::streams::Streams;
use crate::{metrics, openapi, pages, routes};

/// What every handler can reach. It is handed on several times per request, so that a copy costs one count and no more.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What an application is put together from.
pub struct Parts {
    pub world: Arc<World>,
    pub http: HttpSettings,
    pub health: Arc<dyn Health>,
    pub metrics: PrometheusHandle,
    pub streams: Arc<Streams>,
    pub requests: Requests,
    pub body_room: BodyRoom,
}

impl From<Parts> for App {
    fn from(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("http", &self.http).finish_non_exhaustive()
    }
}

#[derive(Clone, Debug)]
pub struct HttpSettings {
    /// The site's own origin as browsers see it, when configured.
    pub public_url: Option<String>,
    /// Reached over TLS, here or at the proxy: cookies are Secure.
    pub secure: bool,
    pub trusted_proxies: Vec<Network>,
    pub body_limit_bytes: usize,
    /// For the request line and headers together.
    pub header_limit_bytes: usize,
    pub request_timeout: Duration,
    pub compression: bool,
    /// A line in the log for each request.
    pub access_log: bool,
}

/// Whether this node should be sent requests, part by part.
#[async_trait]
pub trait Health: Send + Sync {
    /// Each part's name, and what is wrong with it.
    async fn parts(&self) -> Vec<(&'static str, Result<(), String>)>;

    /// What happened that somebody should know of, though everything is served.
    fn notes(&self) -> Vec<(&'static str, String)>;
}

/// Everything that is served: the API, health, metrics, documents and pages.
pub(crate) fn router(app: App) -> Router {
    let (api, _) = openapi::split(routes::api());
    let document = openapi::document_of(app.http.secure);
    Router::new()
        .nest(openapi::PREFIX, api.fallback(no_such_page).method_not_allowed_fallback(wrong_method))
        .route("/healthz", get(routes::health::alive))
        .route("/readyz", get(routes::health::ready))
        .route("/metrics", get(metrics::scrape))
        .merge(routes::orders::sandbox::router())
        .merge(pages::router(document))
        .fallback(pages::other)
        .method_not_allowed_fallback(wrong_method)
        .with_state(app)
}

async fn no_such_page() -> Problem {
    Rejection::NotFound { what: MissingThing::Page }.into()
}

async fn wrong_method() -> Problem {
    Rejection::MethodNotAllowed.into()
}
