//! A JSON body, read whole, and the request's idempotency key bound to it.

use axum::body::{Bytes, HttpBody as _};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use domain::Rejection;
use domain::fingerprint::Fingerprint;
use domain::rejection::FieldProblem;
use engine::caller::Repeat;
use http_body_util::BodyExt as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::auth::Identity;
use crate::json::parse;
use crate::problem::Problem;
use crate::timed_body::BodyLate;

/// `Idempotency-Key`: 1 to 200 visible characters, the caller's own.
pub(crate) const KEY_MAX: usize = 200;

/// What a request without a body says: the same as one with an empty object, on every route. Where something is needed, the
/// field that is missing is named.
const EMPTY: &[u8] = b"{}";

/// The body as `T`, and what makes this request repeatable.
#[derive(Debug)]
pub struct Body<T> {
    pub value: T,
    pub repeat: Option<Repeat>,
}

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let max = body_max(&request, app);
        read(request, app, max).await
    }
}

/// What strangers, payment providers and players send is short, and there is no reason to gather a megabyte of any of them.
pub const SHORT_BYTES_MAX: usize = 16 * 1024;

/// The most bytes that a body of this caller may have.
fn body_max(request: &Request, app: &App) -> usize {
    let max = app.http.body_limit_bytes;
    let long = request.extensions().get::<Identity>().is_some_and(Identity::may_send_long_bodies);
    if long { max } else { max.min(SHORT_BYTES_MAX) }
}

/// The bytes of a short body that anybody may send.
#[derive(Debug)]
pub struct SmallBody(pub Bytes);

impl FromRequest<App> for SmallBody {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        Ok(Self(whole(request, app, SHORT_BYTES_MAX).await?))
    }
}

/// The most bytes of what somebody writes, whatever the limit for other bodies is: twenty thousand characters, each escaped.
pub const TEXT_BYTES_MAX: usize = 256 * 1024;

/// A body with a long text in it, which any player may send.
#[derive(Debug)]
pub struct TextBody<T> {
    pub value: T,
    pub repeat: Option<Repeat>,
}

impl<T: DeserializeOwned> FromRequest<App> for TextBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let Body { value, repeat } = read(request, app, TEXT_BYTES_MAX).await?;
        Ok(Self { value, repeat })
    }
}

/// The most bytes a batch may have, whatever the limit for other bodies is: a thousand commands of four kilobytes.
pub const BATCH_BYTES_MAX: usize = 4 * 1024 * 1024;

/// A body that carries many commands, with a limit of its own.
#[derive(Debug)]
pub struct BatchBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for BatchBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let max = BATCH_BYTES_MAX.max(app.http.body_limit_bytes);
        Ok(Self(read(request, app, max).await?.value))
    }
}

/// For a step that is all in its address: no body, or an empty object. Anything else was meant for another step.
#[derive(Debug)]
pub struct NoBody;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

impl FromRequest<App> for NoBody {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let max = body_max(&request, app);
        let bytes = whole(request, app, max).await?;
        if !bytes.is_empty() {
            let Nothing {} = parse(&bytes)?;
        }
        Ok(Self)
    }
}

async fn read<T: DeserializeOwned>(
    request: Request,
    app: &App,
    max_bytes: usize,
) -> Result<Body<T>, Problem> {
    let is_empty = request.body().is_end_stream();
    if !is_empty && !media_type(&request).eq_ignore_ascii_case("application/json") {
        return Err(Rejection::MediaType.into());
    }
    let key = idempotency_key(request.headers())?.map(str::to_owned);
    let place = key.is_some().then(|| format!("{} {}", request.method(), request.uri().path()));
    let mut bytes = whole(request, app, max_bytes).await?;
    if bytes.is_empty() {
        bytes = Bytes::from_static(EMPTY);
    }
    let value = parse(&bytes)?;
    let repeat = key
        .zip(place)
        .map(|(key, place)| Repeat { key, fingerprint: Fingerprint::of(&[place.as_bytes(), &bytes]) });
    Ok(Body { value, repeat })
}

/// What the body is said to be, without its parameters.
pub(crate) fn media_type(request: &Request) -> &str {
    let said = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    said.and_then(|said| said.split(';').next()).unwrap_or_default().trim()
}

/// All of the body, unless it has more than `max_bytes`.
///
/// Its first bytes cost nothing; from [`SHORT_BYTES_MAX`] on it takes room that all long bodies share.
pub(crate) async fn whole(request: Request, app: &App, max_bytes: usize) -> Result<Bytes, Rejection> {
    let too_large = || Rejection::BodyTooLarge { max_bytes: max_bytes as u64 };
    let (parts, mut body) = request.into_parts();
    let announced = body.size_hint().lower();
    if announced > max_bytes as u64 {
        return Err(too_large());
    }
    let mut place = app.body_room.enter(parts.extensions.get::<Identity>());
    let mut bytes = Bytes::new();
    let mut gathered = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            if BodyLate::caused(&error) {
                Rejection::TimedOut
            } else {
                Rejection::BodyMalformed { detail: error.to_string() }
            }
        })?;
        let Ok(piece) = frame.into_data() else { continue };
        let so_far = bytes.len() + gathered.len() + piece.len();
        if so_far > max_bytes {
            return Err(too_large());
        }
        place.grow_to(so_far.saturating_sub(SHORT_BYTES_MAX))?;
        // Most bodies come in one piece, which is used as it is.
        if bytes.is_empty() && gathered.is_empty() {
            bytes = piece;
        } else {
            gathered.extend_from_slice(&std::mem::take(&mut bytes));
            gathered.extend_from_slice(&piece);
        }
    }
    Ok(if gathered.is_empty() { bytes } else { gathered.into() })
}

pub(crate) fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, Rejection> {
    let mut values = headers.get_all("idempotency-key").iter();
    let Some(value) = values.next() else { return Ok(None) };
    let invalid = || Rejection::invalid("Idempotency-Key", FieldProblem::Malformed);
    if values.next().is_some() {
        return Err(Rejection::invalid("Idempotency-Key", FieldProblem::Duplicate));
    }
    let text = value.to_str().map_err(|_| invalid())?;
    let fits = (1..=KEY_MAX).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic());
    if fits { Ok(Some(text)) } else { Err(invalid()) }
}
