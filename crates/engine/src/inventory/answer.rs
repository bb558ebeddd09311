//! Commands to the ledger, and what came of each, in words a backend knows.
//!
//! A batch is one step: all commands go to the ledger together and each has its own answer. What is malformed is
//! answered without the ledger and spoils nothing.

use std::sync::Arc;

use domain::Rejection;
use domain::ledger::{
    Act, Command, Directive, Effect, HoldRefusal, HoldState, HoldView, PoolId, PoolName, PoolRefusal,
    PoolView, QUANTITY_MAX, Refusal,
};
use domain::rejection::{FieldProblem, Milliseconds};
use domain::time::Timestamp;
use serde_json::{Value as Json, json};
use store::model::AuditStamp;

use crate::access::audited;
use crate::access::audited::AuditedAct;
use crate::failure::{Fault, Result};
use crate::inventory::ask::{Asker, BATCH_MAX, InventoryRequest, Prepared, prepare, strip_owner_prefix};
use crate::ports::StockAnswer;
use crate::world::World;

/// Seconds after which a caller with too many tombstones should come again: they leave when they are projected.
const TOMBSTONES_RETRY_S: i64 = 1;

/// What a command came to.
#[derive(Clone, Debug)]
pub struct InventoryAnswer {
    pub came: InventoryChange,
    pub what: InventoryItem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InventoryChange {
    /// Something new is there.
    Made,
    Changed,
    /// Accepted before; the same again.
    Again,
}

#[derive(Clone, Debug)]
pub enum InventoryItem {
    Pool(PoolCounters),
    Hold(NamedHold),
}

/// A pool's current round under the name its owner gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolCounters {
    pub name: String,
    pub view: PoolView,
}

/// A hold under its caller's own id, its lines by name.
#[derive(Clone, Debug)]
pub struct NamedHold {
    pub id: String,
    pub state: HoldState,
    /// When it was made and when it is over. Nothing for an id that was cancelled before its hold arrived.
    pub times: Option<(Timestamp, Timestamp)>,
    pub lines: Vec<NamedLine>,
}

#[derive(Clone, Debug)]
pub struct NamedLine {
    /// Nothing for a moment after a restart.
    pub pool: Option<String>,
    pub round: u32,
    pub units: u32,
    pub taken: u32,
}

pub async fn ask(world: &World, signed: &AuditStamp, ask: InventoryRequest) -> Result<InventoryAnswer> {
    let mut told = ask_many(world, signed, vec![Ok(ask)]).await?;
    Ok(told.pop().ok_or_else(|| Fault::new("a command without an answer"))??)
}

/// Each with its own outcome, in order. Changes of pools have lines in the audit log; holds are the ledger's own record.
pub async fn ask_many(
    world: &World,
    signed: &AuditStamp,
    asks: Vec<Result<InventoryRequest, Rejection>>,
) -> Result<Vec<Result<InventoryAnswer, Rejection>>> {
    if asks.is_empty() || asks.len() > BATCH_MAX {
        let max = i64::try_from(BATCH_MAX).unwrap_or(i64::MAX);
        return Err(Rejection::invalid("commands", FieldProblem::OutOfRange { min: 1, max }).into());
    }
    let asker = Asker::from(signed.actor);
    let prepared: Vec<_> = asks.into_iter().map(|ask| prepare(asker, ask?)).collect();
    let commands: Vec<Command> = prepared.iter().flatten().map(|ready| ready.command.clone()).collect();
    commands.iter().for_each(|_| world.caches.crowd.came());
    let mut acts = Vec::with_capacity(commands.len());
    for ready in prepared.iter().flatten() {
        acts.push(act_of(world, signed, ready).await?);
    }
    let answers = if commands.is_empty() {
        Vec::new()
    } else {
        audited::ask_all(world, asker.lane(), commands, acts).await?
    };
    let mut answers = answers.into_iter();
    let mut outcomes = Vec::with_capacity(prepared.len());
    for ready in prepared {
        outcomes.push(match ready {
            Err(rejection) => Err(rejection),
            Ok(ready) => {
                let answer = answers.next().ok_or_else(|| Fault::new("a command without an answer"))?;
                to_answer(world, ready, answer).await?
            }
        });
    }
    Ok(outcomes)
}

/// What the audit log says of a change to a pool.
async fn act_of(
    world: &World,
    signed: &AuditStamp,
    ready: &Prepared,
) -> Result<Option<(AuditedAct, AuditStamp)>> {
    // Holds are not audited one by one.
    let Command::Direct(Directive { note, act, key: _ }) = &ready.command else { return Ok(None) };
    let (action, pool, before, after) = match act {
        Act::PoolOpen { pool, round, total, owner_max, name: _ } => {
            let after = json!({ "round": round, "total": total, "owner_max": owner_max });
            ("pool.open", pool, false, after)
        }
        Act::PoolAdjust { pool, delta } => ("pool.adjust", pool, false, json!({ "delta": delta })),
        Act::PoolLimit { pool, owner_max } => ("pool.limit", pool, true, json!({ "owner_max": owner_max })),
        Act::PoolState { pool, state } => ("pool.state", pool, true, json!({ "state": state.name() })),
        Act::ActivityOpen { .. }
        | Act::ActivityTerms { .. }
        | Act::ActivityState { .. }
        | Act::PrizeState { .. }
        | Act::Halt { .. }
        | Act::Grant { .. }
        | Act::Revoke { .. } => return Ok(None),
    };
    let before = match before {
        true => world.ledger.stock.pool(*pool).await?.map_or(Json::Null, |view| audited::counters(&view)),
        false => Json::Null,
    };
    let subject = format!("pool:{}", name_of(&ready.names, *pool));
    let signed = AuditStamp { audit_id: world.next_id(), reason: note.as_str().to_owned(), ..signed.clone() };
    Ok(Some((AuditedAct::new(action, subject, before, after), signed)))
}

async fn to_answer(
    world: &World,
    ready: Prepared,
    answer: StockAnswer,
) -> Result<Result<InventoryAnswer, Rejection>> {
    let (came, done) = match answer {
        StockAnswer::Accepted(done) if ready.creates => (InventoryChange::Made, done),
        StockAnswer::Accepted(done) => (InventoryChange::Changed, done),
        StockAnswer::Replayed(done) => (InventoryChange::Again, done),
        // Of an id that was cancelled before its hold arrived nothing else is known: cancelling it again is the same.
        StockAnswer::Refused(Refusal::Hold(HoldRefusal::AlreadyCancelled))
            if matches!(ready.command, Command::Cancel { .. }) =>
        {
            return Ok(Ok(InventoryAnswer {
                came: InventoryChange::Again,
                what: InventoryItem::Hold(cancelled_hold(ready.id)),
            }));
        }
        StockAnswer::Refused(refusal) => {
            return Ok(Err(rejection(&refusal, &ready.names)?));
        }
    };
    for (pool, name) in &ready.names {
        world.caches.pool_names.keep(*pool, name);
    }
    let what = match done {
        Effect::Pool(view) => {
            InventoryItem::Pool(PoolCounters { name: name_of(&ready.names, view.pool), view })
        }
        Effect::Hold(view) => InventoryItem::Hold(name_hold(world, ready.id, view).await?),
        Effect::Play(_) => return Err(Fault::new("a command about stock was answered with a draw").into()),
    };
    Ok(Ok(InventoryAnswer { came, what }))
}

/// A hold with its pools by name.
pub(crate) async fn name_hold(world: &World, id: String, view: HoldView) -> Result<NamedHold> {
    if view.lines.is_empty() {
        return Ok(cancelled_hold(id));
    }
    let mut lines = Vec::with_capacity(view.lines.len());
    for line in &view.lines {
        let pool = find_pool_name(world, line.pool).await?;
        lines.push(NamedLine { pool, round: line.round, units: line.units, taken: line.taken });
    }
    Ok(NamedHold { id, state: view.state, times: Some((view.made, view.due)), lines })
}

/// A pool's name as its owner gave it; nothing for a moment after a restart.
pub(crate) async fn find_pool_name(world: &World, pool: PoolId) -> Result<Option<String>> {
    let whole = world.caches.pool_names.find(&world.db, pool).await?;
    Ok(whole.map(|whole| strip_owner_prefix(&whole).unwrap_or(&whole).to_owned()))
}

fn cancelled_hold(id: String) -> NamedHold {
    NamedHold { id, state: HoldState::Cancelled, times: None, lines: Vec::new() }
}

/// The name as the caller gave it: a refusal speaks only of pools that the command named.
fn name_of(names: &[(PoolId, Arc<str>)], pool: PoolId) -> String {
    let whole = names.iter().find(|(id, _)| *id == pool).map(|(_, whole)| whole);
    whole.map_or_else(|| pool.0.to_string(), |whole| strip_owner_prefix(whole).unwrap_or(whole).to_owned())
}

/// The same about one pool that has its name from somebody else than its owner.
pub fn stock_rejection(refusal: &Refusal, name: &PoolName) -> Result<Rejection, Fault> {
    rejection(refusal, &[(name.pool(), name.as_str().into())])
}

/// Every "no" of the ledger to a command about stock, as the API says it.
fn rejection(refusal: &Refusal, names: &[(PoolId, Arc<str>)]) -> Result<Rejection, Fault> {
    Ok(match refusal {
        Refusal::Conflict => Rejection::IdConflict,
        Refusal::ClockBehind { .. } => Rejection::clock_behind(),
        Refusal::Pool(refusal) => pool_rejection(refusal, |pool| name_of(names, pool)),
        Refusal::Hold(refusal) => hold_rejection(refusal, names),
        Refusal::NothingDue | Refusal::Play(_) => {
            return Err(Fault::new(format!("a command about stock was refused as {}", refusal.name())));
        }
    })
}

/// `name` is the pool's name as the caller knows it.
pub(crate) fn pool_rejection(refusal: &PoolRefusal, name: impl Fn(PoolId) -> String) -> Rejection {
    match refusal {
        PoolRefusal::Unknown { pool } => Rejection::PoolUnknown { pool: name(*pool) },
        PoolRefusal::RoundStale { pool, round } => Rejection::RoundStale { pool: name(*pool), round: *round },
        PoolRefusal::Frozen { pool } => Rejection::PoolFrozen { pool: name(*pool) },
        PoolRefusal::Closed { pool } => Rejection::PoolClosed { pool: name(*pool) },
        PoolRefusal::SoldOut { pool, left } => Rejection::SoldOut { pool: name(*pool), left: *left },
        PoolRefusal::LimitReached { pool, limit, has } => {
            Rejection::LimitReached { pool: name(*pool), limit: *limit, has: *has }
        }
        PoolRefusal::NotFree { pool, free } => Rejection::NotFree { pool: name(*pool), left: *free },
        PoolRefusal::TotalTooLarge { pool } => Rejection::TotalTooLarge { pool: name(*pool) },
    }
}

fn hold_rejection(refusal: &HoldRefusal, names: &[(PoolId, Arc<str>)]) -> Rejection {
    let lines = |problem| Rejection::invalid("lines", problem);
    match refusal {
        HoldRefusal::Unknown => Rejection::HoldUnknown,
        HoldRefusal::AlreadyConfirmed => Rejection::AlreadyConfirmed,
        HoldRefusal::AlreadyCancelled => Rejection::AlreadyCancelled,
        HoldRefusal::Expired => Rejection::HoldExpired,
        HoldRefusal::NotHeld { pool } => Rejection::NotHeld { pool: name_of(names, *pool) },
        HoldRefusal::NoLines => lines(FieldProblem::TooShort { min: 1 }),
        HoldRefusal::TooManyLines { max } => lines(FieldProblem::TooLong { max: u64::from(*max) }),
        HoldRefusal::QuantityTooLarge { .. } => {
            lines(FieldProblem::OutOfRange { min: 1, max: i64::from(QUANTITY_MAX) })
        }
        HoldRefusal::TtlOutOfRange { min_ms, max_ms } => {
            Rejection::invalid("ttl_ms", FieldProblem::OutOfRange { min: *min_ms, max: *max_ms })
        }
        HoldRefusal::ExtendTooFar { max_ms } => Rejection::ExtendTooFar { max: Milliseconds(*max_ms) },
        HoldRefusal::TombstonesFull { max } => {
            Rejection::TombstonesFull { max: *max, retry_after_s: TOMBSTONES_RETRY_S }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every refusal of the ledger, and what a caller hears: the code and whom or what to blame.
    #[test]
    fn every_refusal_has_a_name_of_its_own() {
        let pool = PoolId(7);
        let names: Vec<(PoolId, Arc<str>)> = vec![(pool, "inventory/tea".into())];
        for (refusal, code, blamed) in [
            (Refusal::Pool(PoolRefusal::Unknown { pool }), "pool_unknown", "tea"),
            (Refusal::Pool(PoolRefusal::RoundStale { pool, round: 2 }), "round_stale", "tea"),
            (Refusal::Pool(PoolRefusal::Frozen { pool }), "frozen", "tea"),
            (Refusal::Pool(PoolRefusal::Closed { pool }), "closed", "tea"),
            (Refusal::Pool(PoolRefusal::SoldOut { pool, left: 1 }), "sold_out", "tea"),
            (Refusal::Pool(PoolRefusal::LimitReached { pool, limit: 2, has: 1 }), "limit_reached", "tea"),
            (Refusal::Conflict, "conflict", ""),
            (Refusal::Hold(HoldRefusal::Unknown), "hold_unknown", ""),
            (Refusal::Hold(HoldRefusal::AlreadyConfirmed), "already_confirmed", ""),
            (Refusal::Hold(HoldRefusal::AlreadyCancelled), "already_cancelled", ""),
            (Refusal::Hold(HoldRefusal::Expired), "expired", ""),
            (Refusal::Hold(HoldRefusal::NotHeld { pool }), "not_held", "tea"),
            (Refusal::Pool(PoolRefusal::NotFree { pool, free: 3 }), "not_free", "tea"),
            (Refusal::Pool(PoolRefusal::TotalTooLarge { pool }), "total_too_large", "tea"),
            (Refusal::Hold(HoldRefusal::NoLines), "invalid_field", "lines"),
            (Refusal::Hold(HoldRefusal::TooManyLines { max: 100 }), "invalid_field", "lines"),
            (Refusal::Hold(HoldRefusal::QuantityTooLarge { pool }), "invalid_field", "lines"),
            (Refusal::Hold(HoldRefusal::TtlOutOfRange { min_ms: 1, max_ms: 2 }), "invalid_field", "ttl_ms"),
            (Refusal::Hold(HoldRefusal::ExtendTooFar { max_ms: 2 }), "extend_too_far", ""),
            (Refusal::Hold(HoldRefusal::TombstonesFull { max: 2 }), "tombstones_full", ""),
            (Refusal::ClockBehind { behind_ms: 9_000 }, "clock_behind", ""),
        ] {
            let rejection = rejection(&refusal, &names).unwrap();
            let told = rejection.field().map(str::to_owned).or(rejection.details().pool);
            assert_eq!((rejection.code(), told.unwrap_or_default().as_str()), (code, blamed), "{refusal:?}");
        }
        assert!(rejection(&Refusal::NothingDue, &names).is_err(), "it is never said to a caller");
    }
}
