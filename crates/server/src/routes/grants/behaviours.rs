//! What people did, told by the company's backend: up to a hundred at a time, each with its own answer.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::grants::Behaviour;
use domain::ids::UserId;
use domain::rejection::FieldProblem;
use domain::time::Timestamp;
use engine::access::key_auth::user_by_external_id;
use engine::points::behaviours as flow;
use engine::points::behaviours::BEHAVIOURS_MAX;
use engine::{Failure, Result};
use serde::{Deserialize, Serialize};
use store::model::BehaviourResult;
use utoipa::ToSchema;

use super::super::Path;
use super::given::GrantedBody;
use crate::app::App;
use crate::auth::FactSetter;
use crate::body::{Body, NoBody};
use crate::context::Context;
use crate::problem::{Problem, ProblemBody, counted};

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BehaviourRequest {
    /// A name such as `check_in`, `invite`, `purchase`, `task:first_post`.
    #[schema(example = "check_in")]
    pub kind: String,
    /// Your own id of it: among those of its kind, told again it is no news.
    #[schema(example = "order-20261115-1")]
    pub id: String,
    /// Who did it: a user's id here,
    #[serde(default)]
    pub user_id: Option<String>,
    /// or your own id of the user.
    #[serde(default)]
    pub external_id: Option<String>,
    /// With `external_id`: make the account if there is none yet. Without it an unknown id is `not_found`.
    #[serde(default)]
    pub create_user: bool,
    /// What it was done to.
    #[serde(default)]
    pub object: Option<String>,
    /// When; left out, now. Not more than a year ago.
    #[serde(default)]
    pub at_ms: Option<i64>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BehavioursRequest {
    /// 1 to 100.
    #[schema(min_items = 1, max_items = 100)]
    pub behaviours: Vec<BehaviourRequest>,
}

/// A rule that gave nothing.
#[derive(Serialize, ToSchema)]
pub struct PassedBody {
    pub rule: String,
    /// `not_yet`, `over`, `times_reached`, `cap_user` or `cap_total`.
    #[schema(example = "times_reached")]
    pub why: &'static str,
}

/// What came of a behaviour, now or when it was first told.
#[derive(Serialize, ToSchema)]
pub struct RecordedBody {
    /// It was known before.
    pub repeated: bool,
    /// It was taken back.
    pub undone: bool,
    /// Whether its id is spent. It is not while no rule of its kind is on: tell it again when there is one.
    pub kept: bool,
    pub grants: Vec<GrantedBody>,
    /// Rules of its kind that were on and gave nothing.
    pub passed: Vec<PassedBody>,
}

impl From<BehaviourResult> for RecordedBody {
    fn from(recorded: BehaviourResult) -> Self {
        let passed = |(rule, why): (domain::ids::GrantRuleId, domain::grants::GrantRefusal)| PassedBody {
            rule: rule.to_string(),
            why: why.name(),
        };
        Self {
            repeated: recorded.repeated,
            undone: recorded.undone,
            kept: recorded.kept,
            grants: recorded.grants.into_iter().map(GrantedBody::from).collect(),
            passed: recorded.passed.into_iter().map(passed).collect(),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct BehaviourAnswer {
    /// What it alone would have been answered with.
    pub status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<RecordedBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemBody>,
}

impl BehaviourAnswer {
    fn of(answer: Result<BehaviourResult, Rejection>, context: &Context) -> Self {
        match answer {
            Ok(recorded) => {
                let status = if recorded.repeated { 200 } else { 201 };
                Self { status, recorded: Some(recorded.into()), problem: None }
            }
            Err(rejection) => {
                counted(&rejection);
                let problem = ProblemBody::of(&rejection, context);
                Self { status: problem.status, recorded: None, problem: Some(problem) }
            }
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct BehavioursResponse {
    /// One for each behaviour, in order.
    pub answers: Vec<BehaviourAnswer>,
}

/// Tell what users did
///
/// Each is recorded once and asks every rule of its kind; each has its own answer, and none spoils another. Nobody tells what
/// they did themselves, and no key what its maker did (`own_account`). What people tell is in the audit log.
#[utoipa::path(post, path = "/behaviours", tag = "grants", responses((status = 200, body = BehavioursResponse)))]
pub async fn behaviour_record(
    State(app): State<App>,
    setter: FactSetter,
    body: Body<BehavioursRequest>,
) -> Result<Json<BehavioursResponse>, Problem> {
    let given = body.value.behaviours;
    let wrong = match given.len() {
        0 => Some(FieldProblem::TooShort { min: 1 }),
        many if many > BEHAVIOURS_MAX => Some(FieldProblem::TooLong { max: BEHAVIOURS_MAX as u64 }),
        _ => None,
    };
    if let Some(problem) = wrong {
        return Err(Rejection::invalid("behaviours", problem).into());
    }
    let (mut read, mut sound) = (Vec::with_capacity(given.len()), Vec::new());
    for behaviour in given {
        match behaviour.read(&app).await {
            Ok(behaviour) => {
                sound.push(behaviour);
                read.push(Ok(()));
            }
            Err(Failure::Rejected(rejection)) => read.push(Err(rejection)),
            Err(fault) => return Err(fault.into()),
        }
    }
    let signed = setter.sign(&app, "");
    let mut told = flow::behaviours_record(&app.world, &signed, sound).await?.into_iter();
    let missing = || Err(Rejection::OutcomeUnknown);
    let answers = read.into_iter().map(|read| match read {
        Ok(()) => BehaviourAnswer::of(told.next().unwrap_or_else(missing), &setter.context),
        Err(rejection) => BehaviourAnswer::of(Err(rejection), &setter.context),
    });
    Ok(Json(BehavioursResponse { answers: answers.collect() }))
}

impl BehaviourRequest {
    async fn read(self, app: &App) -> Result<Behaviour> {
        let now = app.world.now();
        let named = (self.kind.as_str(), self.id.as_str(), self.object.as_deref());
        // What is wrong with it comes before anybody is made of an id that was not known.
        let behaviour = Behaviour::new(UserId(0), named, self.at_ms.map(Timestamp), now)?;
        let user = match (self.user_id, self.external_id) {
            (Some(id), None) => {
                id.parse().map_err(|_| Rejection::invalid("user_id", FieldProblem::Malformed))?
            }
            (None, Some(external)) => user_by_external_id(&app.world, &external, self.create_user).await?,
            (None, None) => return Err(Rejection::invalid("user_id", FieldProblem::Missing).into()),
            (Some(_), Some(_)) => {
                return Err(Rejection::invalid("external_id", FieldProblem::Duplicate).into());
            }
        };
        Ok(Behaviour { user, ..behaviour })
    }
}

/// Take back what a user did
///
/// Everything it gave goes back as far as it can: each grant says how much. The same again answers the same.
#[utoipa::path(post, path = "/behaviours/{kind}/{id}/undo", tag = "grants",
    params(("kind" = String, Path), ("id" = String, Path)), responses((status = 200, body = RecordedBody)))]
pub async fn behaviour_undo(
    State(app): State<App>,
    setter: FactSetter,
    Path((kind, id)): Path<(String, String)>,
    _: NoBody,
) -> Result<Json<RecordedBody>, Problem> {
    let signed = setter.sign(&app, "undone");
    Ok(Json(flow::undo(&app.world, signed, &kind, &id).await?.into()))
}
