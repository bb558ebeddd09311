//! Long answers that are written while they are sent: never more than a piece in memory, however long they are.
//!
//! The time limit of a request is for the beginning of its answer. A body goes on for as long as its reader takes pieces;
//! one that fails half-way is cut off without its end, which every client notices.

use std::borrow::Cow;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use domain::page::{PAGE_MAX, PageRequest};
use engine::{Failure, Fault, Result};
use futures::Stream;
use futures::stream::{self, StreamExt};

use crate::streams::Place;

pub(crate) const CSV: &str = "text/csv; charset=utf-8";
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";
pub(crate) const BYTES: &str = "application/octet-stream";

/// Tells spreadsheets that a table is in UTF-8.
const MARK: &str = "\u{feff}";
/// What spreadsheets take for a formula when a cell begins with it.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A file, piece by piece. Its place is held until the last one, so that nobody takes all there are.
pub(crate) fn file<P: Into<Bytes>>(
    place: Place,
    name: &str,
    kind: &'static str,
    pieces: impl Stream<Item = Result<P>> + Send + 'static,
) -> Response {
    let pieces = pieces.map(move |piece| {
        let _held = &place;
        match piece {
            Ok(piece) => Ok(piece.into()),
            Err(failure) => {
                tracing::error!(%failure, "a download was cut off");
                Err(Fault::new("a download was cut off"))
            }
        }
    });
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)];
    (headers, Body::from_stream(pieces)).into_response()
}

/// A table of all pages of a listing, each read when the one before it was taken. `page_of` answers the rows of a page, and
/// where the next one begins.
pub(crate) fn table<F, Read>(place: Place, name: &str, columns: &[&str], page_of: F) -> Response
where
    F: Fn(PageRequest) -> Read + Send + 'static,
    Read: Future<Output = Result<(Rows, Option<i64>)>> + Send + 'static,
{
    let begin = (page_of, Some(PageRequest::first(PAGE_MAX)));
    let pages = stream::try_unfold(begin, |(page_of, page)| async move {
        let Some(page) = page else { return Ok::<_, Failure>(None) };
        let (rows, next) = page_of(page).await?;
        let next = next.map(|after| PageRequest { after: Some(after), ..page });
        Ok(Some((rows.bytes(), (page_of, next))))
    });
    let head = stream::iter([Ok(Rows::headed(columns).bytes())]);
    file(place, name, CSV, head.chain(pages))
}

/// Rows of a table as text.
pub(crate) struct Rows(csv::Writer<Vec<u8>>);

impl Rows {
    pub fn new() -> Self {
        Self(csv::Writer::from_writer(Vec::new()))
    }

    /// The first rows of a table: a mark, and what the columns are called.
    pub fn headed(columns: &[&str]) -> Self {
        let mut rows = Self(csv::Writer::from_writer(MARK.as_bytes().to_vec()));
        rows.put(columns);
        rows
    }

    pub fn put<C: AsRef<str>>(&mut self, cells: &[C]) {
        // Into memory, and every row has as many cells as the first: there is nothing that could fail.
        let _ = self.0.write_record(cells.iter().map(|cell| cell_text(cell.as_ref()).into_owned()));
    }

    pub fn bytes(self) -> Vec<u8> {
        self.0.into_inner().unwrap_or_default()
    }
}

/// A text that begins like a formula gets a sign before it, so that nobody's name is carried out.
fn cell_text(text: &str) -> Cow<'_, str> {
    if text.starts_with(FORMULA) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_texts_and_never_formulas() {
        for (cell, line) in [
            ("tea", "tea\n"),
            ("", "\"\"\n"),
            ("=1+2", "'=1+2\n"),
            ("@SUM(A1)", "'@SUM(A1)\n"),
            ("-3", "'-3\n"),
            ("\t=x", "'\t=x\n"),
            ("a,b", "\"a,b\"\n"),
            ("say \"hi\"", "\"say \"\"hi\"\"\"\n"),
            ("two\nlines", "\"two\nlines\"\n"),
        ] {
            let mut rows = Rows::new();
            rows.put(&[cell]);
            assert_eq!(String::from_utf8(rows.bytes()).unwrap(), line);
        }
        assert_eq!(Rows::headed(&["a", "b"]).bytes(), "\u{feff}a,b\n".as_bytes());
    }
}
