//! API keys, as admins see them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::ids::KeyId;
use engine::access::key_admin;
use engine::access::key_admin::KeySecret;
use serde::{Deserialize, Serialize};
use store::model::KeyRow;
use utoipa::ToSchema;

use super::Path;
use crate::app::App;
use crate::auth::{Admin, AdminInPerson};
use crate::body::Body;
use crate::problem::Problem;

#[derive(Serialize, ToSchema)]
pub struct KeyBody {
    pub id: String,
    pub name: String,
    #[schema(example = json!(["play", "facts"]))]
    pub scopes: Vec<&'static str>,
    pub created_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_ms: Option<i64>,
    /// After a rotation: until when the secret before still works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_until_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_ms: Option<i64>,
    /// Who made it: it ends with them. Absent for a key of the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_by: Option<String>,
    /// The request that a second person has to approve before it works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_id: Option<String>,
}

impl From<KeyRow> for KeyBody {
    fn from(row: KeyRow) -> Self {
        Self {
            id: row.id.to_string(),
            name: row.name,
            scopes: row.scopes.names(),
            created_ms: row.created.0,
            last_used_ms: row.last_used.map(|at| at.0),
            previous_until_ms: row.previous_until.map(|at| at.0),
            revoked_ms: row.revoked.map(|at| at.0),
            made_by: row.maker.map(|maker| maker.to_string()),
            approval_id: row.waits.map(|approval| approval.to_string()),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct KeysBody {
    pub items: Vec<KeyBody>,
}

/// The secret is shown this once.
#[derive(Serialize, ToSchema)]
pub struct KeySecretBody {
    pub id: String,
    #[schema(example = "wfk_…")]
    pub secret: String,
    /// Of a key with `admin`: the request that a second person has to approve before it works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_id: Option<String>,
}

impl From<KeySecret> for KeySecretBody {
    fn from(made: KeySecret) -> Self {
        Self {
            id: made.id.to_string(),
            secret: made.secret.as_str().to_owned(),
            approval_id: made.waits.map(|approval| approval.to_string()),
        }
    }
}

/// All API keys
#[utoipa::path(get, path = "/admin/keys", tag = "admin", responses((status = 200, body = KeysBody)))]
pub async fn key_list(State(app): State<App>, _: Admin) -> Result<Json<KeysBody>, Problem> {
    let rows = key_admin::key_list(&app.world).await?;
    Ok(Json(KeysBody { items: rows.into_iter().map(KeyBody::from).collect() }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyRequest {
    pub name: String,
    /// Of `play`, `inventory`, `fulfil`, `facts`, `read`, `admin`.
    #[schema(example = json!(["play"]))]
    pub scopes: Vec<String>,
}

/// Make an API key
///
/// In person. A key counts for whoever made it and ends with them. One with `admin` is answered with 202 and works when another
/// admin has approved it.
#[utoipa::path(post, path = "/admin/keys", tag = "admin",
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 201, body = KeySecretBody), (status = 202, body = KeySecretBody)))]
pub async fn key_create(
    State(app): State<App>,
    admin: AdminInPerson,
    body: Body<KeyRequest>,
) -> Result<Response, Problem> {
    let KeyRequest { name, scopes } = body.value;
    let made = key_admin::key_create(&app.world, admin.sign(&app, ""), body.repeat, &name, &scopes).await?;
    let status = if made.waits.is_some() { StatusCode::ACCEPTED } else { StatusCode::CREATED };
    Ok((status, Json(KeySecretBody::from(made))).into_response())
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyRotationRequest {
    /// How long the secret before still works, 24 unless told, 720 at most.
    #[serde(default = "one_day")]
    pub overlap_hours: i64,
}

fn one_day() -> i64 {
    24
}

/// Give an API key a new secret
///
/// In person. Whoever has the new secret answers for the key; one with `admin` is rotated by its maker only.
#[utoipa::path(post, path = "/admin/keys/{id}/rotate", tag = "admin",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = KeySecretBody)))]
pub async fn key_rotate(
    State(app): State<App>,
    admin: AdminInPerson,
    Path(id): Path<KeyId>,
    body: Body<KeyRotationRequest>,
) -> Result<Json<KeySecretBody>, Problem> {
    let hours = body.value.overlap_hours;
    let made = key_admin::key_rotate(&app.world, admin.sign(&app, ""), body.repeat, id, hours).await?;
    Ok(Json(made.into()))
}

/// Revoke an API key at once
#[utoipa::path(delete, path = "/admin/keys/{id}", tag = "admin", responses((status = 204)))]
pub async fn key_revoke(
    State(app): State<App>,
    admin: AdminInPerson,
    Path(id): Path<KeyId>,
) -> Result<StatusCode, Problem> {
    key_admin::key_revoke(&app.world, admin.sign(&app, ""), id).await?;
    Ok(StatusCode::NO_CONTENT)
}
