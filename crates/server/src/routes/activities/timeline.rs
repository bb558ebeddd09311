//! What happened to an activity, for everybody who may look at it.

use axum::Json;
use axum::extract::State;
use domain::ids::ActivityId;
use engine::activities as flow;

use super::super::Path;
use super::super::audit::AuditBody;
use crate::app::App;
use crate::auth::Reader;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

/// What happened to an activity, newest first
///
/// Who did what, when and why: the lines of the audit log about it. Those of the clock are among them.
#[utoipa::path(get, path = "/activities/{id}/timeline", tag = "activities",
    params(PageQuery), responses((status = 200, body = PageBody<AuditBody>)))]
pub async fn activity_timeline(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<ActivityId>,
    Paged(page): Paged,
) -> Result<Json<PageBody<AuditBody>>, Problem> {
    let rows = flow::activity_timeline(&app.world, id, page).await?;
    Ok(Json(PageBody::of(rows, AuditBody::from)))
}
