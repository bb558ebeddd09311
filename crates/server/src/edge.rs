//! The outermost layer: context, time limit, panics, rendering, headers, log line and metrics, once per request.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use engine::Fault;
use futures::FutureExt;
use tracing::{Instrument, Span};

use crate::app::App;
use crate::context::Context;
use crate::problem::{Problem, render};

/// Scripts and styles from this site only, nothing framed; the API page styles itself inline.
const CONTENT_POLICY: &str = "default-src 'self'; img-src 'self' data: https:; style-src 'self' 'unsafe-inline'; \
     object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

pub async fn edge(State(app): State<App>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let (mut parts, body) = request.into_parts();
    let context = Context::new(&parts, &app.http.trusted_proxies, || fresh_id(&app));
    parts.extensions.insert(context.clone());
    let method = parts.method.clone();
    let method_is_safe = method.is_safe();
    // The route's pattern, not the address: metrics must not grow with the ids in it.
    let route =
        parts.extensions.get::<MatchedPath>().map_or("other".to_owned(), |path| path.as_str().to_owned());
    let span = tracing::info_span!("request", id = &*context.request_id, %method, route);
    let head_bytes = head_bytes(&parts);
    let handler = AssertUnwindSafe(next.run(Request::from_parts(parts, body))).catch_unwind();
    let answer = async move {
        if method_is_safe {
            return handler.await;
        }
        // A write goes on to its end when its caller hangs up: what is committed must also be forgotten by the caches.
        match tokio::spawn(handler.instrument(Span::current())).await {
            Ok(answer) => answer,
            Err(error) => Err(Box::new(error.to_string()) as Box<dyn Any + Send>),
        }
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
    metrics::counter!("windfall_http_requests_total",
        "method" => known_method(&method), "route" => route.clone(), "status" => status.to_string())
    .increment(1);
    metrics::histogram!("windfall_http_request_seconds", "route" => route, "outcome" => outcome(status))
        .record(elapsed.as_secs_f64());
    span.in_scope(|| tracing::debug!(status, elapsed_us = elapsed.as_micros(), "answered"));
    response
}

/// Answers of the API are for this caller at this moment.
pub async fn no_store(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Roughly what the request line and headers took on the wire.
fn head_bytes(parts: &Parts) -> usize {
    let target = parts.uri.path_and_query().map_or(0, |target| target.as_str().len());
    target + parts.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>()
}

fn fresh_id(app: &App) -> String {
    let bytes: [u8; 8] = app.world.bytes();
    format!("{:016x}", u64::from_be_bytes(bytes))
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

/// Anybody may invent a method; metrics know only those there are.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

fn outcome(status: u16) -> &'static str {
    match status {
        0..400 => "done",
        400..500 => "refused",
        503 | 504 => "unavailable",
        _ => "failed",
    }
}

fn headers(app: &App, response: &mut Response, context: &Context) {
    let headers = response.headers_mut();
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
