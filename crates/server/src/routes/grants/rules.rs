//! Rules that say what a behaviour is worth.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use domain::grants::{BehaviourKind, GrantKind, Period, RuleChange, RuleDraft};
use domain::ids::GrantRuleId;
use domain::points::Expiry;
use domain::rejection::FieldProblem;
use engine::points::grants as flow;
use serde::{Deserialize, Serialize};
use store::model::GrantRuleRow;
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use crate::app::App;
use crate::auth::{Operator, Reader};
use crate::body::Body;
use crate::forms::Moment;
use crate::given::{FOR_CHANCES, id, maybe_id, moment};
use crate::page::{PageBody, PageQuery, Paged};
use crate::present::present;
use crate::problem::Problem;

#[derive(Serialize, ToSchema)]
pub struct GrantRuleBody {
    pub id: String,
    pub name: String,
    /// The activity it belongs to; absent for the whole site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub campaign: Option<String>,
    #[schema(example = "check_in")]
    pub behaviour: String,
    /// `chances` or `points`.
    pub gives: &'static str,
    /// Whose chances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<String>,
    /// When points expire, if not as the site says: `never`, `days = 30`, `years = 1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<String>,
    /// Points or chances of one grant.
    pub amount: i64,
    /// `once`, `day`, `month` or `each`.
    pub period: &'static str,
    pub zone: String,
    /// Grants of one user in one period.
    pub times: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cap_user: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cap_total: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<i64>,
    pub on: bool,
    /// Name it when you change the rule.
    pub edition: u32,
    pub made_at_ms: i64,
    /// Points or chances so far, reversed ones among them.
    pub given: i64,
    /// The request that a second person has to approve before it gives anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_id: Option<String>,
}

impl GrantRuleBody {
    /// 202 while it waits for a second person.
    fn status(&self, done: StatusCode) -> StatusCode {
        if self.approval_id.is_some() { StatusCode::ACCEPTED } else { done }
    }
}

impl From<GrantRuleRow> for GrantRuleBody {
    fn from(row: GrantRuleRow) -> Self {
        let terms = row.terms;
        let (activity, expiry) = match terms.gives {
            GrantKind::Chances { activity } => (Some(activity.to_string()), None),
            GrantKind::Points { expiry } => (None, expiry.map(|expiry| expiry.to_string())),
        };
        Self {
            id: row.id.to_string(),
            name: terms.name,
            campaign: terms.campaign.map(|id| id.to_string()),
            behaviour: terms.behaviour.as_str().to_owned(),
            gives: terms.gives.name(),
            activity,
            expiry,
            amount: terms.amount,
            period: terms.period.name(),
            zone: terms.zone,
            times: terms.times,
            cap_user: terms.cap_user,
            cap_total: terms.cap_total,
            from_ms: terms.from.map(|at| at.0),
            until_ms: terms.until.map(|at| at.0),
            on: terms.on,
            edition: row.edition,
            made_at_ms: row.made.0,
            given: row.given,
            approval_id: row.waits.map(|approval| approval.to_string()),
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantRuleRequest {
    pub name: String,
    /// An activity's id; left out for the whole site.
    #[serde(default)]
    pub campaign: Option<String>,
    /// A name such as `check_in`, `invite`, `task:first_post`.
    #[schema(example = "check_in")]
    pub behaviour: String,
    /// `chances` or `points`.
    pub gives: String,
    /// Whose chances: an activity's id.
    #[serde(default)]
    pub activity: Option<String>,
    /// Of points: `never`, `days = 30`, `years = 1`; left out, as the site says.
    #[serde(default)]
    pub expiry: Option<String>,
    /// Points of one grant, or chances (100 at most).
    pub amount: i64,
    /// `once`, `day`, `month`, or `each` behaviour.
    pub period: String,
    /// The time zone of its days and months; left out, the site's.
    #[serde(default)]
    #[schema(example = "Asia/Shanghai")]
    pub zone: Option<String>,
    /// Grants of one user in one period; left out, 1.
    #[serde(default = "one")]
    pub times: i64,
    /// Points or chances in all, to one user and to everybody; left out, no limit.
    #[serde(default)]
    pub cap_user: Option<i64>,
    #[serde(default)]
    pub cap_total: Option<i64>,
    #[serde(default)]
    pub from: Option<Moment>,
    #[serde(default)]
    pub until: Option<Moment>,
    /// Left out, it is on.
    #[serde(default = "yes")]
    pub on: bool,
}

fn one() -> i64 {
    1
}

fn yes() -> bool {
    true
}

impl GrantRuleRequest {
    fn draft(self, site_zone: &str) -> Result<RuleDraft, Rejection> {
        let gives = match (self.gives.as_str(), self.activity.as_deref(), self.expiry.as_deref()) {
            ("chances", Some(activity), None) => GrantKind::Chances { activity: id("activity", activity)? },
            ("chances", None, _) => return Err(Rejection::invalid("activity", FieldProblem::Missing)),
            ("points", None, expiry) => {
                let malformed = |_| Rejection::invalid("expiry", FieldProblem::Malformed);
                GrantKind::Points {
                    expiry: expiry.map(|text| text.parse::<Expiry>().map_err(malformed)).transpose()?,
                }
            }
            ("points", Some(_), _) => return Err(Rejection::invalid("activity", FOR_CHANCES)),
            ("chances", Some(_), Some(_)) => {
                let problem = FieldProblem::Misplaced { en: "is for points", zh: "仅用于积分" };
                return Err(Rejection::invalid("expiry", problem));
            }
            _ => {
                let problem = FieldProblem::NotOneOf { allowed: "chances, points" };
                return Err(Rejection::invalid("gives", problem));
            }
        };
        let periods = FieldProblem::NotOneOf { allowed: Period::NAMES };
        Ok(RuleDraft {
            name: self.name,
            campaign: maybe_id("campaign", self.campaign.as_deref())?,
            behaviour: self.behaviour,
            gives,
            amount: self.amount,
            period: Period::parse(&self.period).ok_or_else(|| Rejection::invalid("period", periods))?,
            zone: self.zone.unwrap_or_else(|| site_zone.to_owned()),
            times: self.times,
            cap_user: self.cap_user,
            cap_total: self.cap_total,
            from: self.from.map(Into::into),
            until: self.until.map(Into::into),
            on: self.on,
        })
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GrantRuleFilter {
    behaviour: Option<String>,
}

/// Grant rules, newest first
#[utoipa::path(get, path = "/grant-rules", tag = "grants",
    params(GrantRuleFilter, PageQuery), responses((status = 200, body = PageBody<GrantRuleBody>)))]
pub async fn grant_rule_list(
    State(app): State<App>,
    _: Reader,
    Paged(page): Paged,
    Query(filter): Query<GrantRuleFilter>,
) -> Result<Json<PageBody<GrantRuleBody>>, Problem> {
    let kind = filter.behaviour.as_deref().map(|text| BehaviourKind::parse("behaviour", text)).transpose()?;
    let kind = kind.map(|kind| kind.as_str().to_owned());
    let page = flow::rule_list(&app.world, kind, page).await?;
    Ok(Json(PageBody::of(page, GrantRuleBody::from)))
}

/// Make a grant rule
///
/// One that can give more in all (`cap_total`; without it there is no bound) than its maker may give in a day alone is answered
/// with 202 and gives nothing until an admin who is somebody else approves.
#[utoipa::path(post, path = "/grant-rules", tag = "grants",
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 201, body = GrantRuleBody), (status = 202, body = GrantRuleBody)))]
pub async fn grant_rule_make(
    State(app): State<App>,
    operator: Operator,
    body: Body<GrantRuleRequest>,
) -> Result<Response, Problem> {
    let draft = body.value.draft(&app.world.site_zone_name())?;
    let row = flow::rule_make(&app.world, operator.sign(&app, ""), body.repeat, draft).await?;
    let body = GrantRuleBody::from(row);
    Ok((body.status(StatusCode::CREATED), Json(body)).into_response())
}

/// One grant rule
#[utoipa::path(get, path = "/grant-rules/{id}", tag = "grants",
    responses((status = 200, body = GrantRuleBody)))]
pub async fn grant_rule(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<GrantRuleId>,
) -> Result<Json<GrantRuleBody>, Problem> {
    Ok(Json(flow::rule_find(&app.world, id).await?.into()))
}

/// What is left out stays; `null` takes a cap or an end of the window away.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantRuleUpdateRequest {
    /// The edition you looked at.
    pub edition: u32,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub amount: Option<i64>,
    #[serde(default)]
    pub times: Option<i64>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<i64>)]
    pub cap_user: Option<Option<i64>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<i64>)]
    pub cap_total: Option<Option<i64>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Moment>)]
    pub from: Option<Option<Moment>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Moment>)]
    pub until: Option<Option<Moment>>,
    #[serde(default)]
    pub on: Option<bool>,
}

/// Change a grant rule
///
/// What it is about (behaviour, campaign, what it gives, period, zone) stays: make another rule for that. A change by which it
/// can give more than its editor may give alone is answered with 202: the rule gives nothing until somebody else approves.
#[utoipa::path(patch, path = "/grant-rules/{id}", tag = "grants",
    responses((status = 200, body = GrantRuleBody), (status = 202, body = GrantRuleBody)))]
pub async fn grant_rule_edit(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<GrantRuleId>,
    body: Body<GrantRuleUpdateRequest>,
) -> Result<Response, Problem> {
    let given = body.value;
    let change = RuleChange {
        name: given.name,
        amount: given.amount,
        times: given.times,
        cap_user: given.cap_user,
        cap_total: given.cap_total,
        from: moment(given.from),
        until: moment(given.until),
        on: given.on,
    };
    let signed = operator.sign(&app, "");
    let body = GrantRuleBody::from(flow::rule_edit(&app.world, signed, id, given.edition, change).await?);
    Ok((body.status(StatusCode::OK), Json(body)).into_response())
}
