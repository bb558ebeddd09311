//! The built pages' files, as `web/dist` had them when this was compiled; nothing where they had not been built. A debug
//! build reads them from the disk, so that changing a page compiles nothing.
//!
//! Scripts and styles have their hash in their name, so a browser keeps them for good. They were compressed when they
//! were built: a crowd that comes at once costs no time for it.

use std::borrow::Cow;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[cfg(not(debug_assertions))]
#[derive(RustEmbed)]
#[folder = "../../web/dist/"]
#[allow_missing = true]
struct Built;

/// What is served where nothing was built.
#[derive(RustEmbed)]
#[folder = "pages/"]
struct Plain;

/// The name says what is inside: kept for a year, as long as browsers keep anything.
const FOR_GOOD: &str = "public, max-age=31536000, immutable";
const FOR_AN_HOUR: &str = "public, max-age=3600";

/// What each file may be compressed as, the smallest first: the name of the coding, and how the file's name ends.
const CODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// The text of a page.
pub fn text(name: &str) -> Option<String> {
    built(name).map(|page| String::from_utf8_lossy(&page).into_owned())
}

#[cfg(not(debug_assertions))]
fn built(name: &str) -> Option<Cow<'static, [u8]>> {
    Built::get(name).map(|file| file.data)
}

/// Only names that lead straight down are looked up.
#[cfg(debug_assertions)]
fn built(name: &str) -> Option<Cow<'static, [u8]>> {
    use std::path::{Component, Path};

    let name = Path::new(name);
    let plain = name.components().all(|part| matches!(part, Component::Normal(_)));
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist"));
    plain.then(|| std::fs::read(folder.join(name)).ok()).flatten().map(Cow::Owned)
}

/// A file other than a page, in the smallest form that the client can read.
pub fn file(name: &str, headers: &HeaderMap) -> Option<Response> {
    let kind = kind(name)?;
    let whole = built(name).or_else(|| Plain::get(name).map(|file| file.data))?;
    let cache = if name.starts_with("assets/") { FOR_GOOD } else { FOR_AN_HOUR };
    let coded = CODINGS.iter().filter(|(coding, _)| accepts(headers, coding)).find_map(|(coding, ending)| {
        let file = built(&format!("{name}{ending}"))?;
        Some(([(header::CONTENT_ENCODING, *coding)], file).into_response())
    });
    let told =
        [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache), (header::VARY, "accept-encoding")];
    Some((told, coded.unwrap_or_else(|| whole.into_response())).into_response())
}

/// The page that says how to get the pages.
pub fn missing() -> Response {
    let Some(page) = Plain::get("missing.html") else { return StatusCode::NOT_FOUND.into_response() };
    let told = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (told, page.data).into_response()
}

/// What is served as a file, by its ending. Pages are not: they are told about the session.
fn kind(name: &str) -> Option<&'static str> {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("css") => Some("text/css; charset=utf-8"),
        Some("js") => Some("text/javascript; charset=utf-8"),
        Some("svg") => Some("image/svg+xml"),
        Some("png") => Some("image/png"),
        Some("woff2") => Some("font/woff2"),
        Some(_) | None => None,
    }
}

fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        name.trim().eq_ignore_ascii_case(coding)
            && !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coding_is_sent_only_to_those_who_read_it() {
        for (line, coding, expected) in [
            ("gzip, deflate, br", "br", true),
            ("gzip, deflate", "br", false),
            ("br;q=0, gzip", "br", false),
            ("GZIP;q=0.5", "gzip", true),
            ("identity", "gzip", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, line.parse().unwrap());
            assert_eq!(accepts(&headers, coding), expected, "{line} {coding}");
        }
    }

    #[test]
    fn everything_a_page_loads_is_here() {
        for page in ["index.html", "console.html"] {
            let Some(text) = text(page) else { continue };
            for part in text.split('"').filter_map(|part| part.strip_prefix("/assets/")) {
                let file = file(&format!("assets/{part}"), &HeaderMap::new());
                let file = file.unwrap_or_else(|| panic!("{page} asks for {part}"));
                assert_eq!(file.headers()[header::CACHE_CONTROL], FOR_GOOD, "{part}");
            }
        }
    }

    #[test]
    fn without_pages_one_says_how_to_get_them() {
        assert_eq!(missing().status(), StatusCode::OK);
        assert!(file("mark.svg", &HeaderMap::new()).is_some());
        assert!(file("missing.html", &HeaderMap::new()).is_none(), "no file but a page");
        assert!(
            file("../src/theme/theme.css", &HeaderMap::new()).is_none(),
            "nothing beside the built files"
        );
    }
}
