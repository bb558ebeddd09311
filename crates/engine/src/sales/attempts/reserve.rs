//! An attempt as a command to the ledger, and the ledger's refusals by the names that buyers hear.

use domain::Rejection;
use domain::activity::{Plan, sale_pool};
use domain::ids::{OrderId, UserId};
use domain::ledger::{Command, HoldRefusal, Line, MustRun, PoolId, PoolRefusal, Quantity, Refusal};
use domain::sale::{SALES_CALLER, SalePlan, hold_id, hold_key, owner};

use crate::activity_cache::PublishedActivity;
use crate::draws::refusal::{Next, next_of_play};
use crate::failure::Fault;
use crate::inventory::pool_rejection;

/// What is sold. Only sales are let through to here.
pub(crate) fn plan(live: &PublishedActivity) -> Result<&SalePlan, Fault> {
    match &live.content.plan {
        Plan::Sale(plan) => Ok(plan),
        Plan::Instant(_) | Plan::Raffle(_) => Err(Fault::new(format!("{} is not a sale", live.activity))),
    }
}

/// It is not what its buyer was shown; so it is.
pub(crate) fn price_changed(plan: &SalePlan) -> Rejection {
    Rejection::PriceChanged { name: plan.name.clone(), price: plan.price.money() }
}

/// The pool that a sale's units are in.
pub(crate) fn pool(live: &PublishedActivity) -> PoolId {
    sale_pool(live.activity).pool()
}

/// Holds the units of every line, or of none: in the round and the version that the buyer was shown.
pub(crate) fn reserve(
    order: OrderId,
    user: UserId,
    key: Option<&str>,
    lines: &[(&PublishedActivity, u32)],
) -> Result<Command, Fault> {
    let bad = || Fault::new(format!("order {order} has no name in the ledger"));
    let mut hold_ms = i64::MAX;
    let (mut held, mut gates) = (Vec::with_capacity(lines.len()), Vec::with_capacity(lines.len()));
    for (live, quantity) in lines {
        hold_ms = hold_ms.min(plan(live)?.hold_ms);
        let quantity = Quantity::new((*quantity).into()).ok_or_else(|| Fault::new("an order of nothing"))?;
        held.push(Line { pool: pool(live), quantity });
        gates.push(MustRun { activity: live.activity, round: live.life.round, version: live.version });
    }
    Ok(Command::Reserve {
        key: hold_key(order, user, key),
        id: hold_id(order).ok_or_else(bad)?,
        caller: SALES_CALLER,
        owner: Some(owner(user).ok_or_else(bad)?),
        lines: held,
        ttl_ms: hold_ms,
        gates,
    })
}

/// `name` says what the pool's sale sells.
pub(crate) fn next(refusal: &Refusal, name: impl Fn(PoolId) -> String) -> Result<Next, Fault> {
    Ok(match refusal {
        // The same key with other lines, in an earlier life of this process.
        Refusal::Conflict => Next::Tell(Rejection::IdempotencyConflict),
        Refusal::ClockBehind { .. } => Next::Tell(Rejection::clock_behind()),
        Refusal::Play(refusal) => return next_of_play(refusal),
        Refusal::Pool(PoolRefusal::Unknown { .. }) => Next::Tell(Rejection::NotRunning),
        Refusal::Pool(refusal) => Next::Tell(pool_rejection(refusal, name)),
        Refusal::Hold(HoldRefusal::AlreadyCancelled) => Next::Tell(Rejection::AttemptLost),
        Refusal::Hold(_) | Refusal::NothingDue => {
            return Err(Fault::new(format!("a buyer was refused as {}", refusal.name())));
        }
    })
}

#[cfg(test)]
mod tests {
    use domain::ids::ActivityId;
    use domain::ledger::PlayRefusal;
    use domain::time::Timestamp;

    use super::*;

    #[test]
    fn every_refusal_has_a_name_of_its_own() {
        let (activity, pool) = (ActivityId(7), PoolId(9));
        for (refusal, code) in [
            (Refusal::Pool(PoolRefusal::SoldOut { pool, left: 0 }), "sold_out"),
            (Refusal::Pool(PoolRefusal::LimitReached { pool, limit: 1, has: 1 }), "limit_reached"),
            (Refusal::Pool(PoolRefusal::Frozen { pool }), "frozen"),
            (Refusal::Pool(PoolRefusal::Closed { pool }), "closed"),
            (Refusal::Pool(PoolRefusal::Unknown { pool }), "not_running"),
            (Refusal::Play(PlayRefusal::Unknown { activity }), "not_running"),
            (Refusal::Play(PlayRefusal::NotStarted { activity, from: Timestamp(0) }), "not_started"),
            (Refusal::Play(PlayRefusal::Ended { activity }), "ended"),
            (Refusal::Play(PlayRefusal::Paused { activity }), "paused"),
            (Refusal::Play(PlayRefusal::Halted), "halted"),
            (Refusal::Conflict, "idempotency_conflict"),
            (Refusal::Hold(HoldRefusal::AlreadyCancelled), "attempt_lost"),
            (Refusal::ClockBehind { behind_ms: 9_000 }, "clock_behind"),
        ] {
            match next(&refusal, |_| "tea".to_owned()).unwrap() {
                Next::Tell(rejection) => assert_eq!(rejection.code(), code, "{refusal:?}"),
                Next::Again => panic!("{refusal:?} is told"),
            }
        }
        for refusal in [
            Refusal::Play(PlayRefusal::VersionStale { activity, version: 2 }),
            Refusal::Play(PlayRefusal::RoundStale { activity, round: 2 }),
        ] {
            assert!(matches!(next(&refusal, |_| String::new()), Ok(Next::Again)), "{refusal:?}");
        }
        assert!(next(&Refusal::NothingDue, |_| String::new()).is_err(), "it is never said to a buyer");
    }
}
