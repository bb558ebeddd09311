//! Invitations.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use engine::community::invites as flow;
use engine::community::invites::InvitesView;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Player;
use crate::body::{Body, NoBody};
use crate::problem::Problem;
use crate::routes::Path;

/// My code, and what came of it.
#[derive(Serialize, ToSchema)]
pub struct InvitesBody {
    /// Absent until I ask for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "7KQ2MXPA")]
    pub code: Option<String>,
    /// The page to pass on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "https://play.example.com/invite/7KQ2MXPA")]
    pub link: Option<String>,
    /// People who said that I invited them.
    pub accepted: i64,
    /// Those of them who did something that counts: only these are worth something.
    pub qualified: i64,
}

impl From<InvitesView> for InvitesBody {
    fn from(InvitesView { row, link }: InvitesView) -> Self {
        Self { code: row.code, link, accepted: row.accepted, qualified: row.qualified }
    }
}

/// My invitations
#[utoipa::path(get, path = "/me/invites", tag = "me", responses((status = 200, body = InvitesBody)))]
pub async fn my_invites(State(app): State<App>, Player(user): Player) -> Result<Json<InvitesBody>, Problem> {
    Ok(Json(flow::my_invites(&app.world, user).await?.into()))
}

/// Get a code to invite with
///
/// Again is the same: everybody has one code.
#[utoipa::path(put, path = "/me/invites", tag = "me", responses((status = 200, body = InvitesBody)))]
pub async fn invite_code_make(
    State(app): State<App>,
    Player(user): Player,
    _: NoBody,
) -> Result<Json<InvitesBody>, Problem> {
    Ok(Json(flow::invite_code_make(&app.world, user).await?.into()))
}

/// Who invites with a code.
#[derive(Serialize, ToSchema)]
pub struct InviterBody {
    /// The first character of the name.
    pub name: String,
}

/// Who invites with a code
#[utoipa::path(get, path = "/invites/{code}", tag = "community", responses((status = 200, body = InviterBody)))]
pub async fn inviter(State(app): State<App>, Path(code): Path<String>) -> Result<Json<InviterBody>, Problem> {
    Ok(Json(InviterBody { name: flow::inviter(&app.world, &code).await? }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InviteAcceptRequest {
    /// Of whoever invited me.
    #[schema(example = "7KQ2MXPA")]
    pub code: String,
}

/// Say who invited me
///
/// Within 7 days of signing up, once per phone number. Again is the same.
#[utoipa::path(put, path = "/me/inviter", tag = "me", responses((status = 204)))]
pub async fn invite_accept(
    State(app): State<App>,
    Player(user): Player,
    body: Body<InviteAcceptRequest>,
) -> Result<StatusCode, Problem> {
    flow::invite_accept(&app.world, user, &body.value.code).await?;
    Ok(StatusCode::NO_CONTENT)
}
