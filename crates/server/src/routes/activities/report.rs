//! How an activity is doing, and more chances by hand.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::ids::{ActivityId, UserId};
use domain::lottery::strategy::PrizeId;
use domain::time::{HOUR_MS, MINUTE_MS, Timestamp};
use engine::activities as flow;
use engine::activities::{ActivityReport, LiveFigures, PrizeStand};
use engine::draws::chances;
use engine::draws::chances::GrantAsk;
use serde::{Deserialize, Serialize};
use store::model::{DrawHour, DrawMinute, RoundCounts};
use utoipa::{IntoParams, ToSchema};

use super::super::play::wire::{ChancesBody, ReceiptBody};
use super::super::{Path, Query};
use crate::app::App;
use crate::auth::{Operator, Reader};
use crate::body::Body;
use crate::problem::Problem;
use crate::streams::{ACTIVITY_TICK, Audience};
use crate::wire::RefusalCountBody;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReportQuery {
    /// The current one unless told.
    round: Option<u32>,
    /// Hours from this moment on, in milliseconds since 1970; all of them unless told.
    from_ms: Option<i64>,
}

/// How a round of an activity is doing.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportBody {
    #[schema(example = "7318349394477056")]
    pub activity: String,
    pub round: u32,
    /// The version in place, which prizes and budgets are of.
    pub version: u32,
    pub funnel: FunnelBody,
    pub cost: CostBody,
    pub prizes: Vec<PrizeStandBody>,
    /// By hour and prize, in order; an hour without draws has no row.
    pub hours: Vec<HourBody>,
    /// The first six hours of the round, minute by minute, in order; with the first hours only. A minute without draws has no
    /// row.
    pub minutes: Vec<MinuteBody>,
    /// Give it as `from_ms` for the hours after these; absent when they are all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_from_ms: Option<i64>,
    /// Where the chain of the newest version drawn from has come to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chain: Option<ReceiptBody>,
}

/// From those who played to those who won.
#[derive(Debug, Serialize, ToSchema)]
pub struct FunnelBody {
    pub players: u64,
    /// Draws and entries.
    pub draws: u64,
    pub winners: u64,
    pub wins: u64,
}

/// In the smallest unit of money.
#[derive(Debug, Serialize, ToSchema)]
pub struct CostBody {
    pub total_minor: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_budget_minor: Option<u64>,
    /// On the last day that cost anything.
    pub day_minor: u64,
    /// That day in the activity's zone, as yyyymmdd; 0 before the first.
    pub day: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day_budget_minor: Option<u64>,
    /// Points of the fallback.
    pub points: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points_budget: Option<u64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PrizeStandBody {
    pub id: u16,
    pub name: String,
    pub cost_minor: u64,
    /// Units in all and free, over all rounds; absent where they are not counted. A unit that was won and came back is one
    /// unit: `total` is `left` and all that were given, less those `returned`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
    /// Units that went back because what was won was voided or not claimed in time, over all rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub returned: Option<u64>,
    /// Given in this round, what was voided since among it.
    pub given: u64,
    pub withdrawn: bool,
    /// Since when little of it is left; absent when there is enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low_since_ms: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct HourBody {
    /// When the hour begins.
    pub from_ms: i64,
    /// Absent for misses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prize: Option<u16>,
    /// Draws that came to this: wins, or misses.
    pub draws: u64,
    pub cost_minor: u64,
    pub points: u64,
}

/// What was drawn in one minute.
#[derive(Debug, Serialize, ToSchema)]
pub struct MinuteBody {
    /// When the minute begins.
    pub from_ms: i64,
    pub draws: u64,
    pub wins: u64,
}

impl From<DrawMinute> for MinuteBody {
    fn from(DrawMinute { minute, draws, wins }: DrawMinute) -> Self {
        Self { from_ms: minute * MINUTE_MS, draws, wins }
    }
}

impl From<RoundCounts> for FunnelBody {
    fn from(counts: RoundCounts) -> Self {
        let RoundCounts { draws, players, winners, wins } = counts;
        Self { players, draws, winners, wins }
    }
}

impl From<PrizeStand> for PrizeStandBody {
    fn from(stand: PrizeStand) -> Self {
        Self {
            id: stand.prize.number(),
            name: stand.name,
            cost_minor: stand.cost_minor,
            // The ledger takes a unit back as one more.
            total: stand.pool.map(|pool| pool.total.saturating_sub(stand.returned)),
            returned: stand.pool.map(|_| stand.returned),
            left: stand.pool.map(|pool| pool.available),
            given: stand.tally.given,
            withdrawn: stand.tally.withdrawn,
            low_since_ms: stand.low_since.map(|since| since.0),
        }
    }
}

impl From<DrawHour> for HourBody {
    fn from(hour: DrawHour) -> Self {
        Self {
            from_ms: hour.hour * HOUR_MS,
            prize: hour.prize.map(PrizeId::number),
            draws: hour.draws,
            cost_minor: hour.cost_minor,
            points: hour.points,
        }
    }
}

impl From<ActivityReport> for ReportBody {
    fn from(report: ActivityReport) -> Self {
        let (spent, budget) = (report.spent, report.budget);
        Self {
            activity: report.activity.to_string(),
            round: report.round,
            version: report.version,
            funnel: report.counts.into(),
            cost: CostBody {
                total_minor: spent.total_minor,
                total_budget_minor: budget.total_minor,
                day_minor: spent.day_minor,
                day: report.spent_day,
                day_budget_minor: budget.day_minor,
                points: spent.fallback_points,
                points_budget: report.budget_amount,
            },
            prizes: report.prizes.into_iter().map(PrizeStandBody::from).collect(),
            hours: report.hours.into_iter().map(HourBody::from).collect(),
            minutes: report.minutes.into_iter().map(MinuteBody::from).collect(),
            next_from_ms: report.next_hour.map(|hour| hour * HOUR_MS),
            chain: report.chain.map(ReceiptBody::from),
        }
    }
}

/// How an activity is doing
///
/// Draws, cost and points by hour and prize; from players to winners; cost against budgets; what is left of each prize.
#[utoipa::path(get, path = "/activities/{id}/report", tag = "activities",
    params(ReportQuery), responses((status = 200, body = ReportBody)))]
pub async fn activity_report(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<ActivityId>,
    Query(query): Query<ReportQuery>,
) -> Result<Json<ReportBody>, Problem> {
    let from = query.from_ms.map(Timestamp);
    Ok(Json(flow::activity_report(&app.world, id, query.round, from).await?.into()))
}

/// The current round's figures.
#[derive(Debug, Serialize, ToSchema)]
pub struct LiveBody {
    #[serde(flatten)]
    pub funnel: FunnelBody,
    pub cost_minor: u64,
    pub points: u64,
    /// What is left of each counted prize, of the first hundred.
    pub left: Vec<LeftBody>,
    /// Events that the ledger has and these sums do not have yet.
    pub lag: u64,
    /// What players were refused for since the server started, most often first.
    pub refusals: Vec<RefusalCountBody>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LeftBody {
    pub prize: u16,
    pub left: u64,
}

impl LiveBody {
    fn of(figures: &LiveFigures) -> Self {
        let left = |(prize, left): &(PrizeId, u64)| LeftBody { prize: prize.number(), left: *left };
        Self {
            funnel: figures.counts.into(),
            cost_minor: figures.spent.total_minor,
            points: figures.spent.fallback_points,
            left: figures.left.iter().map(left).collect(),
            lag: figures.lag,
            refusals: figures.refusals.iter().copied().map(RefusalCountBody::from).collect(),
        }
    }
}

/// An activity's figures, live
///
/// Server-sent events named `figures`: the first at once, then once a second at most. The stream ends after ten minutes
/// and when the server stops; connect again.
#[utoipa::path(get, path = "/activities/{id}/live", tag = "activities",
    responses((status = 200, body = LiveBody, content_type = "text/event-stream")))]
pub async fn activity_live(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ActivityId>,
) -> Result<Response, Problem> {
    let now = Arc::new(flow::activity_live(&app.world, id).await?);
    let (place, world) = (app.streams.enter(Audience::Staff(reader.actor))?, Arc::clone(&app.world));
    let watching = app.streams.figures.follow(place, id, now, ACTIVITY_TICK, move || {
        let world = Arc::clone(&world);
        Box::pin(async move { flow::activity_live(&world, id).await.ok().map(Arc::new) })
    });
    Ok(watching.respond("figures", |figures| LiveBody::of(&figures)))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantRequest {
    #[schema(value_type = String, example = "7318349394477056")]
    pub user: UserId,
    /// What for, 1 to 64 bytes: `check-in`, `invitation`, `support`.
    pub rule: String,
    /// When, in the rule's own words, 1 to 64 bytes: a day, an order's number. The same rule and period grant once.
    pub period: String,
    pub chances: u32,
    /// For the audit log; not empty.
    pub reason: String,
}

/// Give somebody more chances
#[utoipa::path(post, path = "/activities/{id}/grants", tag = "activities",
    responses((status = 201, body = ChancesBody), (status = 200, body = ChancesBody, description = "Granted before for the same rule and period")))]
pub async fn activity_grant(
    State(app): State<App>,
    operator: Operator,
    Path(activity): Path<ActivityId>,
    body: Body<GrantRequest>,
) -> Result<Response, Problem> {
    let GrantRequest { user, rule, period, chances, reason } = body.value;
    let (signed, ask) = (operator.sign(&app, &reason), GrantAsk { activity, user, rule, period, chances });
    let (left, again) = chances::grant(&app.world, signed, &ask).await?;
    let status = if again { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Json(ChancesBody::from(left))).into_response())
}
