//! A JSON body, read whole, and the request's idempotency key bound to it.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::header;
use domain::Rejection;
use domain::fingerprint::Fingerprint;
use domain::rejection::FieldProblem;
use engine::flows::Repeat;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::blame::blame;
use crate::problem::Problem;

/// `Idempotency-Key`: 1 to 200 visible characters, the caller's own.
const KEY_MAX: usize = 200;

/// The body as `T`, and what makes this request repeatable.
#[derive(Debug)]
pub struct Body<T> {
    pub value: T,
    pub repeat: Option<Repeat>,
}

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        read(request, app, app.http.body_limit_bytes).await
    }
}

/// The most bytes a batch may have, whatever the limit for other bodies is: a thousand commands of four kilobytes.
pub const BATCH_BYTES_MAX: usize = 4 * 1024 * 1024;

/// A body that carries many commands, with a limit of its own.
#[derive(Debug)]
pub struct BatchBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for BatchBody<T> {
    type Rejection = Problem;

    async fn from_request(mut request: Request, app: &App) -> Result<Self, Problem> {
        let max = BATCH_BYTES_MAX.max(app.http.body_limit_bytes);
        DefaultBodyLimit::max(max).apply(&mut request);
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
        let malformed = |error: BytesRejection| Rejection::BodyMalformed { detail: error.to_string() };
        let bytes = Bytes::from_request(request, app).await.map_err(malformed)?;
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
    if !media_type(&request).eq_ignore_ascii_case("application/json") {
        return Err(Rejection::MediaType.into());
    }
    let key = idempotency_key(&request)?;
    let place = key.is_some().then(|| format!("{} {}", request.method(), request.uri().path()));
    let bytes = whole(request, app, max_bytes).await?;
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

/// All of the body; `max_bytes` is the limit that the request was given.
pub(crate) async fn whole(request: Request, app: &App, max_bytes: usize) -> Result<Bytes, Rejection> {
    Bytes::from_request(request, app).await.map_err(|rejection| match rejection {
        BytesRejection::FailedToBufferBody(error) if error.status() == 413 => {
            Rejection::BodyTooLarge { max_bytes: max_bytes as u64 }
        }
        other => Rejection::BodyMalformed { detail: other.to_string() },
    })
}

fn idempotency_key(request: &Request) -> Result<Option<String>, Rejection> {
    let mut values = request.headers().get_all("idempotency-key").iter();
    let Some(value) = values.next() else { return Ok(None) };
    let invalid = || Rejection::invalid("Idempotency-Key", FieldProblem::Malformed);
    if values.next().is_some() {
        return Err(Rejection::invalid("Idempotency-Key", FieldProblem::Duplicate));
    }
    let text = value.to_str().map_err(|_| invalid())?;
    let fits = (1..=KEY_MAX).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic());
    if fits { Ok(Some(text.to_owned())) } else { Err(invalid()) }
}

/// Parses and says which field is to blame: unknown, missing, repeated or of the wrong type.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Rejection> {
    // Serde would take a list for an object, its values in the order of the fields.
    if bytes.trim_ascii_start().starts_with(b"[") {
        return Err(Rejection::BodyMalformed { detail: "a list where an object is expected".to_owned() });
    }
    // Keeping track of where one is costs more than parsing: only what is wrong is read again for that.
    if let Ok(value) = serde_json::from_slice(bytes) {
        return Ok(value);
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        blame(&path, &inner)
    })?;
    json.end().map_err(|error| Rejection::BodyMalformed { detail: error.to_string() })?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        #[allow(dead_code)]
        name: String,
    }

    #[test]
    fn the_field_to_blame_is_named() {
        for (text, code, field) in [
            (&br#"{"name":"a"}"#[..], None, None),
            (br#"{"name":1}"#, Some("invalid_field"), Some("name")),
            (br#"{"name":"a","nmae":1}"#, Some("invalid_field"), Some("nmae")),
            (br#"{}"#, Some("invalid_field"), Some("name")),
            (br#"{"name":"a","name":"b"}"#, Some("invalid_field"), Some("name")),
            (br#"{"name":"a"} x"#, Some("body_malformed"), None),
            (br#"["#, Some("body_malformed"), None),
            (br#" ["a"]"#, Some("body_malformed"), None),
            (b"", Some("body_malformed"), None),
            (b"{\"name\":\"\xff\"}", Some("body_malformed"), None),
        ] {
            let got = parse::<Sample>(text).err();
            assert_eq!(got.as_ref().map(Rejection::code), code, "{}", String::from_utf8_lossy(text));
            assert_eq!(got.as_ref().and_then(Rejection::field), field, "{}", String::from_utf8_lossy(text));
        }
    }
}
