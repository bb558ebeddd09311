//! The outermost layer: context, time limit, panics, rendering, headers, log line and metrics, once per request.

use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use engine::Fault;
use futures::FutureExt;
use tracing::{Instrument, Span};

use crate::app::App;
use crate::context::Context;
use crate::problem::{Problem, render};
use crate::to_the_end::ToTheEnd;

/// Scripts and styles from this site only, nothing framed; the API page styles itself inline.
const CONTENT_POLICY: &str = "default-src 'self'; img-src 'self' data: https:; style-src 'self' 'unsafe-inline'; \
     object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// How many headers the edge adds at most, and the protocol after it.
const HEADERS: usize = 8;

pub async fn edge(State(app): State<App>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let (mut parts, body) = request.into_parts();
    let context = Context::new(&parts, &app.http.trusted_proxies, || app.requests.fresh_id());
    parts.extensions.insert(context.clone());
    let method = parts.method.clone();
    let method_is_safe = method.is_safe();
    // The route's pattern, not the address: metrics must not grow with the ids in it.
    let matched = parts.extensions.get::<MatchedPath>().cloned();
    let route = matched.as_ref().map_or("other", MatchedPath::as_str);
    let span = tracing::info_span!("request", id = &*context.request_id, %method, route);
    let head_bytes = head_bytes(&parts);
    let handler = AssertUnwindSafe(next.run(Request::from_parts(parts, body))).catch_unwind();
    let answer = async move {
        if method_is_safe {
            return handler.await;
        }
        // A write goes on to its end when its caller hangs up: what is committed must also be forgotten by the caches.
        ToTheEnd::new(handler.instrument(Span::current())).await
    };
    let response = async {
        if head_bytes > app.http.header_limit_bytes {
            let max_bytes = app.http.header_limit_bytes as u64;
            return Problem::from(Rejection::HeadTooLarge { max_bytes }).into_response();
        }
        match tokio::time::timeout(app.http.request_timeout, answer).await {
            Ok(Ok(response)) => response,
            Ok(Err(panic)) => {
                Problem::from(Fault::new(format!("a handler panicked: {}", words(&*panic)))).into_response()
            }
            Err(_) => Problem::from(Rejection::TimedOut).into_response(),
        }
    }
    .instrument(span.clone())
    .await;
    let mut response = span.in_scope(|| render(response, &context));
    headers(&app, &mut response, &context);
    let status = response.status().as_u16();
    let elapsed = started.elapsed();
    app.requests.count(&method, route, status, elapsed);
    span.in_scope(|| tracing::debug!(status, elapsed_us = elapsed.as_micros(), "answered"));
    response
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
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_POLICY));
    if app.http.secure {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
}
