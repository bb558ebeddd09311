//! The audit log: who did what, with before and after.

use axum::Json;
use axum::extract::State;
use domain::ids::UserId;
use engine::access::audit_log;
use serde::{Deserialize, Serialize};
use store::model::{AuditQuery, AuditRow};
use utoipa::{IntoParams, ToSchema};

use super::Query;
use crate::app::App;
use crate::auth::Admin;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;
use crate::wire::ActorBody;

#[derive(Serialize, ToSchema)]
pub struct AuditBody {
    pub id: String,
    pub at_ms: i64,
    pub actor: ActorBody,
    #[schema(example = "user.ban")]
    pub action: String,
    #[schema(example = "user:7318349394477056")]
    pub subject: String,
    pub reason: String,
    /// What it was before; `null` where it was not there.
    #[schema(value_type = Option<Object>, required)]
    pub before: serde_json::Value,
    /// What it is now; `null` where it is gone.
    #[schema(value_type = Option<Object>, required)]
    pub after: serde_json::Value,
    pub request_id: String,
}

impl From<AuditRow> for AuditBody {
    fn from(row: AuditRow) -> Self {
        let json = |text: &str| serde_json::from_str(text).unwrap_or(serde_json::Value::Null);
        Self {
            id: row.id.to_string(),
            at_ms: row.at.0,
            actor: row.actor.into(),
            before: json(&row.before),
            after: json(&row.after),
            action: row.action,
            subject: row.subject,
            reason: row.reason,
            request_id: row.request_id,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuditFilter {
    /// The id of the person who acted.
    #[param(value_type = Option<String>)]
    actor: Option<UserId>,
    /// Such as `user.ban`.
    action: Option<String>,
    /// Such as `user:7318349394477056`.
    subject: Option<String>,
}

/// The audit log, newest first
#[utoipa::path(get, path = "/admin/audit", tag = "admin",
    params(AuditFilter, PageQuery), responses((status = 200, body = PageBody<AuditBody>)))]
pub async fn audit_list(
    State(app): State<App>,
    _: Admin,
    Paged(page): Paged,
    Query(filter): Query<AuditFilter>,
) -> Result<Json<PageBody<AuditBody>>, Problem> {
    let AuditFilter { actor, action, subject } = filter;
    let rows = audit_log::audit_list(&app.world, AuditQuery { actor, action, subject }, page).await?;
    Ok(Json(PageBody::of(rows, AuditBody::from)))
}
