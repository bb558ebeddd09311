//! My check-ins.

use axum::Json;
use axum::extract::State;
use domain::community::Milestone;
use engine::community::check_ins as flow;
use engine::community::check_ins::CheckInCalendar;
use serde::{Deserialize, Serialize};
use store::model::CheckedDay;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::auth::Player;
use crate::body::{Body, NoBody};
use crate::problem::Problem;
use crate::routes::Query;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct CheckInQuery {
    /// Such as `2026-11`; the current month without it.
    #[serde(default)]
    pub month: Option<String>,
}

/// A month of check-ins, and what counts today.
#[derive(Serialize, ToSchema)]
pub struct CheckInBody {
    /// The day in the site's time zone.
    #[schema(example = "2026-11-18")]
    pub today: String,
    pub checked_in: bool,
    /// Whether this request checked in; false if it was done before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<bool>,
    /// Consecutive days up to today, or up to yesterday until I check in.
    pub streak: u32,
    #[schema(example = "2026-11")]
    pub month: String,
    /// Of that month, in order.
    pub days: Vec<CheckedDayBody>,
    /// The first day that counts: that of signing up.
    pub since: String,
    pub make_up: MakeUpBody,
    /// By rising days.
    pub milestones: Vec<MilestoneBody>,
}

#[derive(Serialize, ToSchema)]
pub struct CheckedDayBody {
    #[schema(example = "2026-11-18")]
    pub day: String,
    /// It was missed, and made up later.
    pub made_up: bool,
}

/// What it takes to make up for a missed day.
#[derive(Serialize, ToSchema)]
pub struct MakeUpBody {
    /// The price of one day.
    pub points: i64,
    /// Days that can still be made up this month.
    pub left: u32,
    /// The missed days that can be made up now, oldest first.
    #[schema(example = json!(["2026-11-17"]))]
    pub days: Vec<String>,
}

/// A streak that is rewarded, once per account.
#[derive(Serialize, ToSchema)]
pub struct MilestoneBody {
    pub days: u32,
    pub points: i64,
    pub reached: bool,
}

impl CheckInBody {
    fn of(calendar: &CheckInCalendar, new: Option<bool>) -> Self {
        let milestone = |Milestone { days, points }: &Milestone| MilestoneBody {
            days: *days,
            points: *points,
            reached: calendar.reached.contains(days),
        };
        let checked = |CheckedDay { day, made_up }: &CheckedDay| CheckedDayBody {
            day: day.to_string(),
            made_up: *made_up,
        };
        Self {
            today: calendar.today.to_string(),
            checked_in: calendar.checked_in,
            new,
            streak: calendar.streak,
            month: calendar.month.to_string(),
            days: calendar.days.iter().map(checked).collect(),
            since: calendar.since.to_string(),
            make_up: MakeUpBody {
                points: calendar.terms.make_up_points,
                left: calendar.make_ups_left,
                days: calendar.to_make_up.iter().map(ToString::to_string).collect(),
            },
            milestones: calendar.terms.milestones.iter().map(milestone).collect(),
        }
    }
}

/// My check-ins of a month
#[utoipa::path(get, path = "/me/check-in", tag = "me",
    params(CheckInQuery), responses((status = 200, body = CheckInBody)))]
pub async fn my_check_ins(
    State(app): State<App>,
    Player(user): Player,
    Query(query): Query<CheckInQuery>,
) -> Result<Json<CheckInBody>, Problem> {
    let calendar = flow::check_in_calendar(&app.world, user, query.month.as_deref()).await?;
    Ok(Json(CheckInBody::of(&calendar, None)))
}

/// Check in for today
///
/// Once a day of the site's time zone. Again is the same.
#[utoipa::path(post, path = "/me/check-in", tag = "me", responses((status = 200, body = CheckInBody)))]
pub async fn check_in(
    State(app): State<App>,
    Player(user): Player,
    _: NoBody,
) -> Result<Json<CheckInBody>, Problem> {
    let (is_first, calendar) = flow::check_in(&app.world, user).await?;
    Ok(Json(CheckInBody::of(&calendar, Some(is_first))))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MakeUpRequest {
    /// A missed day.
    #[schema(example = "2026-11-17")]
    pub day: String,
}

/// Make up for a missed day
///
/// It costs points and mends the streak. Again is the same and costs nothing.
#[utoipa::path(post, path = "/me/check-in/make-up", tag = "me", responses((status = 200, body = CheckInBody)))]
pub async fn check_in_make_up(
    State(app): State<App>,
    Player(user): Player,
    body: Body<MakeUpRequest>,
) -> Result<Json<CheckInBody>, Problem> {
    let calendar = flow::check_in_make_up(&app.world, user, &body.value.day).await?;
    Ok(Json(CheckInBody::of(&calendar, None)))
}
