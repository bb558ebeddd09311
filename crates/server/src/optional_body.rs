//! A body that may be left out where there is nothing to say: no bytes stand for an empty object.

use axum::body::{Body as Bytes, HttpBody as _};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderValue, header};
use engine::flows::Repeat;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::body::Body;
use crate::problem::Problem;

/// As [`Body`], and as repeatable: a request without a body and one with `{}` are the same.
#[derive(Debug)]
pub struct OptionalBody<T> {
    pub value: T,
    pub repeat: Option<Repeat>,
}

impl<T: DeserializeOwned> FromRequest<App> for OptionalBody<T> {
    type Rejection = Problem;

    async fn from_request(mut request: Request, app: &App) -> Result<Self, Problem> {
        if request.body().is_end_stream() {
            *request.body_mut() = Bytes::from("{}");
            let json = HeaderValue::from_static("application/json");
            request.headers_mut().insert(header::CONTENT_TYPE, json);
        }
        let Body { value, repeat } = Body::from_request(request, app).await?;
        Ok(Self { value, repeat })
    }
}
