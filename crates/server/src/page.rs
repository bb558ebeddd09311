//! Cursor pages: `?limit=50&after=…`; the answer names the cursor of the next page.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use domain::Rejection;
use domain::page::{PAGE_DEFAULT, PAGE_MAX, Page, PageRequest};
use domain::rejection::FieldProblem;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::problem::Problem;

/// Marks the form of a cursor, so that another one can be told apart later.
const VERSION: u8 = 1;

/// Which part of a listing to answer.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)] // Read by hand below; written down for the API document.
pub struct PageQuery {
    /// Rows per page, 50 unless told, 200 at most.
    #[param(minimum = 1, maximum = 200)]
    pub limit: Option<u32>,
    /// The `next` of the page before.
    pub after: Option<String>,
}

/// The page part of a query string.
#[derive(Clone, Copy, Debug)]
pub struct Paged(pub PageRequest);

impl FromRequestParts<App> for Paged {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        Ok(Self(parse(parts.uri.query().unwrap_or(""))?))
    }
}

fn parse(query: &str) -> Result<PageRequest, Rejection> {
    let mut request = PageRequest::first(PAGE_DEFAULT);
    for pair in query.split('&') {
        match pair.split_once('=') {
            Some(("limit", text)) => {
                let out = FieldProblem::OutOfRange { min: 1, max: i64::from(PAGE_MAX) };
                let limit: u32 = text.parse().map_err(|_| Rejection::invalid("limit", out.clone()))?;
                if !(1..=PAGE_MAX).contains(&limit) {
                    return Err(Rejection::invalid("limit", out));
                }
                request.limit = limit;
            }
            Some(("after", text)) => request.after = Some(read_cursor(text).ok_or(Rejection::CursorInvalid)?),
            _ => {}
        }
    }
    Ok(request)
}

fn write_cursor(key: i64) -> String {
    let mut bytes = vec![VERSION];
    bytes.extend_from_slice(&key.to_be_bytes());
    BASE64.encode(bytes)
}

fn read_cursor(text: &str) -> Option<i64> {
    let bytes = BASE64.decode(text).ok()?;
    let (version, key) = bytes.split_first()?;
    let key = <[u8; 8]>::try_from(key).ok().map(i64::from_be_bytes)?;
    (*version == VERSION).then_some(key)
}

/// A page of a listing.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageBody<T> {
    pub items: Vec<T>,
    /// Give it as `after` to get the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl<T> PageBody<T> {
    pub fn of<U>(page: Page<U>, each: impl FnMut(U) -> T) -> Self {
        let page = page.map(each);
        Self { items: page.items, next: page.next.map(write_cursor) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_are_ours_or_refused() {
        for key in [0, 1, -1, i64::MAX, i64::MIN] {
            assert_eq!(read_cursor(&write_cursor(key)), Some(key));
        }
        for text in ["", "1", "AAAA", "not base64!", &format!("{}AA", write_cursor(5))] {
            assert_eq!(read_cursor(text), None, "{text}");
        }
    }

    #[test]
    fn queries() {
        let cursor = write_cursor(7);
        for (query, expected) in [
            ("", Ok((50, None))),
            ("limit=10", Ok((10, None))),
            (&format!("name=x&after={cursor}"), Ok((50, Some(7)))),
            ("limit=0", Err("invalid_field")),
            ("limit=201", Err("invalid_field")),
            ("limit=ten", Err("invalid_field")),
            ("after=zzz", Err("cursor_invalid")),
        ] {
            let got = parse(query).map(|page| (page.limit, page.after)).map_err(|rejection| rejection.code());
            assert_eq!(got, expected, "{query}");
        }
    }
}
