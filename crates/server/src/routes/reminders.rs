//! Reminders of what has yet to start.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::ids::ActivityId;
use engine::sales::reminders as flow;
use serde::Serialize;
use store::model::ReminderRow;
use utoipa::ToSchema;

use super::Path;
use crate::app::App;
use crate::auth::Player;
use crate::body::NoBody;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

/// Something that I want to be reminded of.
#[derive(Serialize, ToSchema)]
pub struct ReminderBody {
    #[schema(example = "7318349394477056")]
    pub activity: String,
    pub name: String,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name_en: String,
    /// `instant`, `raffle` or `sale`.
    pub kind: &'static str,
    pub state: &'static str,
    pub from_ms: i64,
    pub until_ms: i64,
    pub made_at_ms: i64,
    /// Whether I was told of this start.
    pub told: bool,
}

impl From<ReminderRow> for ReminderBody {
    fn from(ReminderRow { activity, made, told }: ReminderRow) -> Self {
        Self {
            activity: activity.id.to_string(),
            name: activity.name,
            name_en: activity.name_en,
            kind: activity.kind.name(),
            state: activity.life.state.name(),
            from_ms: activity.window.from.0,
            until_ms: activity.window.until.0,
            made_at_ms: made.0,
            told,
        }
    }
}

/// Remind me before it starts
///
/// Told once, a few minutes before, as the event `reminder.due`. Again is the same.
#[utoipa::path(put, path = "/activities/{id}/reminder", tag = "me", responses((status = 204)))]
pub async fn reminder_set(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<ActivityId>,
    _: NoBody,
) -> Result<StatusCode, Problem> {
    flow::reminder_set(&app.world, user, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Do not remind me
#[utoipa::path(delete, path = "/activities/{id}/reminder", tag = "me", responses((status = 204)))]
pub async fn reminder_drop(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<ActivityId>,
) -> Result<StatusCode, Problem> {
    flow::reminder_drop(&app.world, user, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What I want to be reminded of, newest first
#[utoipa::path(get, path = "/me/reminders", tag = "me",
    params(PageQuery), responses((status = 200, body = PageBody<ReminderBody>)))]
pub async fn my_reminders(
    State(app): State<App>,
    Player(user): Player,
    Paged(page): Paged,
) -> Result<Json<PageBody<ReminderBody>>, Problem> {
    Ok(Json(PageBody::of(flow::my_reminders(&app.world, user, page).await?, ReminderBody::from)))
}
