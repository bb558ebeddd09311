//! Pictures: uploaded by operators, shown to everybody.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::ids::PictureId;
use engine::sales::pictures as flow;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Path, Query};
use crate::app::App;
use crate::auth::Operator;
use crate::openapi::PREFIX;
use crate::picture_body::PictureBody;
use crate::problem::Problem;

/// What is shown under an address never changes.
const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

#[derive(Serialize, ToSchema)]
pub struct PictureResponse {
    /// Name it among the `pictures` of a sale.
    #[schema(example = "117093590311632896")]
    pub id: String,
    /// Where it is shown; `?width=320` for a smaller one.
    #[schema(example = "/api/v1/pictures/117093590311632896")]
    pub src: String,
    /// Of the largest size.
    pub width: u32,
    pub height: u32,
}

/// Where a picture is shown.
pub(crate) fn src(id: impl std::fmt::Display) -> String {
    format!("{PREFIX}/pictures/{id}")
}

/// Upload a picture
///
/// PNG, JPEG or WebP, up to 8 MiB, 8,192 pixels on a side and 24 million in all. It is kept in widths of up to 320, 640 and
/// 1,280 pixels, without anything but its pixels. The same picture again is the one there is.
#[utoipa::path(post, path = "/pictures", tag = "pictures",
    request_body(content((Vec<u8> = "image/png"), (Vec<u8> = "image/jpeg"), (Vec<u8> = "image/webp"))),
    responses((status = 201, body = PictureResponse), (status = 200, body = PictureResponse, description = "It was uploaded before")))]
pub async fn picture_upload(
    State(app): State<App>,
    operator: Operator,
    PictureBody(bytes): PictureBody,
) -> Result<Response, Problem> {
    let (row, new) = flow::picture_upload(&app.world, operator.sign(&app, ""), bytes).await?;
    let status = if new { StatusCode::CREATED } else { StatusCode::OK };
    let told =
        PictureResponse { id: row.id.to_string(), src: src(row.id), width: row.width, height: row.height };
    Ok((status, Json(told)).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PictureQuery {
    /// The pixels it is to be wide: the next size up, or the widest there is.
    width: Option<u32>,
}

/// A picture
#[utoipa::path(get, path = "/pictures/{id}", tag = "pictures",
    params(PictureQuery), responses((status = 200, content((Vec<u8> = "image/png"), (Vec<u8> = "image/jpeg")))))]
pub async fn picture(
    State(app): State<App>,
    Path(id): Path<PictureId>,
    Query(PictureQuery { width }): Query<PictureQuery>,
) -> Result<Response, Problem> {
    let size = flow::picture_look(&app.world, id, width).await?;
    let kind = HeaderValue::from_static(size.kind);
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, FOR_GOOD)], size.bytes).into_response())
}
