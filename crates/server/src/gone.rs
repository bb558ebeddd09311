//! What is gone is told at the edge, before anybody is asked who they are.
//!
//! A crowd that comes too late is the largest there is, and each of them hears the same. So an attempt at a sale of which it
//! is known here that nothing is left is answered at once: no session is looked up, no allowance counted, no body parsed,
//! and the answer is bytes that are there already, but for the request's own id. What is told is public, as `GET /sales/{id}`
//! is, and nothing is done for anybody: there is nothing to protect. Counting an answer would cost more than the answer.
//!
//! An attempt under an `Idempotency-Key` may be the repetition of one that went well, and whoever made it hears that. So it is
//! answered here only where memory is certain that it is none: whose it is comes from a session, or from a key
//! and the user it acts for, that are in memory, that
//! nothing was made under the key from what is remembered, and that they never had an order of this sale from what is kept
//! of its buyers ([`engine::sales::attempts::is_first`]).
//!
//! Deliberately absent: every doubt. What is not known for certain goes the usual way, which also looks at the ledger.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use domain::Lang;
use domain::ids::ActivityId;
use engine::activity_cache::PublishedActivity;
use engine::sales::attempts::is_first;
use engine::sales::gate::sold_out_rejection;

use crate::app::App;
use crate::auth::acting_in_memory;
use crate::body::idempotency_key;
use crate::context::Context;
use crate::cookies;
use crate::problem::{PROBLEM, ProblemBody, content_language, status};

/// The route that this is about, as metrics know it.
pub(crate) const ATTEMPTS: &str = "/api/v1/sales/{id}/attempts";
/// What they hear, as metrics know it.
pub(crate) const SOLD_OUT: &str = "sold_out";
const BEFORE_ID: &str = "/api/v1/sales/";
const AFTER_ID: &str = "/attempts";
/// An attempt is short; what is longer is read, and refused, the usual way.
pub(crate) const BODY_MAX: usize = 4 * 1024;
/// Sales whose answers are kept ready; beyond it all are let go of and written anew.
const READY_MAX: usize = 1_000;

/// Answers that are ready to be sent.
#[derive(Debug, Default)]
pub(crate) struct Gone(RwLock<HashMap<ActivityId, Arc<Ready>>>);

/// What is told of one version of a sale.
#[derive(Debug)]
struct Ready {
    live: Arc<PublishedActivity>,
    status: StatusCode,
    en: Vec<u8>,
    zh: Vec<u8>,
}

/// What a request is an attempt at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attempted<'a> {
    pub sale: ActivityId,
    pub key: Option<&'a str>,
}

/// The attempt that a request is, if it can be answered here.
pub(crate) fn attempted(parts: &Parts) -> Option<Attempted<'_>> {
    let id = parts.uri.path().strip_prefix(BEFORE_ID)?.strip_suffix(AFTER_ID)?;
    if parts.method != Method::POST || parts.uri.query().is_some() {
        return None;
    }
    let length = parts.headers.get(header::CONTENT_LENGTH)?.to_str().ok()?;
    length.parse().ok().filter(|bytes: &usize| *bytes <= BODY_MAX)?;
    // A key that is wrong is refused the usual way.
    let key = idempotency_key(&parts.headers).ok()?;
    Some(Attempted { sale: id.parse().ok()?, key })
}

/// Whether it is certain that this attempt was not made before.
pub(crate) fn is_new(app: &App, parts: &Parts, attempted: Attempted<'_>) -> bool {
    let Some(key) = attempted.key else { return true };
    let owner = if parts.headers.contains_key(header::AUTHORIZATION) {
        acting_in_memory(app, &parts.headers)
    } else {
        let token = cookies::session_token(&parts.headers, app.http.secure);
        token.and_then(|token| app.world.people.sessions.owner_in_memory(&token.hash()))
    };
    owner.is_some_and(|user| is_first(&app.world, attempted.sale, user, key))
}

impl Gone {
    /// The answer to whoever tries.
    pub fn answer(&self, live: &Arc<PublishedActivity>, context: &Context) -> Response {
        let ready = self.ready(live);
        let begin = match context.lang {
            Lang::En => &ready.en,
            Lang::Zh => &ready.zh,
        };
        let mut body = Vec::with_capacity(begin.len() + context.request_id.len() + END.len());
        body.extend_from_slice(begin);
        body.extend_from_slice(context.request_id.as_bytes());
        body.extend_from_slice(END);
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = ready.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM));
        headers.insert(header::CONTENT_LANGUAGE, content_language(context.lang));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }

    fn ready(&self, live: &Arc<PublishedActivity>) -> Arc<Ready> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&live.activity).cloned();
        // Another version may be called otherwise.
        if let Some(ready) = known.filter(|ready| Arc::ptr_eq(&ready.live, live)) {
            return ready;
        }
        let ready = Arc::new(Ready::new(live));
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= READY_MAX {
            kept.clear();
        }
        kept.insert(live.activity, Arc::clone(&ready));
        ready
    }
}

/// How the JSON ends after the request's id, which is its last member.
const END: &[u8] = b"\"}";

impl Ready {
    fn new(live: &Arc<PublishedActivity>) -> Self {
        let rejection = sold_out_rejection(live);
        debug_assert_eq!(rejection.code(), SOLD_OUT);
        let begin = |lang| {
            let body = ProblemBody::in_words(&rejection, lang, String::new());
            let mut bytes = serde_json::to_vec(&body).unwrap_or_default();
            bytes.truncate(bytes.len().saturating_sub(END.len()));
            bytes
        };
        Self { live: Arc::clone(live), status: status(&rejection), en: begin(Lang::En), zh: begin(Lang::Zh) }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;
    use domain::Rejection;

    use super::*;

    #[test]
    fn only_a_plain_attempt_is_answered_here() {
        for (method, path, headers, expected) in [
            ("POST", "/api/v1/sales/77/attempts", &[("content-length", "90")][..], Some((77, None))),
            ("POST", "/api/v1/sales/77/attempts", &[("content-length", "4096")], Some((77, None))),
            ("POST", "/api/v1/sales/77/attempts", &[("content-length", "4097")], None),
            ("POST", "/api/v1/sales/77/attempts", &[("content-length", "x")], None),
            ("POST", "/api/v1/sales/77/attempts", &[], None),
            (
                "POST",
                "/api/v1/sales/77/attempts",
                &[("content-length", "9"), ("idempotency-key", "k")],
                Some((77, Some("k"))),
            ),
            (
                "POST",
                "/api/v1/sales/77/attempts",
                &[("content-length", "9"), ("idempotency-key", "a b")],
                None,
            ),
            (
                "POST",
                "/api/v1/sales/77/attempts",
                &[("content-length", "9"), ("idempotency-key", "a"), ("idempotency-key", "a")],
                None,
            ),
            ("GET", "/api/v1/sales/77/attempts", &[("content-length", "9")], None),
            ("POST", "/api/v1/sales/77/attempts?now=1", &[("content-length", "9")], None),
            ("POST", "/api/v1/sales/77/token", &[("content-length", "9")], None),
            ("POST", "/api/v1/sales/tea/attempts", &[("content-length", "9")], None),
            ("POST", "/api/v1/attempts", &[("content-length", "9")], None),
        ] {
            let mut request = Request::builder().method(method).uri(path);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let (parts, ()) = request.body(()).unwrap().into_parts();
            let found = attempted(&parts).map(|attempted| (attempted.sale.0, attempted.key));
            assert_eq!(found, expected, "{method} {path} {headers:?}");
        }
    }

    /// The bytes that are ready are those that would have been written.
    #[test]
    fn the_request_id_is_the_last_member() {
        let rejection = Rejection::SoldOut { pool: "\"tea\"".to_owned(), left: 0 };
        for lang in [Lang::En, Lang::Zh] {
            let told = |id: &str| {
                serde_json::to_string(&ProblemBody::in_words(&rejection, lang, id.to_owned())).unwrap()
            };
            let begin = told("").strip_suffix("\"}").unwrap().to_owned();
            assert_eq!(format!("{begin}0123abcd\"}}"), told("0123abcd"));
        }
    }
}
