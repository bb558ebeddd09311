//! Trying a rule tree out: where facts lead, and why. Nothing is kept, and no draw ever takes facts from a request.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use domain::Lang;
use domain::ids::{TreeId, UserId};
use domain::tree::{EdgeReason, ExplainedStep};
use engine::trees as flow;
use engine::trees::{DryRun, TriedFacts};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::Path;
use super::form::{self, write_leaf};
use super::kept::TreeRequest;
use crate::app::App;
use crate::auth::Reader;
use crate::body::Body;
use crate::problem::Problem;
use crate::wire::{FactBody, FactsUpdateRequest, hex};

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DryRunRequest {
    /// The newest unless told.
    #[serde(default)]
    pub version: Option<u32>,
    /// Start from the facts of this user, as a draw would see them.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub user_id: Option<UserId>,
    /// Facts by name, in place of the user's or beside them; `null` is a fact that is missing.
    #[serde(default = "no_facts")]
    #[schema(value_type = BTreeMap<String, FactBody>)]
    pub facts: FactsUpdateRequest,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftRunRequest {
    pub tree: TreeRequest,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub user_id: Option<UserId>,
    #[serde(default = "no_facts")]
    #[schema(value_type = BTreeMap<String, FactBody>)]
    pub facts: FactsUpdateRequest,
}

fn no_facts() -> FactsUpdateRequest {
    FactsUpdateRequest(BTreeMap::new())
}

/// One decision on the way.
#[derive(Serialize, ToSchema)]
pub struct StepBody {
    pub node: u32,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub fact: String,
    /// The type the node expects.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// What the fact was; absent when it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<FactBody>,
    /// The place of the edge that fits, from 0; absent when the default was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<usize>,
    /// `fits`; or why it was the default: `none_fits`, `missing`, `other_type`.
    pub why: &'static str,
    /// The same as a sentence.
    pub text: &'static str,
    /// The node it leads to.
    pub to: u32,
}

impl StepBody {
    fn of(told: &ExplainedStep<'_>, lang: Lang) -> Self {
        Self {
            node: told.node.0,
            name: told.name.to_owned(),
            fact: told.fact.as_str().to_owned(),
            kind: told.kind.name(),
            value: told.value.cloned().map(FactBody::from),
            edge: (told.why == EdgeReason::Fits).then_some(told.edge),
            why: told.why.name(),
            text: told.why.text(lang),
            to: told.to.0,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct DryRunBody {
    /// The version that was tried; absent for an unsaved tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// `allow`, `deny` or `activity`.
    pub leaf: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<String>,
    /// The node of the leaf.
    pub node: u32,
    pub steps: Vec<StepBody>,
    /// The path as it is kept with a draw, in hex.
    pub path: String,
}

impl DryRunBody {
    fn of(run: &DryRun, lang: Lang) -> Self {
        let (leaf, activity) = write_leaf(run.verdict.leaf);
        let told = run.draft.explain(&run.verdict, &run.facts);
        Self {
            version: run.version,
            leaf,
            activity,
            node: run.draft.nodes.get(usize::from(run.verdict.path.end)).map_or(0, |node| node.id.0),
            steps: told.iter().map(|told| StepBody::of(told, lang)).collect(),
            path: hex(&run.verdict.path.encode()),
        }
    }
}

/// Try a rule tree out
#[utoipa::path(post, path = "/trees/{id}/dry-run", tag = "trees",
    responses((status = 200, body = DryRunBody)))]
pub async fn tree_dry_run(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<TreeId>,
    body: Body<DryRunRequest>,
) -> Result<Json<DryRunBody>, Problem> {
    let DryRunRequest { version, user_id, facts } = body.value;
    let tried = TriedFacts { user: user_id, given: facts.given() };
    let run = flow::dry_run_saved(&app.world, id, version, tried).await?;
    Ok(Json(DryRunBody::of(&run, reader.context.lang)))
}

/// Try a rule tree out before it is saved
#[utoipa::path(post, path = "/trees/dry-run", tag = "trees", responses((status = 200, body = DryRunBody)))]
pub async fn tree_dry_run_draft(
    State(app): State<App>,
    reader: Reader,
    body: Body<DraftRunRequest>,
) -> Result<Json<DryRunBody>, Problem> {
    let DraftRunRequest { tree, user_id, facts } = body.value;
    let draft = form::read(&tree.purpose, tree.root, tree.nodes)?;
    let tried = TriedFacts { user: user_id, given: facts.given() };
    let run = flow::dry_run_draft(&app.world, draft, tried).await?;
    Ok(Json(DryRunBody::of(&run, reader.context.lang)))
}
