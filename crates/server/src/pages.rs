//! The pages and the API page, working without anything from outside.
//!
//! Addresses that no route is for are the pages' own when a browser asks for a page: their router knows what stands
//! there. Programs are told that there is nothing, as before. The API is never answered with a page.

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use domain::Rejection;
use domain::rejection::{Lang, MissingThing};
use engine::operations::share_cards::{ShareCard, share_card};
use engine::statistics::issue_visitor;
use utoipa::openapi::OpenApi;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::app::App;
use crate::context::preferred;
use crate::cookies;
use crate::dist;
use crate::problem::Problem;
use crate::share_card::{insert_card, shared_page};

/// For the players' pages: stricter than elsewhere, since nothing in them needs a style inline.
const PLAY_POLICY: &str = "default-src 'self'; img-src 'self' data: https:; object-src 'none'; base-uri 'none'; \
     form-action 'self'; frame-ancestors 'none'";
const HTML: &str = "text/html; charset=utf-8";
/// Asked for again every time: the next version's pages must not mix with this one's.
const FRESH: &str = "no-cache";
/// How a page says that no session came with the request.
const NO_SESSION: &str = r#"data-session="no""#;

pub fn router(document: OpenApi) -> Router<App> {
    let swagger = SwaggerUi::new("/docs")
        .url("/api/v1/openapi.json", document)
        .config(Config::from("/api/v1/openapi.json").try_it_out_enabled(true).display_request_duration(true));
    Router::new()
        .route("/", get(play))
        .route("/enter", get(play))
        .route("/console", get(console))
        .route("/console/", get(console))
        .route("/console/{*rest}", get(console))
        .route("/favicon.ico", get(mark))
        .route("/docs/problems", get(|| async { Redirect::temporary("/api/v1/problems") }))
        .merge(swagger)
}

/// What no route is for: a file of the pages, an address that the pages know, or nothing.
pub async fn other(State(app): State<App>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if method != Method::GET && method != Method::HEAD {
        return nothing();
    }
    if let Some(file) = dist::file(path, &headers) {
        return file;
    }
    let card = find_card(path, &app, &headers).await;
    // What reads cards takes anything; there is a page for it where there is a card.
    if card.is_none() && !is_page(path, &headers) {
        return nothing();
    }
    page("index.html", &app, &headers, card.map(|card| (card, path)))
}

/// The card of a page that can be shared, for whoever is signed out and takes a page. A card that cannot be had is not worth
/// the page.
async fn find_card(path: &str, app: &App, headers: &HeaderMap) -> Option<ShareCard> {
    let shared = shared_page(path)?;
    if !takes_pages(headers) || cookies::session_token(headers, app.http.secure).is_some() {
        return None;
    }
    let language = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let in_english = language.is_some_and(|language| preferred(language) == Lang::En);
    share_card(&app.world, shared, in_english).await.unwrap_or_else(|failure| {
        tracing::warn!(%path, %failure, "no share card");
        None
    })
}

/// Whether a page is what the client wants, or among all that it takes.
fn takes_pages(headers: &HeaderMap) -> bool {
    let wants = headers.get(header::ACCEPT).map(|value| value.to_str().unwrap_or_default());
    wants.is_none_or(|wants| wants.contains("text/html") || wants.contains("*/*"))
}

async fn play(State(app): State<App>, headers: HeaderMap) -> Response {
    page("index.html", &app, &headers, None)
}

async fn mark(headers: HeaderMap) -> Response {
    dist::file("mark.svg", &headers).unwrap_or_else(nothing)
}

async fn console(State(app): State<App>, headers: HeaderMap) -> Response {
    page("console.html", &app, &headers, None)
}

/// Whether a browser asks for a page, by its address: no file's name, and not below the API.
fn is_page(path: &str, headers: &HeaderMap) -> bool {
    let wants = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let file_like = path.rsplit('/').next().is_some_and(|last| last.contains('.'));
    let first = path.split('/').next().unwrap_or_default();
    wants.is_some_and(|wants| wants.contains("text/html"))
        && !file_like
        && !["api", "assets", "docs"].contains(&first)
}

/// A page with its share card, told whether the browser carries a session: it then asks for the account at once, and without
/// one does not ask only to be refused.
fn page(name: &str, app: &App, headers: &HeaderMap, card: Option<(ShareCard, &str)>) -> Response {
    let is_play = name == "index.html";
    let Some(mut text) = dist::text(name) else {
        let mut response = dist::missing();
        if is_play {
            greet(app, headers, response.headers_mut());
        }
        return response;
    };
    if cookies::session_token(headers, app.http.secure).is_some() {
        text = text.replacen(NO_SESSION, r#"data-session="perhaps""#, 1);
    }
    if let Some((card, path)) = card {
        text = insert_card(&text, &card, path, app.http.public_url.as_deref());
    }
    let told: [(HeaderName, &str); 3] = [
        (header::CONTENT_TYPE, HTML),
        (header::CACHE_CONTROL, FRESH),
        (header::VARY, "cookie, accept-language"),
    ];
    let mut response = (told, text).into_response();
    if is_play {
        let policy = HeaderValue::from_static(PLAY_POLICY);
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        greet(app, headers, response.headers_mut());
    }
    response
}

/// Gives a browser that has none a visitor's cookie. Only pages do: whoever only asks the API is no visitor.
fn greet(app: &App, asked: &HeaderMap, told: &mut HeaderMap) {
    let secure = app.http.secure;
    let known = cookies::visitor(asked, secure).and_then(|cookie| app.world.statistics.key().read(cookie));
    if known.is_some() {
        return;
    }
    if let Some(cookie) = issue_visitor(&app.world) {
        told.append(header::SET_COOKIE, cookies::set_visitor(&cookie, secure));
    }
}

fn nothing() -> Response {
    Problem::from(Rejection::NotFound { what: MissingThing::Page }).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_pages_have_the_place_for_the_session() {
        for page in [include_str!("../../../web/index.html"), include_str!("../../../web/console.html")] {
            assert_eq!(page.matches(NO_SESSION).count(), 1);
        }
    }

    #[test]
    fn an_address_is_a_page_when_a_browser_asks_for_one() {
        let browser = "text/html,application/xhtml+xml,*/*;q=0.8";
        for (path, accept, expected) in [
            ("activities/77", browser, true),
            ("me/wins", browser, true),
            ("no/such", "application/json", false),
            ("no/such", "*/*", false),
            (".env", browser, false),
            ("assets/gone-1234", browser, false),
            ("robots.txt", browser, false),
            ("api", browser, false),
            ("api/v2/time", browser, false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
            assert_eq!(is_page(path, &headers), expected, "{path} {accept}");
        }
        assert!(!is_page("activities/77", &HeaderMap::new()), "who says nothing is a program");
    }
}
