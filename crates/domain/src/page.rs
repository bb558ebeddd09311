//! Pages by key, never by number: the next page starts after the last key seen, so rows that come or go
//! in between neither repeat nor vanish.

use crate::time::Timestamp;

/// The longest page anyone may ask for.
pub const PAGE_MAX: u32 = 200;
pub const PAGE_DEFAULT: u32 = 50;

/// "`limit` rows after this key", newest first unless a listing says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    pub limit: u32,
    pub after: Option<i64>,
}

impl PageRequest {
    pub fn first(limit: u32) -> Self {
        Self { limit: limit.clamp(1, PAGE_MAX), after: None }
    }

    /// How many rows a query fetches: one more than the page, to know whether there is another.
    pub fn fetch(self) -> i64 {
        i64::from(self.limit) + 1
    }

    /// The upper bound (exclusive) of a newest-first listing.
    pub fn before(self) -> i64 {
        self.after.unwrap_or(i64::MAX)
    }
}

impl Default for PageRequest {
    fn default() -> Self {
        Self::first(PAGE_DEFAULT)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// The key to continue after, when there is more.
    pub next: Option<i64>,
}

impl<T> Page<T> {
    /// Cuts what [`PageRequest::fetch`] rows brought down to the page.
    pub fn cut(mut rows: Vec<T>, request: PageRequest, key: impl Fn(&T) -> i64) -> Self {
        let limit = request.limit as usize;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = if more { rows.last().map(key) } else { None };
        Self { items: rows, next }
    }

    /// Ends a newest-first listing at a moment: nothing older is in it, nor on a later page.
    pub fn since(mut self, since: Timestamp, at: impl Fn(&T) -> Timestamp) -> Self {
        let all = self.items.len();
        self.items.retain(|item| at(item) >= since);
        if self.items.len() < all {
            self.next = None;
        }
        self
    }

    pub fn map<U>(self, each: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(each).collect(), next: self.next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_its_successor_only_when_there_is_one() {
        for (rows, limit, items, next) in [
            (vec![9, 8, 7], 2, vec![9, 8], Some(8)),
            (vec![9, 8], 2, vec![9, 8], None),
            (vec![], 2, vec![], None),
        ] {
            let page = Page::cut(rows, PageRequest::first(limit), |row| *row);
            assert_eq!((page.items, page.next), (items, next));
        }
    }

    #[test]
    fn a_listing_ends_where_its_reader_begins() {
        for (since, items, next) in
            [(0, vec![9, 8], Some(8)), (8, vec![9, 8], Some(8)), (9, vec![9], None), (10, vec![], None)]
        {
            let page = Page { items: vec![9, 8], next: Some(8) };
            let page = page.since(Timestamp(since), |at| Timestamp(*at));
            assert_eq!((page.items, page.next), (items, next), "{since}");
        }
    }

    #[test]
    fn limits_are_clamped() {
        assert_eq!(PageRequest::first(0).limit, 1);
        assert_eq!(PageRequest::first(1_000_000).limit, PAGE_MAX);
    }
}
