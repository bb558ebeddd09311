//! How pools, holds and what came of a command are written in JSON.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use engine::inventory::queries::{HoldMove, HoldStory};
use engine::inventory::{
    GivenLine, InventoryAnswer, InventoryChange, InventoryItem, NamedHold, PoolCounters,
};
use serde::{Deserialize, Serialize};
use store::model::{LifeChange, LifeStep, Movement};
use utoipa::ToSchema;

use crate::openapi::PREFIX;
use crate::percent::percent;

/// A pool as it is now: `total = available + held + taken`, always.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PoolBody {
    #[schema(example = "store-7/tea/green")]
    pub name: String,
    /// Counts up each time a closed pool is opened again.
    pub round: u32,
    /// `open`, `frozen` or `closed`.
    pub state: &'static str,
    /// Units one owner may have; 0 is no limit.
    pub owner_max: u32,
    pub total: u64,
    /// Free to be reserved.
    pub available: u64,
    /// In open holds.
    pub held: u64,
    /// Confirmed.
    pub taken: u64,
}

impl From<PoolCounters> for PoolBody {
    fn from(PoolCounters { name, view }: PoolCounters) -> Self {
        Self {
            name,
            round: view.round,
            state: view.state.name(),
            owner_max: view.owner_max,
            total: view.total,
            available: view.available,
            held: view.held,
            taken: view.taken,
        }
    }
}

/// One change of a pool.
#[derive(Debug, Serialize, ToSchema)]
pub struct MovementBody {
    /// The event's number: higher is later.
    pub seq: String,
    pub at_ms: i64,
    pub round: u32,
    /// `opened`, `adjusted`, `limited`, `frozen`, `thawed`, `closed`, `reserved`, `confirmed`, `cancelled`, `expired`.
    pub kind: &'static str,
    /// By how much each counter changed.
    pub total: i64,
    pub available: i64,
    pub held: i64,
    pub taken: i64,
    /// The limit per owner that was set, when one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner_max: Option<u32>,
    /// The number of the event that made the hold which moved this: the `seq` of the first step of its life.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold_seq: Option<String>,
    /// That hold's id, as its caller named it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The person or API key that changed the pool; absent for holds and for the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

impl From<Movement> for MovementBody {
    fn from(movement: Movement) -> Self {
        Self {
            seq: movement.seq.to_string(),
            at_ms: movement.at.0,
            round: movement.round,
            kind: movement.kind.name(),
            total: movement.delta.total,
            available: movement.delta.available,
            held: movement.delta.held,
            taken: movement.delta.taken,
            owner_max: movement.owner_max,
            hold_seq: movement.hold.map(|seq| seq.to_string()),
            hold_id: movement.hold_id,
            reason: movement.note.filter(|note| !note.is_empty()),
            by: (movement.by != 0).then(|| movement.by.to_string()),
        }
    }
}

/// So many units of one pool, as they are sent.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LineRequest {
    #[schema(example = "store-7/tea/green")]
    pub pool: String,
    /// 1 to 1,000,000,000.
    pub quantity: i64,
}

impl From<LineRequest> for GivenLine {
    fn from(LineRequest { pool, quantity }: LineRequest) -> Self {
        Self { pool, quantity }
    }
}

/// A hold as it is now.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HoldBody {
    pub id: String,
    /// `held`, `confirmed`, `cancelled` or `expired`.
    pub state: &'static str,
    /// Absent for an id that was cancelled before its hold arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_ms: Option<i64>,
    /// When it is over unless it is confirmed, cancelled or extended before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_ms: Option<i64>,
    /// One for each pool: two lines on one pool are summed.
    pub lines: Vec<LineBody>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LineBody {
    /// Absent for a moment after a restart, while the pool is not yet in the database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    pub round: u32,
    /// As reserved.
    pub quantity: u32,
    /// As confirmed; the rest went back.
    pub taken: u32,
}

impl From<NamedHold> for HoldBody {
    fn from(hold: NamedHold) -> Self {
        let state = hold.state.name();
        let lines = hold.lines.into_iter().map(|line| LineBody {
            pool: line.pool,
            round: line.round,
            quantity: line.units,
            taken: line.taken,
        });
        Self {
            id: hold.id,
            state,
            made_ms: hold.times.map(|(made, _)| made.0),
            due_ms: hold.times.map(|(_, due)| due.0),
            lines: lines.collect(),
        }
    }
}

/// A hold in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct HoldListedBody {
    #[serde(flatten)]
    pub hold: HoldBody,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

impl From<(NamedHold, Option<String>)> for HoldListedBody {
    fn from((hold, owner): (NamedHold, Option<String>)) -> Self {
        Self { hold: hold.into(), owner }
    }
}

/// A hold and its life.
#[derive(Debug, Serialize, ToSchema)]
pub struct HoldStoryBody {
    #[serde(flatten)]
    pub hold: HoldBody,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// What happened to it, in order; follows the hold itself by a moment.
    pub life: Vec<LifeBody>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LifeBody {
    pub seq: String,
    pub at_ms: i64,
    /// `reserved`, `extended`, `confirmed`, `cancelled`, `expired`, or `spent`: cancelled before it arrived.
    pub what: &'static str,
    /// When it is over from this step on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_ms: Option<i64>,
    /// What it moved: one for each pool whose counters changed.
    pub moved: Vec<HoldMoveBody>,
}

/// By how much each counter of a pool changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct HoldMoveBody {
    /// Absent for a moment after a restart, while the pool is not yet in the database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    pub available: i64,
    pub held: i64,
    pub taken: i64,
}

impl From<HoldMove> for HoldMoveBody {
    fn from(HoldMove { pool, delta }: HoldMove) -> Self {
        Self { pool, available: delta.available, held: delta.held, taken: delta.taken }
    }
}

impl From<(LifeStep, Vec<HoldMove>)> for LifeBody {
    fn from((step, moves): (LifeStep, Vec<HoldMove>)) -> Self {
        let (what, due) = match step.what {
            LifeChange::Reserved { due } => ("reserved", Some(due)),
            LifeChange::Extended { due } => ("extended", Some(due)),
            LifeChange::Confirmed => ("confirmed", None),
            LifeChange::Cancelled => ("cancelled", None),
            LifeChange::Expired => ("expired", None),
            LifeChange::Spent => ("spent", None),
        };
        let moved = moves.into_iter().map(HoldMoveBody::from).collect();
        Self { seq: step.seq.to_string(), at_ms: step.at.0, what, due_ms: due.map(|due| due.0), moved }
    }
}

impl From<HoldStory> for HoldStoryBody {
    fn from(story: HoldStory) -> Self {
        Self {
            hold: story.hold.into(),
            owner: story.owner,
            life: story.life.into_iter().map(LifeBody::from).collect(),
        }
    }
}

/// What the answer to a command tells; the rest is found at `Location`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum InventoryItemBody {
    Pool(PoolBody),
    Hold(HoldBody),
}

/// The status a command alone is answered with.
pub fn status(came: InventoryChange) -> StatusCode {
    match came {
        InventoryChange::Made => StatusCode::CREATED,
        InventoryChange::Changed | InventoryChange::Again => StatusCode::OK,
    }
}

pub fn answer(told: InventoryAnswer) -> Response {
    let place = match &told.what {
        InventoryItem::Pool(PoolCounters { name, .. }) => ("pools", name),
        InventoryItem::Hold(NamedHold { id, .. }) => ("holds", id),
    };
    let place = format!("{PREFIX}/inventory/{}/{}", place.0, percent(place.1));
    let body = match told.what {
        InventoryItem::Pool(pool) => InventoryItemBody::Pool(pool.into()),
        InventoryItem::Hold(hold) => InventoryItemBody::Hold(hold.into()),
    };
    match told.came {
        InventoryChange::Made => (status(told.came), [(header::LOCATION, place)], Json(body)).into_response(),
        InventoryChange::Changed | InventoryChange::Again => Json(body).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use domain::ledger::{HoldState, PoolId, PoolState, PoolView};

    use super::*;

    #[test]
    fn what_is_made_says_where_it_is() {
        let hold =
            NamedHold { id: "order/1".to_owned(), state: HoldState::Held, times: None, lines: Vec::new() };
        let view = PoolView {
            pool: PoolId(1),
            round: 1,
            state: PoolState::Open,
            owner_max: 0,
            total: 0,
            available: 0,
            held: 0,
            taken: 0,
        };
        for (what, place) in [
            (InventoryItem::Hold(hold), "/api/v1/inventory/holds/order%2F1"),
            (
                InventoryItem::Pool(PoolCounters { name: "store-7/tea".to_owned(), view }),
                "/api/v1/inventory/pools/store-7%2Ftea",
            ),
        ] {
            let response = answer(InventoryAnswer { came: InventoryChange::Made, what });
            assert_eq!(response.status(), StatusCode::CREATED);
            assert_eq!(response.headers()[header::LOCATION], place);
        }
    }
}
