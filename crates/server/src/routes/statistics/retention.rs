//! Who came again.

use axum::Json;
use axum::extract::State;
use domain::statistics::RETENTION_DAYS;
use engine::statistics as flow;
use engine::statistics::Cohort;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::Query;
use super::days::DaysQuery;
use crate::app::App;
use crate::auth::Reader;
use crate::problem::Problem;

/// Of those who were active for the first time on each day, how many came again.
#[derive(Debug, Serialize, ToSchema)]
pub struct RetentionBody {
    #[schema(example = "2026-11-01")]
    pub from: String,
    #[schema(example = "2026-11-18")]
    pub to: String,
    /// In order; a day without anybody new has none.
    pub cohorts: Vec<CohortBody>,
}

/// The people who were active for the first time on a day.
#[derive(Debug, Serialize, ToSchema)]
pub struct CohortBody {
    #[schema(example = "2026-11-01")]
    pub day: String,
    pub new_people: u64,
    pub again: Vec<ReturnedBody>,
}

/// How many of them were active on a later day.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReturnedBody {
    /// So many days later: 1, 7 and 30.
    pub after_days: u32,
    /// Absent while that day is not over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<u64>,
}

impl From<Cohort> for CohortBody {
    fn from(Cohort { day, new_people, again }: Cohort) -> Self {
        let again = RETENTION_DAYS.into_iter().zip(again);
        let again = again.map(|(after_days, people)| ReturnedBody { after_days, people }).collect();
        Self { day: day.to_string(), new_people, again }
    }
}

/// How many new people came again after 1, 7 and 30 days
///
/// Signed-in people, exactly. `from` and `to` are about the days on which they were new.
#[utoipa::path(get, path = "/admin/statistics/retention", tag = "statistics",
    params(DaysQuery), responses((status = 200, body = RetentionBody)))]
pub async fn statistics_retention(
    State(app): State<App>,
    _: Reader,
    Query(DaysQuery { from, to }): Query<DaysQuery>,
) -> Result<Json<RetentionBody>, Problem> {
    let report = flow::statistics_retention(&app.world, from.as_deref(), to.as_deref()).await?;
    Ok(Json(RetentionBody {
        from: report.range.from().to_string(),
        to: report.range.to().to_string(),
        cohorts: report.cohorts.into_iter().map(CohortBody::from).collect(),
    }))
}
