//! What rules gave, for operators and for whoever was given it.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::ids::GrantId;
use domain::points::NEVER;
use engine::people::external_ids::external_ids;
use engine::points::grants as flow;
use serde::{Deserialize, Serialize};
use store::model::{GrantRow, GrantSearch, GrantedReward};
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use crate::app::App;
use crate::auth::{Operator, Player, Reader};
use crate::body::Body;
use crate::given::maybe_id;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

/// What somebody was given for something they did.
#[derive(Serialize, ToSchema)]
pub struct GrantedBody {
    #[schema(example = "117093590311632896")]
    pub id: String,
    pub rule: String,
    pub rule_name: String,
    /// The kind of what they did.
    #[schema(example = "check_in")]
    pub behaviour: String,
    /// `chances` or `points`.
    pub gives: &'static str,
    pub amount: i64,
    /// `ready` (on its way), `given`, `failed` (the activity was over before it could be given), or `reversed`.
    #[schema(example = "given")]
    pub state: &'static str,
    /// Whose chances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<String>,
    /// When the points expire.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_ms: Option<i64>,
    /// When they did it.
    pub at_ms: i64,
    /// When it was taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reversed_at_ms: Option<i64>,
    /// Points or chances that could be taken back. Of points that is all of them: what was spent is owed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_back: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl From<GrantRow> for GrantedBody {
    fn from(row: GrantRow) -> Self {
        let (activity, expires) = match row.gives {
            GrantedReward::Chances { activity, .. } => (Some(activity.to_string()), None),
            GrantedReward::Points { expires, .. } => {
                (None, Some(expires).filter(|expires| *expires != NEVER))
            }
        };
        let state = row.state();
        Self {
            id: row.id.to_string(),
            rule: row.rule.to_string(),
            rule_name: row.rule_name,
            behaviour: row.behaviour.0,
            gives: row.gives.name(),
            amount: row.gives.amount(),
            state,
            activity,
            expires_ms: expires.map(|at| at.0),
            at_ms: row.at.0,
            reversed_at_ms: row.reversed.as_ref().map(|reversed| reversed.at.0),
            taken_back: row.reversed.as_ref().map(|reversed| reversed.taken),
            reason: row.reversed.map(|reversed| reversed.reason),
        }
    }
}

/// The same for staff.
#[derive(Serialize, ToSchema)]
pub struct GrantedStaffBody {
    #[serde(flatten)]
    pub grant: GrantedBody,
    pub user_id: String,
    /// Your own id of the user, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    /// The key of what they did, among those of its kind.
    pub behaviour_id: String,
    /// The period that it counts in: a day, a month, the behaviour's key, or nothing for once.
    pub period: String,
    /// Its place there, counted from 1.
    pub n: u32,
}

impl From<GrantRow> for GrantedStaffBody {
    fn from(row: GrantRow) -> Self {
        Self {
            user_id: row.user.to_string(),
            external_id: None,
            behaviour_id: row.behaviour.1.clone(),
            period: row.period.clone(),
            n: row.n,
            grant: row.into(),
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GrantFilter {
    /// A user's id.
    user: Option<String>,
    /// A rule's id.
    rule: Option<String>,
}

impl GrantFilter {
    fn search(&self) -> Result<GrantSearch, Rejection> {
        let user = maybe_id("user", self.user.as_deref())?;
        Ok(GrantSearch { user, rule: maybe_id("rule", self.rule.as_deref())? })
    }
}

/// What rules gave, newest first
#[utoipa::path(get, path = "/grants", tag = "grants",
    params(GrantFilter, PageQuery), responses((status = 200, body = PageBody<GrantedStaffBody>)))]
pub async fn grant_list(
    State(app): State<App>,
    _: Reader,
    Paged(page): Paged,
    Query(filter): Query<GrantFilter>,
) -> Result<Json<PageBody<GrantedStaffBody>>, Problem> {
    let page = flow::grant_list(&app.world, filter.search()?, page).await?;
    let known = external_ids(&app.world, page.items.iter().map(|row| row.user)).await?;
    let named = |row: GrantRow| GrantedStaffBody { external_id: known.get(&row.user).cloned(), ..row.into() };
    Ok(Json(PageBody::of(page, named)))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantBackRequest {
    pub reason: String,
}

/// Take a grant back
///
/// Points by a new row of the statement; chances as far as they are not used: `taken_back` says how many. The same again
/// answers the same. The place in its period stays taken, and the rule's budget spent.
#[utoipa::path(post, path = "/grants/{id}/reverse", tag = "grants",
    responses((status = 200, body = GrantedStaffBody)))]
pub async fn grant_reverse(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<GrantId>,
    body: Body<GrantBackRequest>,
) -> Result<Json<GrantedStaffBody>, Problem> {
    let signed = operator.sign(&app, &body.value.reason);
    Ok(Json(flow::reverse(&app.world, signed, id).await?.into()))
}

/// What I was given for what I did, newest first
#[utoipa::path(get, path = "/me/grants", tag = "me",
    params(PageQuery), responses((status = 200, body = PageBody<GrantedBody>)))]
pub async fn my_grants(
    State(app): State<App>,
    Player(user): Player,
    Paged(page): Paged,
) -> Result<Json<PageBody<GrantedBody>>, Problem> {
    Ok(Json(PageBody::of(flow::my_grants(&app.world, user, page).await?, GrantedBody::from)))
}
