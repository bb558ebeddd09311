//! How a sale is doing: units, a report by the hour, and what is going on now, for those who run it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use domain::ids::ActivityId;
use domain::sale::Currency;
use domain::sale::room::InRoom;
use domain::time::{HOUR_MS, MINUTE_MS, Timestamp};
use engine::activity_cache::SaleUnits;
use engine::sales::attempts::{AttemptCounts, AttemptHour, DecidedCounts};
use engine::sales::reports;
use engine::sales::reports::{SaleFigures, SaleReport};
use serde::{Deserialize, Serialize};
use store::model::{SaleHour, SaleMinute, SaleSums};
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use super::run::SaleUnitsBody;
use crate::app::App;
use crate::auth::Reader;
use crate::problem::Problem;
use crate::streams::{ACTIVITY_TICK, Audience};
use crate::wire::RefusalCountBody;

impl From<SaleUnits> for SaleUnitsBody {
    fn from(units: SaleUnits) -> Self {
        let SaleUnits { total, left, held, sold } = units;
        Self { total, left, held, sold }
    }
}

/// Units of a sale, as the ledger has them now
#[utoipa::path(get, path = "/sales/{id}/units", tag = "sales",
    responses((status = 200, body = SaleUnitsBody)))]
pub async fn sale_units(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<ActivityId>,
) -> Result<Json<SaleUnitsBody>, Problem> {
    Ok(Json(reports::sale_units(&app.world, id).await?.into()))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SaleReportQuery {
    /// Hours from this moment on, in milliseconds since 1970; all of them unless told.
    from_ms: Option<i64>,
}

/// How a sale is doing, over all its rounds.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleReportBody {
    #[schema(example = "7318349394477056")]
    pub sale: String,
    pub units: SaleUnitsBody,
    /// Since when little is left; absent when there is enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low_since_ms: Option<i64>,
    /// Of the hours below: one for each currency it was sold in, which is one as a rule.
    pub totals: Vec<SaleTotalBody>,
    /// In order; an hour in which nothing happened has no row, one with orders in two currencies has two.
    pub hours: Vec<SaleHourBody>,
    /// The first six hours of the sale, minute by minute, in order; with the first hours only. A minute in which nothing
    /// happened has no row.
    pub minutes: Vec<SaleMinuteBody>,
    /// Give it as `from_ms` for the hours after these; absent when they are all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_from_ms: Option<i64>,
    pub attempts: SaleAttemptsBody,
    /// By hour, in order, of the last week at most: those that were decided.
    pub attempt_hours: Vec<AttemptHourBody>,
}

/// Orders with a line of the sale. Each is counted in the hour in which it happened: an order that is made in one hour and
/// paid in the next is in both. Money is that of the sale's own lines, in the smallest unit.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleSumsBody {
    /// Orders that were made, and their units.
    pub orders: u64,
    pub units: u64,
    /// Orders whose money came, those that went back since among them.
    pub paid: u64,
    /// Let go of by their buyers, and not paid since.
    pub cancelled: u64,
    /// Not paid in time, nor since.
    pub expired: u64,
    /// Orders whose money went back. Payments that settled nothing (twice, a wrong amount) go back too and are not counted.
    pub refunded: u64,
    #[schema(example = 9_900)]
    pub taken_minor: u64,
    pub refunded_minor: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleTotalBody {
    #[schema(example = "CNY")]
    pub currency: String,
    #[serde(flatten)]
    pub sums: SaleSumsBody,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleHourBody {
    /// When the hour begins.
    pub from_ms: i64,
    #[schema(example = "CNY")]
    pub currency: String,
    #[serde(flatten)]
    pub sums: SaleSumsBody,
}

/// Orders that were made and paid in one minute.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleMinuteBody {
    /// When the minute begins.
    pub from_ms: i64,
    pub orders: u64,
    pub paid: u64,
}

impl From<SaleMinute> for SaleMinuteBody {
    fn from(SaleMinute { minute, orders, paid }: SaleMinute) -> Self {
        Self { from_ms: minute * MINUTE_MS, orders, paid }
    }
}

/// Attempts since the server started: a "no" is written nowhere.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleAttemptsBody {
    /// Without an answer yet.
    pub waiting: u64,
    pub ordered: u64,
    pub refused: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AttemptHourBody {
    /// When the hour begins.
    pub from_ms: i64,
    pub ordered: u64,
    pub refused: u64,
}

impl From<SaleSums> for SaleSumsBody {
    fn from(sums: SaleSums) -> Self {
        let SaleSums { orders, units, paid, cancelled, expired, refunded, taken_minor, refunded_minor } =
            sums;
        Self { orders, units, paid, cancelled, expired, refunded, taken_minor, refunded_minor }
    }
}

impl From<(Currency, SaleSums)> for SaleTotalBody {
    fn from((currency, sums): (Currency, SaleSums)) -> Self {
        Self { currency: currency.to_string(), sums: sums.into() }
    }
}

impl From<SaleHour> for SaleHourBody {
    fn from(SaleHour { hour, currency, happened }: SaleHour) -> Self {
        Self { from_ms: hour * HOUR_MS, currency: currency.to_string(), sums: happened.into() }
    }
}

impl From<&AttemptCounts> for SaleAttemptsBody {
    fn from(counts: &AttemptCounts) -> Self {
        let DecidedCounts { ordered, refused } = counts.decided;
        Self { waiting: counts.waiting(), ordered, refused }
    }
}

impl From<&AttemptHour> for AttemptHourBody {
    fn from(AttemptHour { hour, decided: DecidedCounts { ordered, refused } }: &AttemptHour) -> Self {
        Self { from_ms: hour * HOUR_MS, ordered: *ordered, refused: *refused }
    }
}

impl From<SaleReport> for SaleReportBody {
    fn from(report: SaleReport) -> Self {
        Self {
            sale: report.sale.to_string(),
            units: report.units.into(),
            low_since_ms: report.low_since.map(|since| since.0),
            totals: report.totals.into_iter().map(SaleTotalBody::from).collect(),
            hours: report.hours.into_iter().map(SaleHourBody::from).collect(),
            minutes: report.minutes.into_iter().map(SaleMinuteBody::from).collect(),
            next_from_ms: report.next_hour.map(|hour| hour * HOUR_MS),
            attempts: SaleAttemptsBody::from(&report.attempts),
            attempt_hours: report.attempts.hours.iter().map(AttemptHourBody::from).collect(),
        }
    }
}

/// How a sale is doing
///
/// Orders and money by hour, units, and what came of attempts. Up to a second old.
#[utoipa::path(get, path = "/sales/{id}/report", tag = "sales",
    params(SaleReportQuery), responses((status = 200, body = SaleReportBody)))]
pub async fn sale_report(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<ActivityId>,
    Query(query): Query<SaleReportQuery>,
) -> Result<Json<SaleReportBody>, Problem> {
    let from = query.from_ms.map(Timestamp);
    Ok(Json(reports::sale_report(&app.world, id, from).await?.into()))
}

/// What is going on in a sale now.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleFiguresBody {
    pub units: SaleUnitsBody,
    pub attempts: SaleAttemptsBody,
    /// Where there is a waiting room, and somebody came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<SaleRoomBody>,
    /// Events that the ledger has and orders do not show yet.
    pub lag: u64,
    /// What buyers were refused for since the server started, most often first.
    pub refusals: Vec<RefusalCountBody>,
}

/// How many are in the waiting room.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleRoomBody {
    pub waiting: u64,
    /// Let in, with their turn before them.
    pub inside: u64,
}

impl From<InRoom> for SaleRoomBody {
    fn from(InRoom { waiting, inside }: InRoom) -> Self {
        Self { waiting, inside }
    }
}

impl SaleFiguresBody {
    fn of(figures: &SaleFigures) -> Self {
        Self {
            units: figures.units.into(),
            attempts: SaleAttemptsBody::from(&figures.attempts),
            room: figures.room.map(SaleRoomBody::from),
            lag: figures.lag,
            refusals: figures.refusals.iter().copied().map(RefusalCountBody::from).collect(),
        }
    }
}

/// A sale's figures, live
///
/// Server-sent events named `figures`: the first at once, then once a second at most. The stream ends after ten minutes
/// and when the server stops; connect again.
#[utoipa::path(get, path = "/sales/{id}/report/live", tag = "sales",
    responses((status = 200, body = SaleFiguresBody, content_type = "text/event-stream")))]
pub async fn sale_report_live(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ActivityId>,
) -> Result<Response, Problem> {
    let now = Arc::new(reports::sale_figures(&app.world, id).await?);
    let (place, world) = (app.streams.enter(Audience::Staff(reader.actor))?, Arc::clone(&app.world));
    let watching = app.streams.sale_figures.follow(place, id, now, ACTIVITY_TICK, move || {
        let world = Arc::clone(&world);
        Box::pin(async move { reports::sale_figures(&world, id).await.ok().map(Arc::new) })
    });
    Ok(watching.respond("figures", |figures| SaleFiguresBody::of(&figures)))
}
