//! A body of lines: a CSV sheet or a plain list, as its media type says. Larger than other bodies, and read whole.

use axum::extract::{FromRequest, Request};
use domain::Rejection;
use domain::redeem::SheetKind;

use crate::app::App;
use crate::body::{media_type, whole};
use crate::problem::Problem;

/// The most bytes such a body may have, whatever the limit for other bodies is. A longer file is sent in pieces.
pub const SHEET_BYTES_MAX: usize = 4 * 1024 * 1024;

#[derive(Debug)]
pub struct SheetBody {
    pub kind: SheetKind,
    pub bytes: Vec<u8>,
}

impl FromRequest<App> for SheetBody {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let kind = match media_type(&request).to_ascii_lowercase().as_str() {
            "text/csv" => SheetKind::Csv,
            "text/plain" => SheetKind::List,
            _ => return Err(Rejection::SheetMediaType.into()),
        };
        Ok(Self { kind, bytes: whole(request, app, SHEET_BYTES_MAX).await?.into() })
    }
}
