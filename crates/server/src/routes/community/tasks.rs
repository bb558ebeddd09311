//! What I can do for chances and points.

use axum::Json;
use axum::extract::State;
use engine::community::tasks as flow;
use engine::community::tasks::{LevelView, Task};
use serde::Serialize;
use store::model::TaskRow;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Player;
use crate::problem::Problem;

/// What I can do now, and how far I have come.
#[derive(Serialize, ToSchema)]
pub struct TasksBody {
    pub items: Vec<TaskBody>,
    pub level: LevelBody,
}

/// Something that is worth chances or points.
#[derive(Serialize, ToSchema)]
pub struct TaskBody {
    pub rule: String,
    pub name: String,
    /// What to do: `check_in`, `like`, `follow`, `comment`, `post`, `vote` or `invite`.
    pub behaviour: String,
    /// `chances` or `points`.
    pub gives: &'static str,
    /// Of one grant.
    pub amount: i64,
    /// Whose chances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity_name: Option<String>,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity_name_en: Option<String>,
    /// `once`, `day`, `month`, or `each` time.
    pub period: &'static str,
    /// How often it is worth something in a period.
    pub times: u32,
    /// How often I was given it in this period.
    pub done: u32,
    /// Whether the next time is worth something: neither my share nor everybody's is used up.
    pub open: bool,
    /// What I was given for it so far, without what was taken back.
    pub earned: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<i64>,
}

/// My level, which grows with the points I have ever earned.
#[derive(Serialize, ToSchema)]
pub struct LevelBody {
    pub level: i64,
    pub earned: i64,
    /// Where the next level begins; absent at the highest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_at: Option<i64>,
}

impl From<LevelView> for LevelBody {
    fn from(LevelView { level, earned, next_at }: LevelView) -> Self {
        Self { level, earned, next_at }
    }
}

impl From<Task> for TaskBody {
    fn from(Task { row, activity }: Task) -> Self {
        let TaskRow { rule, done, is_open, earned } = row;
        let (activity, names) = activity
            .map_or((None, None), |(id, name, name_en)| (Some(id.to_string()), Some((name, name_en))));
        let (activity_name, activity_name_en) = names.unzip();
        Self {
            rule: rule.id.to_string(),
            name: rule.terms.name,
            behaviour: rule.terms.behaviour.as_str().to_owned(),
            gives: rule.terms.gives.name(),
            amount: rule.terms.amount,
            activity,
            activity_name,
            activity_name_en: activity_name_en.filter(|name| !name.is_empty()),
            period: rule.terms.period.name(),
            times: rule.terms.times,
            done,
            open: is_open,
            earned,
            until_ms: rule.terms.until.map(|until| until.0),
        }
    }
}

/// What I can do for chances and points
#[utoipa::path(get, path = "/me/tasks", tag = "me", responses((status = 200, body = TasksBody)))]
pub async fn my_tasks(State(app): State<App>, Player(user): Player) -> Result<Json<TasksBody>, Problem> {
    let items = flow::tasks(&app.world, user).await?.into_iter().map(TaskBody::from).collect();
    let level = flow::level(&app.world, user).await?.into();
    Ok(Json(TasksBody { items, level }))
}
