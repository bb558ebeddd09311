//! Pages of the community: `?limit=20&after=…`. A cursor is a place by (time, id), a place in a snapshot, or a place among what
//! was found with the number of the page.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use domain::Rejection;
use domain::community::FeedKey;
use domain::rejection::FieldProblem;
use domain::search::{FoundPage, FoundPlace, PAGES_MAX, SearchTier};
use domain::time::Timestamp;
use engine::community::snapshots::SnapshotPlace;
use store::model::{FeedPage, FeedRequest};
use utoipa::IntoParams;

use crate::app::App;
use crate::page::PageBody;
use crate::problem::Problem;

pub const FEED_DEFAULT: u32 = 20;
pub const FEED_MAX: u32 = 100;

/// The forms of a cursor, beside the one of `page.rs`.
const BY_TIME: u8 = 2;
const IN_SNAPSHOT: u8 = 3;
const AMONG_FOUND: u8 = 4;

/// Which part of a listing to answer.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)] // Read by hand below; written down for the API document.
pub struct FeedQuery {
    /// Entries per page, 20 unless told, 100 at most.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
    /// The `next` of the page before.
    pub after: Option<String>,
}

/// A page by time.
#[derive(Clone, Copy, Debug)]
pub struct FeedPaged(pub FeedRequest);

impl FromRequestParts<App> for FeedPaged {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        let (limit, after) = parse(parts.uri.query().unwrap_or(""), BY_TIME)?;
        let after = after.map(|(time, id)| FeedKey { time: Timestamp(time), id });
        Ok(Self(FeedRequest { limit, after }))
    }
}

/// A page of a snapshot.
#[derive(Clone, Copy, Debug)]
pub struct SnapshotPaged {
    pub limit: u32,
    pub after: Option<SnapshotPlace>,
}

impl FromRequestParts<App> for SnapshotPaged {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        let (limit, after) = parse(parts.uri.query().unwrap_or(""), IN_SNAPSHOT)?;
        let place = |(taken, place)| {
            let place = u32::try_from(place).map_err(|_| Rejection::CursorInvalid)?;
            Ok::<_, Rejection>(SnapshotPlace { taken: Timestamp(taken), place })
        };
        Ok(Self { limit, after: after.map(place).transpose()? })
    }
}

/// A page of what was found.
#[derive(Clone, Copy, Debug)]
pub struct FoundPaged {
    pub limit: u32,
    pub after: Option<FoundPlace>,
    /// Counted from 1.
    pub page: u32,
}

impl FromRequestParts<App> for FoundPaged {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        let (limit, after) = parse(parts.uri.query().unwrap_or(""), AMONG_FOUND)?;
        let Some((page, id)) = after else { return Ok(Self { limit, after: None, page: 1 }) };
        let (page, tier) = found_page(page).ok_or(Rejection::CursorInvalid)?;
        Ok(Self { limit, after: Some(FoundPlace { tier, id }), page: page + 1 })
    }
}

/// The number of a page that was shown, and the tier of its last entry.
fn found_page(number: i64) -> Option<(u32, SearchTier)> {
    let [page @ .., tier] = u64::try_from(number).ok()?.to_be_bytes();
    let page = u32::from_be_bytes(page.get(3..)?.try_into().ok()?);
    let is_page = (1..PAGES_MAX).contains(&page) && number >> 40 == 0;
    SearchTier::of_number(tier).filter(|_| is_page).map(|tier| (page, tier))
}

/// A page of what was found as it goes out. The last one that a search has names no next one.
pub fn found_body<T, U>(found: FoundPage<U>, page: u32, mut each: impl FnMut(U) -> T) -> PageBody<T> {
    let next = found.next.filter(|_| page < PAGES_MAX).map(|place| {
        let number = i64::from(page) << 8 | i64::from(place.tier.number());
        write_cursor(AMONG_FOUND, number, place.id)
    });
    PageBody { items: found.items.into_iter().map(|(_, item)| each(item)).collect(), next }
}

/// The limit, and the two numbers of a cursor of this form.
fn parse(query: &str, form: u8) -> Result<(u32, Option<(i64, i64)>), Rejection> {
    let (mut limit, mut after) = (FEED_DEFAULT, None);
    for pair in query.split('&') {
        match pair.split_once('=') {
            Some(("limit", text)) => {
                let out = FieldProblem::OutOfRange { min: 1, max: i64::from(FEED_MAX) };
                limit = text.parse().map_err(|_| Rejection::invalid("limit", out.clone()))?;
                if !(1..=FEED_MAX).contains(&limit) {
                    return Err(Rejection::invalid("limit", out));
                }
            }
            Some(("after", text)) => after = Some(read_cursor(text, form).ok_or(Rejection::CursorInvalid)?),
            _ => {}
        }
    }
    Ok((limit, after))
}

fn write_cursor(form: u8, one: i64, other: i64) -> String {
    let mut bytes = vec![form];
    bytes.extend_from_slice(&one.to_be_bytes());
    bytes.extend_from_slice(&other.to_be_bytes());
    BASE64.encode(bytes)
}

fn read_cursor(text: &str, form: u8) -> Option<(i64, i64)> {
    let bytes = BASE64.decode(text).ok()?;
    let (version, numbers) = bytes.split_first()?;
    let (one, other) = numbers.split_at_checked(8)?;
    let number = |bytes: &[u8]| <[u8; 8]>::try_from(bytes).ok().map(i64::from_be_bytes);
    (*version == form).then_some((number(one)?, number(other)?))
}

/// A page by time as it goes out.
pub fn feed_body<T, U>(page: FeedPage<U>, each: impl FnMut(U) -> T) -> PageBody<T> {
    let next = page.next.map(|key| write_cursor(BY_TIME, key.time.0, key.id));
    PageBody { items: page.items.into_iter().map(each).collect(), next }
}

/// A page of a snapshot as it goes out.
pub fn snapshot_body<T, U>(
    items: Vec<U>,
    next: Option<SnapshotPlace>,
    each: impl FnMut(U) -> T,
) -> PageBody<T> {
    let next = next.map(|next| write_cursor(IN_SNAPSHOT, next.taken.0, next.place.into()));
    PageBody { items: items.into_iter().map(each).collect(), next }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_are_of_their_form_or_refused() {
        for (one, other) in [(0, 0), (1_763_450_000_000, 7), (i64::MAX, i64::MIN)] {
            let text = write_cursor(BY_TIME, one, other);
            assert_eq!(read_cursor(&text, BY_TIME), Some((one, other)));
            assert_eq!(read_cursor(&text, IN_SNAPSHOT), None);
        }
        for text in ["", "AgAA", "not base64!", &format!("{}AAAA", write_cursor(BY_TIME, 1, 1))] {
            assert_eq!(read_cursor(text, BY_TIME), None, "{text}");
        }
    }

    #[test]
    fn a_place_among_what_was_found_has_a_page() {
        for (number, expected) in [
            (1 << 8, Some((1, SearchTier::Exact))),
            (49 << 8 | 2, Some((49, SearchTier::Text))),
            (50 << 8, None),
            (0, None),
            (1 << 8 | 3, None),
            (1 << 40 | 1 << 8, None),
            (-1, None),
        ] {
            assert_eq!(found_page(number), expected, "{number}");
        }
        let place = FoundPlace { tier: SearchTier::Title, id: 7 };
        let body =
            |page| found_body(FoundPage { items: vec![(place, 1)], next: Some(place) }, page, |item| item);
        let next = read_cursor(&body(1).next.unwrap(), AMONG_FOUND).unwrap();
        assert_eq!((found_page(next.0), next.1), (Some((1, SearchTier::Title)), 7));
        assert!(body(PAGES_MAX - 1).next.is_some() && body(PAGES_MAX).next.is_none());
    }

    #[test]
    fn queries() {
        let cursor = write_cursor(BY_TIME, 5, 7);
        for (query, expected) in [
            ("", Ok((20, None))),
            ("limit=100", Ok((100, None))),
            (&format!("after={cursor}&limit=1"), Ok((1, Some((5, 7))))),
            ("limit=0", Err("invalid_field")),
            ("limit=101", Err("invalid_field")),
            ("after=zzz", Err("cursor_invalid")),
        ] {
            assert_eq!(parse(query, BY_TIME).map_err(|no| no.code()), expected, "{query}");
        }
    }
}
