//! How many came: day by day, and over any range.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use domain::statistics::distinct::ERROR_BASIS_POINTS;
use engine::statistics as flow;
use engine::statistics::{DayFigures, RangeFigures};
use futures::stream;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::Query;
use crate::app::App;
use crate::auth::Reader;
use crate::download::{CSV, Rows, file};
use crate::problem::Problem;
use crate::streams::Audience;

const COLUMNS: [&str; 9] =
    ["day", "visitors", "visitors_exact", "people", "new_people", "posts", "draws", "orders", "paid"];

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DaysQuery {
    /// The first day, such as `2026-11-01`; four weeks up to `to` unless told. At most 366 days in all.
    #[serde(default)]
    pub from: Option<String>,
    /// The last day; today unless told.
    #[serde(default)]
    pub to: Option<String>,
}

/// What happened on a day of the site's time zone.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatisticsDayBody {
    #[schema(example = "2026-11-18")]
    pub day: String,
    /// Browsers that kept their visitor's cookie.
    pub visitors: u64,
    /// Whether `visitors` is exact; an estimate otherwise.
    pub visitors_exact: bool,
    /// Signed-in people, exactly.
    pub people: u64,
    /// Those among them who were never active before.
    pub new_people: u64,
    /// Posts that were published.
    pub posts: u64,
    /// Draws, and entries to raffles.
    pub draws: u64,
    /// Orders of sales.
    pub orders: u64,
    /// Payments that settled an order.
    pub paid: u64,
}

impl From<DayFigures> for StatisticsDayBody {
    fn from(figures: DayFigures) -> Self {
        let DayFigures { day, visitors, visitors_exact, active, totals } = figures;
        Self {
            day: day.to_string(),
            visitors,
            visitors_exact,
            people: active.people,
            new_people: active.new_people,
            posts: totals.posts,
            draws: totals.draws,
            orders: totals.orders,
            paid: totals.paid,
        }
    }
}

/// Days of the site's time zone, each by itself.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatisticsDaysBody {
    /// Whether visitors and people are counted now.
    pub enabled: bool,
    /// The day that is not over.
    #[schema(example = "2026-11-18")]
    pub today: String,
    /// The standard error of estimates, in hundredths of a per cent.
    #[schema(example = 115)]
    pub error_basis_points: u32,
    /// Every day of the range, in order.
    pub days: Vec<StatisticsDayBody>,
}

/// How many came, day by day
///
/// Visitors and people are up to a minute old.
#[utoipa::path(get, path = "/admin/statistics/daily", tag = "statistics",
    params(DaysQuery), responses((status = 200, body = StatisticsDaysBody)))]
pub async fn statistics_days(
    State(app): State<App>,
    _: Reader,
    Query(DaysQuery { from, to }): Query<DaysQuery>,
) -> Result<Json<StatisticsDaysBody>, Problem> {
    let report = flow::statistics_days(&app.world, from.as_deref(), to.as_deref()).await?;
    Ok(Json(StatisticsDaysBody {
        enabled: app.world.settings.statistics.enabled,
        today: report.today.to_string(),
        error_basis_points: ERROR_BASIS_POINTS,
        days: report.days.into_iter().map(StatisticsDayBody::from).collect(),
    }))
}

/// How many came, day by day, as a table
#[utoipa::path(get, path = "/admin/statistics/daily.csv", tag = "statistics",
    params(DaysQuery), responses((status = 200, body = String, content_type = "text/csv")))]
pub async fn statistics_days_csv(
    State(app): State<App>,
    reader: Reader,
    Query(DaysQuery { from, to }): Query<DaysQuery>,
) -> Result<Response, Problem> {
    let place = app.streams.enter(Audience::Staff(reader.actor))?;
    let report = flow::statistics_days(&app.world, from.as_deref(), to.as_deref()).await?;
    let mut rows = Rows::headed(&COLUMNS);
    for day in report.days.into_iter().map(StatisticsDayBody::from) {
        let figures = [day.people, day.new_people, day.posts, day.draws, day.orders, day.paid];
        let visitors = [day.day, day.visitors.to_string(), day.visitors_exact.to_string()];
        let figures = figures.iter().map(u64::to_string);
        rows.put(&visitors.into_iter().chain(figures).collect::<Vec<_>>());
    }
    Ok(file(place, "statistics.csv", CSV, stream::iter([Ok(rows.bytes())])))
}

/// A range of days, in which everybody counts once.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatisticsRangeBody {
    #[schema(example = "2026-11-01")]
    pub from: String,
    #[schema(example = "2026-11-18")]
    pub to: String,
    /// Browsers that kept their visitor's cookie, each once however many days it came.
    pub visitors: u64,
    /// Whether `visitors` is exact; an estimate otherwise.
    pub visitors_exact: bool,
    /// Signed-in people, each once, exactly.
    pub people: u64,
    /// The standard error of estimates, in hundredths of a per cent.
    #[schema(example = 115)]
    pub error_basis_points: u32,
}

impl From<RangeFigures> for StatisticsRangeBody {
    fn from(RangeFigures { range, visitors, visitors_exact, people }: RangeFigures) -> Self {
        let (from, to) = (range.from().to_string(), range.to().to_string());
        Self { from, to, visitors, visitors_exact, people, error_basis_points: ERROR_BASIS_POINTS }
    }
}

/// How many different visitors and people came in a range of days
///
/// The days are united: whoever came on several of them counts once. Up to a minute old.
#[utoipa::path(get, path = "/admin/statistics/visitors", tag = "statistics",
    params(DaysQuery), responses((status = 200, body = StatisticsRangeBody)))]
pub async fn statistics_range(
    State(app): State<App>,
    _: Reader,
    Query(DaysQuery { from, to }): Query<DaysQuery>,
) -> Result<Json<StatisticsRangeBody>, Problem> {
    Ok(Json(flow::statistics_range(&app.world, from.as_deref(), to.as_deref()).await?.into()))
}
