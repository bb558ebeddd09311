//! The server's clock, and the list of everything it may refuse.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::problem::INTERNAL;

#[derive(Serialize, ToSchema)]
pub struct TimeBody {
    /// Milliseconds since 1970: count down by this clock, not by the phone's.
    pub now_ms: i64,
    /// The site's time zone.
    #[schema(example = "Asia/Shanghai")]
    pub time_zone: String,
}

/// The server's clock
#[utoipa::path(get, path = "/time", tag = "site", responses((status = 200, body = TimeBody)))]
pub async fn time(State(app): State<App>) -> Json<TimeBody> {
    let time_zone = app.world.settings.site_zone.iana_name().unwrap_or("UTC").to_owned();
    Json(TimeBody { now_ms: app.world.now().0, time_zone })
}

#[derive(Serialize, ToSchema)]
pub struct ProblemsBody {
    /// Every `code` a problem may carry.
    pub codes: Vec<&'static str>,
}

/// Every code a problem may carry
#[utoipa::path(get, path = "/problems", tag = "site", responses((status = 200, body = ProblemsBody)))]
pub async fn problems() -> Json<ProblemsBody> {
    let codes = Rejection::CODES.iter().copied().chain([INTERNAL]).collect();
    Json(ProblemsBody { codes })
}
