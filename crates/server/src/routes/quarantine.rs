//! After a restore: what waits for a look, and what becomes of it.

use axum::Json;
use axum::extract::State;
use domain::ids::CodePoolId;
use engine::operations::quarantine as flow;
use serde::{Deserialize, Serialize};
use store::model::{Message, QuarantineAct, QuarantineContents};
use utoipa::{IntoParams, ToSchema};

use super::codes::CodePoolBody;
use super::{Path, Query};
use crate::app::App;
use crate::auth::{Admin, Reader};
use crate::body::Body;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

#[derive(Serialize, ToSchema)]
pub struct QuarantinedLaneBody {
    /// Whose messages they are: `coupons`, `events`, `refunds`, or `hook:` and the id of a webhook.
    #[schema(example = "coupons")]
    pub lane: String,
    pub messages: u64,
    pub oldest_made_ms: i64,
    pub newest_made_ms: i64,
}

#[derive(Serialize, ToSchema)]
pub struct QuarantineBody {
    /// Messages that were not sent when the backup was made. The live installation may have sent them since.
    pub lanes: Vec<QuarantinedLaneBody>,
    /// Pools that give no code. The live installation may have given some since.
    pub code_pools: Vec<CodePoolBody>,
}

impl From<QuarantineContents> for QuarantineBody {
    fn from(found: QuarantineContents) -> Self {
        let lane = |lane: store::model::QuarantinedLane| QuarantinedLaneBody {
            lane: lane.lane,
            messages: lane.messages,
            oldest_made_ms: lane.oldest.0,
            newest_made_ms: lane.newest.0,
        };
        Self {
            lanes: found.lanes.into_iter().map(lane).collect(),
            code_pools: found.code_pools.into_iter().map(CodePoolBody::from).collect(),
        }
    }
}

/// What waits for a look after a restore
#[utoipa::path(get, path = "/admin/quarantine", tag = "admin",
    responses((status = 200, body = QuarantineBody)))]
pub async fn quarantine(State(app): State<App>, _: Reader) -> Result<Json<QuarantineBody>, Problem> {
    Ok(Json(flow::quarantine_list(&app.world).await?.into()))
}

#[derive(Serialize, ToSchema)]
pub struct QuarantinedMessageBody {
    /// What a receiver knows the delivery by.
    pub id: String,
    #[schema(example = "coupons")]
    pub lane: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    pub kind: String,
    /// What it is about: for `fulfil` and `return` a prize on its way.
    pub subject: String,
    /// Attempts that failed before the backup was made.
    pub attempts: u32,
    pub made_at_ms: i64,
}

impl From<Message> for QuarantinedMessageBody {
    fn from(message: Message) -> Self {
        Self {
            id: message.id.to_string(),
            lane: message.lane,
            user_id: message.user.map(|user| user.to_string()),
            kind: message.kind,
            subject: message.subject.to_string(),
            attempts: message.attempts,
            made_at_ms: message.made.0,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct QuarantineFilter {
    /// `coupons`, `events`, `refunds`, or `hook:` and the id of a webhook.
    lane: Option<String>,
}

/// Quarantined messages one by one, newest first
#[utoipa::path(get, path = "/admin/quarantine/messages", tag = "admin",
    params(QuarantineFilter, PageQuery), responses((status = 200, body = PageBody<QuarantinedMessageBody>)))]
pub async fn quarantined_messages(
    State(app): State<App>,
    _: Reader,
    Paged(page): Paged,
    Query(filter): Query<QuarantineFilter>,
) -> Result<Json<PageBody<QuarantinedMessageBody>>, Problem> {
    let page = flow::quarantined_messages(&app.world, filter.lane, page).await?;
    Ok(Json(PageBody::of(page, QuarantinedMessageBody::from)))
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuarantineActName {
    /// They are sent, in their order.
    Release,
    /// They become dead letters, and can be put back one by one.
    Discard,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuarantineMoveRequest {
    /// `release` or `discard`.
    pub act: QuarantineActName,
    #[schema(example = "coupons")]
    pub lane: String,
    /// Only the message with this id; without it all of the lane.
    #[serde(default)]
    pub message: Option<String>,
    /// For the audit log; not empty.
    pub reason: String,
}

#[derive(Serialize, ToSchema)]
pub struct QuarantineMovedBody {
    pub messages: u64,
}

/// Send the quarantined messages of a lane, or give them up
///
/// All of them, or one. A message that does not wait any more is left as it is, and counts for none.
#[utoipa::path(post, path = "/admin/quarantine/messages", tag = "admin",
    responses((status = 200, body = QuarantineMovedBody)))]
pub async fn quarantine_move(
    State(app): State<App>,
    admin: Admin,
    body: Body<QuarantineMoveRequest>,
) -> Result<Json<QuarantineMovedBody>, Problem> {
    let QuarantineMoveRequest { act, lane, message, reason } = body.value;
    let act = match act {
        QuarantineActName::Release => QuarantineAct::Release,
        QuarantineActName::Discard => QuarantineAct::Discard,
    };
    let signed = admin.sign(&app, &reason);
    let messages = flow::quarantine_move(&app.world, signed, lane, message.as_deref(), act).await?;
    Ok(Json(QuarantineMovedBody { messages }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CodePoolReleaseRequest {
    /// So many codes are never given: those that the live installation may have given since the backup. 0 to 50,000,000.
    #[serde(default)]
    pub skip: i64,
    /// For the audit log; not empty.
    pub reason: String,
}

/// Let a restored pool give codes again
///
/// A pool that is not in quarantine stays as it is.
#[utoipa::path(post, path = "/admin/quarantine/code-pools/{id}/release", tag = "admin",
    responses((status = 200, body = CodePoolBody)))]
pub async fn code_pool_release(
    State(app): State<App>,
    admin: Admin,
    Path(id): Path<CodePoolId>,
    body: Body<CodePoolReleaseRequest>,
) -> Result<Json<CodePoolBody>, Problem> {
    let CodePoolReleaseRequest { skip, reason } = body.value;
    let signed = admin.sign(&app, &reason);
    Ok(Json(flow::code_pool_release(&app.world, signed, id, skip).await?.into()))
}
