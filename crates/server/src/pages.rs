//! The plain pages and the API page: hand-written, embedded, working without anything from outside.

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use domain::Rejection;
use domain::rejection::Subject;
use rust_embed::RustEmbed;
use utoipa::openapi::OpenApi;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::app::App;
use crate::openapi::document;
use crate::problem::Problem;

#[derive(RustEmbed)]
#[folder = "pages/"]
struct Files;

pub fn router(_: OpenApi) -> Router<App> {
    let swagger = SwaggerUi::new("/docs")
        .url("/api/v1/openapi.json", document())
        .config(Config::from("/api/v1/openapi.json").try_it_out_enabled(true).display_request_duration(true));
    Router::new()
        .route("/", get(|| file("index.html")))
        .route("/enter", get(|| file("enter.html")))
        .route("/docs/problems", get(|| async { Redirect::temporary("/api/v1/problems") }))
        .route("/assets/{name}", get(|Path(name): Path<String>| async move { file(&name).await }))
        .merge(swagger)
}

async fn file(name: &str) -> Response {
    let Some(file) = Files::get(name) else {
        return Problem::from(Rejection::NotFound { what: Subject::Page }).into_response();
    };
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")];
    (StatusCode::OK, headers, file.data.into_owned()).into_response()
}
