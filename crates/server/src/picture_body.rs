//! A body that is a picture, read whole. What it is called only keeps out what cannot be one; its bytes are judged later.

use axum::extract::{FromRequest, Request};
use domain::Rejection;
use domain::picture::{BYTES_MAX, Format};

use crate::app::App;
use crate::body::{media_type, whole};
use crate::problem::Problem;

#[derive(Debug)]
pub struct PictureBody(pub Vec<u8>);

impl FromRequest<App> for PictureBody {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        if Format::parse(&media_type(&request).to_ascii_lowercase()).is_none() {
            return Err(Rejection::PictureMediaType.into());
        }
        Ok(Self(whole(request, app, BYTES_MAX).await?.into()))
    }
}
