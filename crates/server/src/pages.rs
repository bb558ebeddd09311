//! The plain pages and the API page: hand-written, embedded, working without anything from outside.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use domain::Rejection;
use domain::rejection::Subject;
use rust_embed::RustEmbed;
use utoipa::openapi::OpenApi;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::app::App;
use crate::cookies;
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
        .route("/", get(start))
        .route("/enter", get(async || file("enter.html")))
        .route("/favicon.ico", get(async || file("mark.svg")))
        .route("/docs/problems", get(|| async { Redirect::temporary("/api/v1/problems") }))
        .route("/assets/{name}", get(async |Path(name): Path<String>| file(&name)))
        .merge(swagger)
}

/// How the start page says that no session came with the request.
const NO_SESSION: &str = r#"data-session="no""#;

/// The start page, told whether the browser carries a session: it then asks for the account at once, and without
/// one does not ask only to be refused.
async fn start(State(app): State<App>, headers: HeaderMap) -> Response {
    let Some(page) = Files::get("index.html") else { return missing() };
    let mut text = String::from_utf8_lossy(&page.data).into_owned();
    if cookies::session_token(&headers, app.http.secure).is_some() {
        text = text.replacen(NO_SESSION, r#"data-session="perhaps""#, 1);
    }
    let headers = [(header::CONTENT_TYPE, HTML), (header::CACHE_CONTROL, FRESH), (header::VARY, "cookie")];
    (headers, text).into_response()
}

const HTML: &str = "text/html; charset=utf-8";
/// Asked for again every time: the next version's pages must not mix with this one's.
const FRESH: &str = "no-cache";

fn file(name: &str) -> Response {
    let Some(file) = Files::get(name) else { return missing() };
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => HTML,
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, FRESH)];
    (StatusCode::OK, headers, file.data.into_owned()).into_response()
}

fn missing() -> Response {
    Problem::from(Rejection::NotFound { what: Subject::Page }).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_page_has_the_place_for_the_session() {
        let page = Files::get("index.html").unwrap();
        let text = String::from_utf8_lossy(&page.data);
        assert_eq!(text.matches(NO_SESSION).count(), 1);
    }

    #[test]
    fn pages_load_only_what_is_here() {
        for page in ["index.html", "enter.html"] {
            let text = Files::get(page).unwrap();
            let text = String::from_utf8_lossy(&text.data);
            for part in text.split('"').filter_map(|part| part.strip_prefix("/assets/")) {
                assert!(Files::get(part).is_some(), "{page} asks for {part}");
            }
        }
    }
}
