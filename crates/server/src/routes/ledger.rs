//! The ledger against its rows: how far it is, what the audit found, and an audit now.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::ledger::audit::{BookRow, Difference};
use domain::lottery::strategy::PrizeId;
use engine::inventory::auditing::Pass;
use engine::inventory::reconcile;
use engine::inventory::reconcile::Reconcile;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::{Admin, Reader};
use crate::body::Body;
use crate::problem::Problem;

#[derive(Serialize, ToSchema)]
pub struct LedgerBody {
    /// The number of the last event on disk.
    pub durable: String,
    /// The number of the last event in the database.
    pub projected: String,
    /// Events between the two.
    pub lag: u64,
    /// Why the projection does not go on, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// How the ledger's time stands to the machine's clock.
    pub clock: LedgerClockBody,
    /// Differences that the last whole audit left.
    pub differences: u64,
    /// The last audit that came to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_audit: Option<AuditPassBody>,
    /// The last audit that somebody asked for; without `finished_ms` it is under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_audit: Option<AuditPassBody>,
}

/// The ledger's time and the machine's clock.
#[derive(Serialize, ToSchema)]
pub struct LedgerClockBody {
    /// The clock is behind the ledger by so much, and draws and reservations are refused as `clock_behind`; 0 when all is
    /// well.
    pub behind_ms: u64,
    /// By so much the ledger last followed a clock back that was put right; 0 if it never did since the start.
    pub put_back_ms: u64,
}

/// One audit of everything.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditPassBody {
    pub number: u64,
    /// Whether rows that differed were corrected.
    pub fix: bool,
    pub started_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<i64>,
    /// Why it did not come to its end; what it lists is then a part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gave_up: Option<String>,
    /// Rows looked at so far, by what they are.
    pub checked: BTreeMap<&'static str, u64>,
    /// How many differences were found.
    pub found: u64,
    /// How many of them were corrected.
    pub corrected: u64,
    /// The first thousand.
    pub differences: Vec<DifferenceBody>,
}

/// One thing about one row.
#[derive(Debug, Serialize, ToSchema)]
pub struct DifferenceBody {
    /// A stable name.
    #[schema(example = "available")]
    pub what: &'static str,
    /// The row, in words.
    #[schema(example = "pool 7318349394477056 round 1")]
    pub row: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// The digest that an owner's units are kept under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The digest that a hold's id is kept under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold_key: Option<String>,
    /// The event that made the hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_seq: Option<String>,
    /// The order of a sale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prize: Option<u16>,
    /// What the ledger says; absent when it has nothing of the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<String>,
    /// What the database says; absent when it has nothing of the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    pub corrected: bool,
}

impl From<Pass> for AuditPassBody {
    fn from(pass: Pass) -> Self {
        Self {
            number: pass.number,
            fix: pass.fix,
            started_ms: pass.started.0,
            finished_ms: pass.finished.map(|at| at.0),
            gave_up: pass.gave_up,
            checked: pass.checked,
            found: pass.found,
            corrected: pass.corrected,
            differences: pass.differences.into_iter().map(DifferenceBody::from).collect(),
        }
    }
}

impl From<(Difference, bool)> for DifferenceBody {
    fn from((found, corrected): (Difference, bool)) -> Self {
        let (mut pool_id, mut of_round, mut owner_id, mut hold_key, mut made) =
            (None, None, None, None, None);
        let (mut of_activity, mut of_prize, mut of_order) = (None, None, None);
        match found.row {
            BookRow::Round { pool, round } => (pool_id, of_round) = (Some(pool), Some(round)),
            BookRow::Owner { pool, round, owner } => {
                (pool_id, of_round, owner_id) = (Some(pool), Some(round), Some(owner));
            }
            BookRow::Hold { made_seq, key } => (hold_key, made) = (Some(key), Some(made_seq)),
            BookRow::Order { order } => of_order = Some(order),
            BookRow::Play { activity, round } => (of_activity, of_round) = (Some(activity), Some(round)),
            BookRow::Prize { activity, round, prize } => {
                (of_activity, of_round, of_prize) = (Some(activity), Some(round), Some(prize));
            }
        }
        Self {
            what: found.what.name(),
            row: found.row.to_string(),
            pool_id: pool_id.map(|pool| pool.0.to_string()),
            round: of_round,
            owner: owner_id.map(|owner| format!("{owner:016x}")),
            hold_key: hold_key.map(|key| format!("{:032x}", key)),
            made_seq: made.map(|made| made.to_string()),
            order: of_order.map(|order| order.to_string()),
            activity: of_activity.map(|activity| activity.to_string()),
            prize: of_prize.map(PrizeId::number),
            ledger: found.ledger,
            database: found.database,
            corrected,
        }
    }
}

/// How far the ledger and its projection are, and what the audits found
#[utoipa::path(get, path = "/admin/ledger", tag = "admin", responses((status = 200, body = LedgerBody)))]
pub async fn ledger(State(app): State<App>, _: Reader) -> Json<LedgerBody> {
    let clock = app.world.ledger.stock.clock();
    let (figures, whole) = (app.world.ledger.auditor.figures(), app.world.ledger.audits.whole());
    Json(LedgerBody {
        durable: figures.durable.to_string(),
        projected: figures.projected.to_string(),
        lag: figures.durable.saturating_sub(figures.projected),
        trouble: figures.trouble,
        clock: LedgerClockBody { behind_ms: clock.behind_ms, put_back_ms: clock.put_back_ms },
        differences: whole.as_ref().map_or(0, Pass::left),
        last_audit: whole.map(AuditPassBody::from),
        asked_audit: app.world.ledger.audits.asked().map(AuditPassBody::from),
    })
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReconcileRequest {
    /// Bring rows of the database that differ in line with the ledger.
    #[serde(default)]
    pub fix: bool,
    /// Why; needed with `fix`. It goes into the audit log and the movements.
    #[serde(default)]
    pub reason: String,
}

/// Audit everything now
///
/// Compares the ledger and the database row by row and answers every difference; with `fix` the database's rows are
/// brought in line. One at a time: while another one runs the answer is `overloaded`. An audit that takes longer than a
/// few seconds is answered with 202 and goes on; its progress and its end are at `GET /admin/ledger`, under
/// `asked_audit`.
#[utoipa::path(post, path = "/admin/ledger/reconcile", tag = "admin",
    responses((status = 200, body = AuditPassBody), (status = 202, body = AuditPassBody)))]
pub async fn ledger_reconcile(
    State(app): State<App>,
    admin: Admin,
    body: Body<ReconcileRequest>,
) -> Result<(StatusCode, Json<AuditPassBody>), Problem> {
    let ReconcileRequest { fix, reason } = body.value;
    let ask = Reconcile { fix, reason, actor: admin.actor, request_id: admin.context.request_id.clone() };
    let pass = reconcile::reconcile(&app.world, ask).await?;
    let status = if pass.finished.is_some() { StatusCode::OK } else { StatusCode::ACCEPTED };
    Ok((status, Json(pass.into())))
}
