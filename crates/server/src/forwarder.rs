//! A node that does not lead hands each request on to the node that does, as a proxy.
//!
//! A request that never reached a leader is tried again until there is one, for as long as the node is told to wait: so a
//! failover is a pause for clients, and no error. One that may have reached it is repeated only if it changes nothing; for
//! a write the answer is `outcome_unknown`, and the client repeats it with the same id.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response as HttpResponse, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use engine::Fault;
use hyper::body::Body as _;
use metrics_exporter_prometheus::PrometheusHandle;
use reqwest::Certificate;
use tokio::sync::watch;
use tokio::time::timeout_at;

use crate::app::Health;
use crate::context::{Connection, Context};
use crate::http_client::http_client;
use crate::network::Network;
use crate::problem::{Problem, render};
use crate::requests::Requests;
use crate::routes::health::{alive, readiness};
use crate::shared_body::SharedBody;

/// Marks a request that another node handed on: it is never handed on again.
const FORWARDED: HeaderName = HeaderName::from_static("windfall-forwarded");
/// Marks the answer of a node that does not lead to a request that was handed on to it. Clients never see it.
const NOT_LED: HeaderName = HeaderName::from_static("windfall-not-led");
const FORWARDED_FOR: &str = "x-forwarded-for";
/// A longer body is handed on as it arrives, and so only once.
const KEPT_BODY_MAX: u64 = 64 * 1024;
/// The name of every forwarded request in the counters: which one it was is the leader's to count.
const ROUTE: &str = "forwarded";
/// How long a leader that cannot be reached is left alone, unless another is named meanwhile.
const PAUSE: Duration = Duration::from_millis(50);
const RETRY_AFTER_S: i64 = 1;
const CONNECT_MAX: Duration = Duration::from_secs(1);
/// A connection to a machine that vanished is given up after this long without an acknowledgement.
const PEER_ACKNOWLEDGES: Duration = Duration::from_secs(5);

pub struct ForwarderSettings {
    pub request_timeout: Duration,
    /// How long a request waits for a leader.
    pub leader_wait: Duration,
    pub trusted_proxies: Vec<Network>,
    /// The certificates that other nodes' are checked against, as PEM; without them, those of the system.
    pub ca: Option<Vec<u8>>,
    pub health: Arc<dyn Health>,
    pub metrics: PrometheusHandle,
    pub requests: Requests,
}

impl fmt::Debug for ForwarderSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ForwarderSettings").field("leader_wait", &self.leader_wait).finish_non_exhaustive()
    }
}

pub struct Forwarder {
    settings: ForwarderSettings,
    client: reqwest::Client,
    leader: watch::Sender<Leader>,
}

/// Who leads, as far as this node has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Leader {
    #[default]
    Nobody,
    /// Another node, and where it is reached.
    At(Arc<str>),
    /// This node, from now on.
    Here,
}

/// What became of a request that came to a node which did not lead.
pub(crate) enum Forwarded {
    Answered(Response),
    /// Meanwhile this node leads: the request as it came, for it to answer.
    LedHere(Request),
}

impl fmt::Debug for Forwarder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forwarder").field("leader", &self.leader.borrow()).finish_non_exhaustive()
    }
}

/// What became of one try.
enum Sent {
    Answered(HttpResponse<reqwest::Body>),
    /// It was not taken in: another try does it no second time.
    NotTaken,
    /// It may have been, and why nobody knows.
    Lost(String),
}

/// A body that was kept is sent as often as needed.
enum ForwardedBody {
    Kept(Bytes),
    Streamed(Option<Body>),
}

impl Forwarder {
    pub fn new(settings: ForwarderSettings) -> Result<Self, Fault> {
        // No limit on the whole: streams last.
        let mut client = http_client()
            .http1_only()
            .tcp_nodelay(true)
            .connect_timeout(CONNECT_MAX)
            .tcp_user_timeout(PEER_ACKNOWLEDGES);
        if let Some(pem) = &settings.ca {
            let certificates = Certificate::from_pem_bundle(pem)
                .map_err(|error| Fault::caused("the certificates of the nodes", error))?;
            client = client.tls_certs_only(certificates);
        }
        let client = client.build().map_err(|error| Fault::caused("the client of other nodes", error))?;
        Ok(Self { settings, client, leader: watch::Sender::default() })
    }

    pub(crate) fn request_timeout(&self) -> Duration {
        self.settings.request_timeout
    }

    /// Where the node that leads now is reached, as far as this one has seen.
    pub fn set_leader(&self, address: Option<&str>) {
        self.see(address.map_or(Leader::Nobody, |address| Leader::At(address.into())));
    }

    /// From now on this node leads: whoever waited here for a leader is answered here.
    pub(crate) fn lead_here(&self) {
        self.see(Leader::Here);
    }

    fn see(&self, seen: Leader) {
        self.leader.send_if_modified(|leader| {
            let changed = *leader != seen;
            *leader = seen;
            changed
        });
    }

    pub(crate) async fn answer(
        &self,
        connection: Connection,
        started: Instant,
        request: Request,
    ) -> Forwarded {
        let (parts, body) = request.into_parts();
        let context = self.context(connection, &parts);
        let method = parts.method.clone();
        let response = match self.own(&context, &parts).await {
            Some(own) => own,
            None => match self.forward(&context, parts, body, started).await {
                Ok(Forwarded::Answered(response)) => response,
                Ok(led_here @ Forwarded::LedHere(_)) => return led_here,
                Err(problem) => problem.into_response(),
            },
        };
        let response = self.finish(response, &context);
        self.settings.requests.count(&method, ROUTE, response.status().as_u16(), started.elapsed());
        Forwarded::Answered(response)
    }

    /// The answer of a node that may not say anything.
    pub(crate) fn decline(&self, connection: Connection, request: Request) -> Response {
        let (parts, _) = request.into_parts();
        let response = self.finish(no_leader().into_response(), &self.context(connection, &parts));
        mark_not_led(&parts.headers, response)
    }

    fn context(&self, connection: Connection, parts: &Parts) -> Context {
        let Self { settings, .. } = self;
        Context::new(connection, parts, &settings.trusted_proxies, || settings.requests.fresh_id())
    }

    fn finish(&self, response: Response, context: &Context) -> Response {
        let mut response = render(response, context, ROUTE, &self.settings.requests);
        if let Ok(id) = HeaderValue::from_str(&context.request_id) {
            response.headers_mut().entry("x-request-id").or_insert(id);
        }
        response
    }

    /// What every node answers by itself.
    async fn own(&self, context: &Context, parts: &Parts) -> Option<Response> {
        let is_get = matches!(parts.method, Method::GET | Method::HEAD);
        match parts.uri.path() {
            "/healthz" if is_get => Some(alive().await),
            "/readyz" if is_get => Some(readiness(&*self.settings.health).await),
            "/metrics" if is_get => Some(self.metrics(context, &parts.headers)),
            _ if context.connection == Connection::Console => {
                let leader = match &*self.leader.borrow() {
                    Leader::Nobody => "nobody, just now".to_owned(),
                    Leader::At(address) => address.to_string(),
                    Leader::Here => "this node, from now on".to_owned(),
                };
                Some(Problem::from(Rejection::LeaderElsewhere { leader }).into_response())
            }
            _ if parts.headers.contains_key(FORWARDED) => {
                Some(mark_not_led(&parts.headers, no_leader().into_response()))
            }
            _ => None,
        }
    }

    /// For this machine alone: keys are known to the leader.
    fn metrics(&self, context: &Context, headers: &HeaderMap) -> Response {
        let is_local = context.connection == Connection::Console
            || context.client.is_loopback() && !headers.contains_key(FORWARDED_FOR);
        if !is_local {
            return Problem::from(Rejection::Unauthenticated).into_response();
        }
        ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], self.settings.metrics.render())
            .into_response()
    }

    async fn forward(
        &self,
        context: &Context,
        mut parts: Parts,
        body: Body,
        started: Instant,
    ) -> Result<Forwarded, Problem> {
        let as_it_came = parts.clone();
        vouch(context, &mut parts.headers)?;
        let mut body = keep(body).await?;
        let deadline = started + self.settings.leader_wait;
        let mut leaders = self.leader.subscribe();
        loop {
            let is_somebody = |leader: &Leader| *leader != Leader::Nobody;
            let seen = match timeout_at(deadline.into(), leaders.wait_for(is_somebody)).await {
                Ok(Ok(seen)) => seen.clone(),
                Ok(Err(_)) | Err(_) => Leader::Nobody,
            };
            let leader = match seen {
                Leader::Nobody => return Err(no_leader()),
                Leader::Here => return Ok(Forwarded::LedHere(body.back(as_it_came))),
                Leader::At(address) => address,
            };
            match self.send(&leader, &parts, &mut body, started).await? {
                Sent::Answered(answer) => return Ok(Forwarded::Answered(deliver(answer))),
                Sent::Lost(why) if !parts.method.is_safe() => {
                    tracing::warn!(leader = &*leader, why, "a leader went away during a write");
                    return Err(Rejection::OutcomeUnknown.into());
                }
                Sent::NotTaken | Sent::Lost(_) if !body.can_be_sent() => return Err(no_leader()),
                Sent::NotTaken | Sent::Lost(_) => {
                    // It may be taking over just now, or be gone and not replaced yet.
                    let _ = tokio::time::timeout(PAUSE, leaders.changed()).await;
                    if Instant::now() >= deadline {
                        return Err(no_leader());
                    }
                }
            }
        }
    }

    /// One try. A leader that was replaced is not waited for: it may be paused, and will tell nothing when it wakes.
    async fn send(
        &self,
        leader: &str,
        parts: &Parts,
        body: &mut ForwardedBody,
        started: Instant,
    ) -> Result<Sent, Problem> {
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        let mut request = self.client.request(parts.method.clone(), format!("{leader}{path}"));
        request = request.headers(parts.headers.clone());
        if let Some(body) = body.next() {
            request = request.body(body);
        }
        let request = request.build().map_err(|error| Fault::caused("a request to the leader", error))?;
        let mut leaders = self.leader.subscribe();
        let replaced = leaders.wait_for(|now| match now {
            Leader::Nobody => false,
            Leader::At(address) => &**address != leader,
            Leader::Here => true,
        });
        let late = tokio::time::sleep_until((started + self.settings.request_timeout).into());
        let answered = tokio::select! {
            answered = self.client.execute(request) => answered,
            _ = replaced => return Ok(Sent::Lost("another node leads meanwhile".to_owned())),
            () = late => return Err(Rejection::TimedOut.into()),
        };
        Ok(match answered {
            Ok(answer) if answer.headers().contains_key(NOT_LED) => Sent::NotTaken,
            Ok(answer) => Sent::Answered(answer.into()),
            Err(error) if error.is_connect() => Sent::NotTaken,
            Err(error) => Sent::Lost(story(&error)),
        })
    }
}

impl ForwardedBody {
    fn can_be_sent(&self) -> bool {
        matches!(self, Self::Kept(_) | Self::Streamed(Some(_)))
    }

    /// The request with this body, which [can still be sent](Self::can_be_sent).
    fn back(self, parts: Parts) -> Request {
        let body = match self {
            Self::Kept(bytes) => bytes.into(),
            Self::Streamed(body) => body.unwrap_or_default(),
        };
        Request::from_parts(parts, body)
    }

    fn next(&mut self) -> Option<reqwest::Body> {
        match self {
            Self::Kept(bytes) if bytes.is_empty() => None,
            Self::Kept(bytes) => Some(bytes.clone().into()),
            Self::Streamed(body) => body.take().map(|body| reqwest::Body::wrap(SharedBody::new(body))),
        }
    }
}

/// Reads a short body to its end.
async fn keep(body: Body) -> Result<ForwardedBody, Problem> {
    match body.size_hint().upper() {
        Some(bytes) if bytes <= KEPT_BODY_MAX => {
            let read = to_bytes(body, usize::try_from(bytes).unwrap_or(usize::MAX)).await;
            // It stalled, or its sender went away.
            Ok(ForwardedBody::Kept(read.map_err(|_| Rejection::TimedOut)?))
        }
        Some(_) | None => Ok(ForwardedBody::Streamed(Some(body))),
    }
}

/// Says for whom the request is, and takes away what belongs to one connection.
fn vouch(context: &Context, headers: &mut HeaderMap) -> Result<(), Problem> {
    remove_hop_headers(headers);
    let Connection::Network { peer, tls } = context.connection else { return Ok(()) };
    let mut hops: Vec<&str> =
        headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok()).collect();
    let peer = peer.to_string();
    hops.push(&peer);
    let hops = HeaderValue::from_str(&hops.join(", "));
    headers.insert(FORWARDED_FOR, hops.map_err(|error| Fault::caused("the hops of a request", error))?);
    headers.insert("x-forwarded-proto", HeaderValue::from_static(if tls { "https" } else { "http" }));
    headers.insert(FORWARDED, HeaderValue::from_static("1"));
    let id = HeaderValue::from_str(&context.request_id);
    headers.insert("x-request-id", id.map_err(|error| Fault::caused("a request's id", error))?);
    Ok(())
}

fn remove_hop_headers(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|names| names.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    let usual = [
        header::CONNECTION,
        HeaderName::from_static("keep-alive"),
        HeaderName::from_static("proxy-connection"),
        header::PROXY_AUTHORIZATION,
        header::TE,
        header::TRAILER,
        header::TRANSFER_ENCODING,
        header::UPGRADE,
        header::EXPECT,
    ];
    for name in usual.into_iter().chain(named) {
        headers.remove(name);
    }
}

/// The leader's answer as this node gives it.
fn deliver(answer: HttpResponse<reqwest::Body>) -> Response {
    let (mut parts, body) = answer.into_parts();
    remove_hop_headers(&mut parts.headers);
    Response::from_parts(parts, Body::new(body))
}

fn no_leader() -> Problem {
    Rejection::NoLeader { retry_after_s: RETRY_AFTER_S }.into()
}

/// Tells another node that this one does not lead; nobody else hears of it.
fn mark_not_led(asked: &HeaderMap, mut response: Response) -> Response {
    if asked.contains_key(FORWARDED) {
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        response.headers_mut().insert(NOT_LED, HeaderValue::from_static("1"));
    }
    response
}

/// An error with its causes, on one line.
fn story(error: &reqwest::Error) -> String {
    let (mut text, mut cause) = (error.to_string(), std::error::Error::source(error));
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn asked(headers: &[(&'static str, &'static str)]) -> (Context, HeaderMap) {
        let mut request = Request::builder().uri("/api/v1/time");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, _) = request.body(Body::empty()).unwrap().into_parts();
        let connection = Connection::Network { peer: IpAddr::from([10, 0, 0, 9]), tls: false };
        (Context::new(connection, &parts, &[], || "abc".to_owned()), parts.headers)
    }

    #[test]
    fn the_leader_hears_who_asked_and_nothing_of_the_connection() {
        let (context, mut headers) = asked(&[
            ("host", "play.example"),
            ("connection", "keep-alive, x-mine"),
            ("x-mine", "1"),
            ("transfer-encoding", "chunked"),
            ("x-forwarded-for", "198.51.100.7"),
            ("cookie", "a=b"),
        ]);
        vouch(&context, &mut headers).unwrap();
        let mut left: Vec<_> =
            headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
        left.sort_unstable();
        let expected = [
            ("cookie", "a=b"),
            ("host", "play.example"),
            ("windfall-forwarded", "1"),
            ("x-forwarded-for", "198.51.100.7, 10.0.0.9"),
            ("x-forwarded-proto", "http"),
            ("x-request-id", "abc"),
        ];
        assert_eq!(left, expected);
    }

    #[tokio::test]
    async fn a_short_body_can_be_sent_again_and_a_long_one_once() {
        for (bytes, again) in [(0, true), (KEPT_BODY_MAX, true), (KEPT_BODY_MAX + 1, false)] {
            let mut body = keep(Body::from(vec![b'a'; usize::try_from(bytes).unwrap()])).await.unwrap();
            assert!(body.can_be_sent());
            drop(body.next());
            assert_eq!(body.can_be_sent(), again, "{bytes}");
        }
    }

    #[test]
    fn only_another_node_hears_that_this_one_does_not_lead() {
        for (headers, marked) in [(&[][..], false), (&[("windfall-forwarded", "1")][..], true)] {
            let (_, headers) = asked(headers);
            let response = mark_not_led(&headers, no_leader().into_response());
            assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
            assert_eq!(response.headers().contains_key(NOT_LED), marked);
        }
    }
}
