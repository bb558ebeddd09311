//! The edge of the application: context, who is asking, time limit, panics, rendering, headers, log line and metrics, once
//! per request.
//!
//! It is one future around the router and no stack of layers: each layer would put the request and its answer into boxes
//! of its own, and together they would cost as much as a draw.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Version, header};
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use engine::Fault;
use engine::activity_cache::PublishedActivity;
use engine::sales::gate::{find_sold_out, sold_out_rejection};
use engine::statistics::visit_count;
use futures::FutureExt;
use tower::{Layer, Service};
use tower_http::compression::{Compression, CompressionLayer};
use tracing::{Instrument, Span};

use crate::app::{App, router};
use crate::auth::identify;
use crate::context::{Connection, Context};
use crate::current::within;
use crate::gone::{ATTEMPTS, BODY_MAX, Gone, SOLD_OUT, attempted, is_new};
use crate::openapi::PREFIX;
use crate::patterns::Patterns;
use crate::problem::{Problem, render};
use crate::to_the_end::ToTheEnd;
use crate::visits::visit_of;

/// Scripts and styles from this site only, nothing framed; the API page and the console style themselves inline.
const CONTENT_POLICY: &str = "default-src 'self'; img-src 'self' data: https:; style-src 'self' 'unsafe-inline'; \
     object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The part of the log that lines of requests belong to.
pub const ACCESS_TARGET: &str = "access";
/// Characters of a path in such a line.
const PATH_CHARS_MAX: usize = 200;

/// How many headers the edge adds at most, and the protocol after it.
const HEADERS: usize = 8;

/// The whole application, ready to answer. A copy costs one count.
#[derive(Clone, Debug)]
pub struct Site(Arc<SiteParts>);

struct SiteParts {
    app: App,
    router: Router,
    /// For those who can read it; nothing where it is switched off.
    compressed: Option<Compression<Router>>,
    patterns: Patterns,
    gone: Gone,
}

impl std::fmt::Debug for SiteParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Site").field("app", &self.app).finish_non_exhaustive()
    }
}

impl Site {
    pub fn new(app: App) -> Self {
        let router = router(app.clone());
        let compressed = app.http.compression.then(|| CompressionLayer::new().layer(router.clone()));
        Self(Arc::new(SiteParts {
            app,
            router,
            compressed,
            patterns: Patterns::new(),
            gone: Gone::default(),
        }))
    }

    pub fn request_timeout(&self) -> Duration {
        self.0.app.http.request_timeout
    }

    /// Answers a request that came in this way, at that moment.
    pub async fn answer(self, connection: Connection, started: Instant, request: Request) -> Response {
        let SiteParts { app, patterns, .. } = &*self.0;
        let (parts, body) = request.into_parts();
        let context = Context::new(connection, &parts, &app.http.trusted_proxies, || app.requests.fresh_id());
        let host_is_named = names_host(connection, &parts);
        if host_is_named
            && let Some(attempted) = attempted(&parts)
            && let Some(live) = find_sold_out(&app.world, attempted.sale)
            && is_new(app, &parts, attempted)
        {
            return self.gone(&context, &live, body, started).await;
        }
        let method = parts.method.clone();
        let path = app.http.access_log.then(|| begin(parts.uri.path()));
        let route = patterns.of(parts.uri.path());
        // For whoever reads along in detail. A fault tells the request it belongs to by itself, so that a crowd pays
        // for no span.
        let span = tracing::debug_span!("request", id = context.request_id, %method, route);
        let response = if host_is_named {
            self.in_time(&context, parts, body).instrument(span.clone()).await
        } else {
            Problem::from(Rejection::HostWrong).into_response()
        };
        let mut response = span.in_scope(|| render(response, &context, route, &app.requests));
        headers(app, &mut response, &context);
        let status = response.status().as_u16();
        let elapsed = started.elapsed();
        app.requests.count(&method, route, status, elapsed);
        if let Some(path) = path {
            access(&context, &method, &path, status, elapsed);
        }
        span.in_scope(|| tracing::debug!(status, elapsed_us = elapsed.as_micros(), "answered"));
        response
    }

    /// The short way, for attempts at what is gone.
    async fn gone(
        &self,
        context: &Context,
        live: &Arc<PublishedActivity>,
        body: Body,
        started: Instant,
    ) -> Response {
        let SiteParts { app, gone, .. } = &*self.0;
        // Read to its end, so that the connection can be used again; what it says changes nothing.
        // It ends in time by itself.
        drop(to_bytes(body, BODY_MAX).await);
        let mut response = gone.answer(live, context);
        headers(app, &mut response, context);
        app.requests.refused(SOLD_OUT);
        app.world.caches.refusals.count(live.activity, &sold_out_rejection(live));
        let (status, elapsed) = (response.status().as_u16(), started.elapsed());
        app.requests.count(&Method::POST, ATTEMPTS, status, elapsed);
        if app.http.access_log {
            access(context, &Method::POST, ATTEMPTS, status, elapsed);
        }
        response
    }

    async fn in_time(&self, context: &Context, parts: Parts, body: Body) -> Response {
        let http = &self.0.app.http;
        if head_bytes(&parts) > http.header_limit_bytes {
            let max_bytes = http.header_limit_bytes as u64;
            return Problem::from(Rejection::HeadTooLarge { max_bytes }).into_response();
        }
        let method_is_safe = parts.method.is_safe();
        let served = self.clone().serve(context.clone(), Request::from_parts(parts, body));
        let served = within(context, AssertUnwindSafe(served).catch_unwind());
        let answered = if method_is_safe {
            tokio::time::timeout(http.request_timeout, served).await
        } else {
            // A write goes on to its end when its caller hangs up: what is committed must also be forgotten by the
            // caches.
            let served = ToTheEnd::new(served.instrument(Span::current()));
            tokio::time::timeout(http.request_timeout, served).await
        };
        match answered {
            Ok(Ok(response)) => response,
            Ok(Err(panic)) => {
                Problem::from(Fault::new(format!("a handler panicked: {}", words(&*panic)))).into_response()
            }
            Err(_) => Problem::from(Rejection::TimedOut).into_response(),
        }
    }

    async fn serve(self, context: Context, mut request: Request) -> Response {
        let app = &self.0.app;
        request.extensions_mut().insert(context.clone());
        if is_api(request.uri().path()) {
            identify(app, &context, request, |request| self.known(&context, request)).await
        } else {
            self.route(request).await
        }
    }

    /// Answers what the API document knows; somebody who may not come in hears that first.
    async fn known(&self, context: &Context, request: Request) -> Response {
        if let Err(rejection) = self.0.patterns.check(request.method(), request.uri()) {
            return Problem::from(rejection).into_response();
        }
        let visit = visit_of(&self.0.app, context, &request);
        let response = self.route(request).await;
        if let Some(visit) = visit
            && response.status().is_success()
        {
            visit_count(&self.0.app.world, visit).await;
        }
        response
    }

    async fn route(&self, request: Request) -> Response {
        let SiteParts { router, compressed, .. } = &*self.0;
        match compressed {
            Some(compressed) if request.headers().contains_key(header::ACCEPT_ENCODING) => {
                let answered = compressed.clone().call(request).await;
                answered.unwrap_or_else(|never| match never {}).map(Body::new)
            }
            Some(_) | None => router.clone().call(request).await.unwrap_or_else(|never| match never {}),
        }
    }
}

/// One line for each request, for those who want it. The query is left out: it may be somebody's secret.
fn access(context: &Context, method: &Method, path: &str, status: u16, elapsed: Duration) {
    tracing::info!(
        target: ACCESS_TARGET,
        request_id = context.request_id,
        client = %context.client,
        %method,
        path,
        status,
        elapsed_us = elapsed.as_micros(),
        "answered"
    );
}

fn begin(path: &str) -> String {
    path.chars().take(PATH_CHARS_MAX).collect()
}

fn is_api(path: &str) -> bool {
    path.strip_prefix(PREFIX).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a request says once which host it is for, as HTTP asks: what a proxy in front took for another host than we do
/// would be answered for the wrong one.
fn names_host(connection: Connection, parts: &Parts) -> bool {
    let mut hosts = parts.headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next(), parts.version) {
        (_, Some(_), _) => false,
        (Some(host), None, Version::HTTP_2 | Version::HTTP_3) => {
            let named = parts.uri.authority();
            named.map_or_else(
                || is_host(host.as_bytes()),
                |named| named.as_str().as_bytes() == host.as_bytes(),
            )
        }
        (Some(host), None, _) => is_host(host.as_bytes()),
        (None, None, Version::HTTP_2 | Version::HTTP_3) => parts.uri.authority().is_some(),
        (None, None, Version::HTTP_11) => connection == Connection::Console,
        (None, None, _) => true,
    }
}

/// Whether it can be a host, with or without a port: a name, or an address in brackets.
fn is_host(text: &[u8]) -> bool {
    let (name, rest) = match text {
        [b'[', inner @ ..] => match inner.iter().position(|byte| *byte == b']') {
            Some(end) => (&inner[..end], &inner[end + 1..]),
            None => return false,
        },
        _ => text.split_at(text.iter().position(|byte| *byte == b':').unwrap_or(text.len())),
    };
    let bracketed = text.first() == Some(&b'[');
    let of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(byte);
    let of_address = |byte: &u8| byte.is_ascii_hexdigit() || b":.".contains(byte);
    let name_fits =
        !name.is_empty() && name.iter().all(|byte| if bracketed { of_address(byte) } else { of_name(byte) });
    let port_fits = match rest {
        [] => true,
        [b':', port @ ..] => port.len() <= 5 && port.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    name_fits && port_fits
}

/// Roughly what the request line and headers took on the wire.
fn head_bytes(parts: &Parts) -> usize {
    let target = parts.uri.path_and_query().map_or(0, |target| target.as_str().len());
    target + parts.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>()
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

fn headers(app: &App, response: &mut Response, context: &Context) {
    let headers = response.headers_mut();
    headers.reserve(HEADERS);
    if let Ok(id) = HeaderValue::from_str(&context.request_id) {
        headers.insert("x-request-id", id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    // A page may have a stricter one of its own.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(CONTENT_POLICY));
    if app.http.secure {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    #[test]
    fn a_request_names_its_host_once() {
        let network = Connection::Network { peer: IpAddr::from([127, 0, 0, 1]), tls: false };
        for (connection, version, uri, hosts, expected) in [
            (network, Version::HTTP_11, "/", &["a"][..], true),
            (network, Version::HTTP_11, "/", &["a.example:8088"], true),
            (network, Version::HTTP_11, "/", &["[::1]:8088"], true),
            (network, Version::HTTP_11, "/", &["[::1]"], true),
            (network, Version::HTTP_11, "/", &[""], false),
            (network, Version::HTTP_11, "/", &[":80"], false),
            (network, Version::HTTP_11, "/", &["a:8x"], false),
            (network, Version::HTTP_11, "/", &["a:123456"], false),
            (network, Version::HTTP_11, "/", &["a b"], false),
            (network, Version::HTTP_11, "/", &["a/b"], false),
            (network, Version::HTTP_11, "/", &["me@a"], false),
            (network, Version::HTTP_11, "/", &["[::1"], false),
            (network, Version::HTTP_11, "/", &["[]"], false),
            (network, Version::HTTP_11, "/", &["[::1]x"], false),
            (network, Version::HTTP_10, "/", &[""], false),
            (network, Version::HTTP_11, "/", &[], false),
            (network, Version::HTTP_11, "http://a/", &[], false),
            (network, Version::HTTP_11, "/", &["a", "a"], false),
            (network, Version::HTTP_10, "/", &[], true),
            (network, Version::HTTP_10, "/", &["a", "b"], false),
            (network, Version::HTTP_2, "https://a/", &[], true),
            (network, Version::HTTP_2, "https://a/", &["a"], true),
            (network, Version::HTTP_2, "https://a/", &["b"], false),
            (network, Version::HTTP_2, "/", &[], false),
            (Connection::Console, Version::HTTP_11, "/", &[], true),
        ] {
            let mut request = Request::builder().version(version).uri(uri);
            for host in hosts {
                request = request.header(header::HOST, *host);
            }
            let (parts, _) = request.body(Body::empty()).unwrap().into_parts();
            assert_eq!(names_host(connection, &parts), expected, "{version:?} {uri} {hosts:?}");
        }
    }

    #[test]
    fn the_api_is_what_stands_below_its_prefix() {
        for (path, expected) in [
            ("/api/v1/time", true),
            ("/api/v1/", true),
            ("/api/v1", true),
            ("/api/v10", false),
            ("/", false),
            ("/healthz", false),
        ] {
            assert_eq!(is_api(path), expected, "{path}");
        }
    }
}
