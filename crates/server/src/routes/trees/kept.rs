//! Rule trees as they are kept. A version that was saved never changes; saving makes the next one.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::ids::TreeId;
use engine::trees as flow;
use engine::trees::GivenTree;
use serde::{Deserialize, Serialize};
use store::model::{TreeRow, TreeUse, TreeVersion};
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use super::form::{self, NodeBody};
use crate::app::App;
use crate::auth::{Operator, Reader};
use crate::body::Body;
use crate::openapi::PREFIX;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;
use crate::wire::{ActorBody, hex};

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeRequest {
    /// 1 to 80 characters.
    #[serde(default)]
    pub name: String,
    /// `admission`: who may take part; leaves allow or deny. `routing`: who gets which activity; leaves name one or deny.
    #[schema(example = "admission")]
    pub purpose: String,
    /// The id of the node where it begins.
    pub root: u32,
    /// At most 1,024, with at most 32 edges from the root to a leaf.
    pub nodes: Vec<NodeBody>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeUpdateRequest {
    /// The version it is written on top of: the newest one you have seen.
    pub version: u32,
    pub name: String,
    /// A tree keeps its purpose.
    pub purpose: String,
    pub root: u32,
    pub nodes: Vec<NodeBody>,
}

#[derive(Serialize, ToSchema)]
pub struct TreeBody {
    pub id: String,
    pub version: u32,
    /// The version that is the newest now.
    pub newest: u32,
    pub name: String,
    pub purpose: &'static str,
    /// SHA-256 of the tree's bytes, in hex: what is published with an activity.
    pub hash: String,
    pub saved_by: ActorBody,
    pub saved_at_ms: i64,
    pub root: u32,
    pub nodes: Vec<NodeBody>,
}

impl From<TreeVersion> for TreeBody {
    fn from(found: TreeVersion) -> Self {
        let (root, nodes) = form::write(&found.draft);
        Self {
            id: found.tree.to_string(),
            version: found.version,
            newest: found.newest,
            name: found.name,
            purpose: found.draft.purpose.name(),
            hash: hex(&found.hash.0),
            saved_by: found.saved_by.into(),
            saved_at_ms: found.saved_at.0,
            root,
            nodes,
        }
    }
}

/// A tree without its nodes.
#[derive(Serialize, ToSchema)]
pub struct TreeEntry {
    pub id: String,
    pub name: String,
    pub purpose: &'static str,
    pub newest: u32,
    pub created_by: ActorBody,
    pub created_at_ms: i64,
    pub changed_at_ms: i64,
}

impl From<TreeRow> for TreeEntry {
    fn from(row: TreeRow) -> Self {
        Self {
            id: row.id.to_string(),
            name: row.name,
            purpose: row.purpose.name(),
            newest: row.newest,
            created_by: row.created_by.into(),
            created_at_ms: row.created_at.0,
            changed_at_ms: row.changed_at.0,
        }
    }
}

/// Make a rule tree
///
/// Everything that is wrong with it is told at once.
#[utoipa::path(post, path = "/trees", tag = "trees",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 201, body = TreeBody)))]
pub async fn tree_create(
    State(app): State<App>,
    operator: Operator,
    body: Body<TreeRequest>,
) -> Result<Response, Problem> {
    let TreeRequest { name, purpose, root, nodes } = body.value;
    let given = GivenTree { name, draft: form::read(&purpose, root, nodes)? };
    let made = flow::tree_create(&app.world, operator.sign(&app, ""), body.repeat, given).await?;
    let place = format!("{PREFIX}/trees/{}", made.tree);
    Ok((StatusCode::CREATED, [(header::LOCATION, place)], Json(TreeBody::from(made))).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TreeSearch {
    /// Part of a name, in upper or lower case.
    name: Option<String>,
    /// `admission` or `routing`.
    purpose: Option<String>,
}

/// Rule trees, newest first
#[utoipa::path(get, path = "/trees", tag = "trees",
    params(TreeSearch, PageQuery), responses((status = 200, body = PageBody<TreeEntry>)))]
pub async fn tree_list(
    State(app): State<App>,
    _: Reader,
    Paged(page): Paged,
    Query(search): Query<TreeSearch>,
) -> Result<Json<PageBody<TreeEntry>>, Problem> {
    let (name, purpose) = (search.name.as_deref(), search.purpose.as_deref());
    let found = flow::tree_list(&app.world, name, purpose, page).await?;
    Ok(Json(PageBody::of(found, TreeEntry::from)))
}

/// The newest version of a rule tree
#[utoipa::path(get, path = "/trees/{id}", tag = "trees", responses((status = 200, body = TreeBody)))]
pub async fn tree(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<TreeId>,
) -> Result<Json<TreeBody>, Problem> {
    Ok(Json(flow::tree_find(&app.world, id, None).await?.into()))
}

/// A version of an activity that asks a tree who may take part.
#[derive(Serialize, ToSchema)]
pub struct TreeUseBody {
    pub activity: String,
    /// What the version calls it.
    pub name: String,
    pub version: u32,
    /// Whether it is the version in place; otherwise it is in the making.
    pub live: bool,
    /// Of the tree; absent before the version is submitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree_version: Option<u32>,
}

impl From<TreeUse> for TreeUseBody {
    fn from(TreeUse { activity, name, version, live, tree_version }: TreeUse) -> Self {
        Self { activity: activity.to_string(), name, version, live, tree_version }
    }
}

#[derive(Serialize, ToSchema)]
pub struct TreeUsesBody {
    pub items: Vec<TreeUseBody>,
}

/// Who asks a rule tree
///
/// Versions in place and in the making, newest activities first, 200 at most.
#[utoipa::path(get, path = "/trees/{id}/uses", tag = "trees", responses((status = 200, body = TreeUsesBody)))]
pub async fn tree_uses(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<TreeId>,
) -> Result<Json<TreeUsesBody>, Problem> {
    let uses = flow::tree_uses(&app.world, id).await?;
    Ok(Json(TreeUsesBody { items: uses.into_iter().map(TreeUseBody::from).collect() }))
}

/// Save the next version
///
/// `version` is the newest you have seen. What it says already is not saved again, so that this may be repeated; under an
/// `Idempotency-Key` a repetition is answered with the version it saved, also when there are newer ones.
#[utoipa::path(put, path = "/trees/{id}", tag = "trees",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = TreeBody)))]
pub async fn tree_save(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<TreeId>,
    body: Body<TreeUpdateRequest>,
) -> Result<Json<TreeBody>, Problem> {
    let TreeUpdateRequest { version, name, purpose, root, nodes } = body.value;
    let given = GivenTree { name, draft: form::read(&purpose, root, nodes)? };
    let signed = operator.sign(&app, "");
    Ok(Json(flow::tree_save(&app.world, signed, body.repeat, (id, version), given).await?.into()))
}

/// A version of a rule tree
#[utoipa::path(get, path = "/trees/{id}/versions/{version}", tag = "trees",
    params(("id" = String, Path), ("version" = u32, Path)), responses((status = 200, body = TreeBody)))]
pub async fn tree_version(
    State(app): State<App>,
    _: Reader,
    Path((id, version)): Path<(TreeId, u32)>,
) -> Result<Json<TreeBody>, Problem> {
    Ok(Json(flow::tree_find(&app.world, id, Some(version)).await?.into()))
}
