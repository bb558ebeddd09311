//! Judging directives. Reads only.

use super::super::command::PoolId;
use super::super::decide::{Decision, Found, current, lookup};
use super::super::event::{Change, PoolState};
use super::super::play::decide::known;
use super::super::play::{Activity, ActivityState, GRANT_MAX, PlayOutcome};
use super::super::record::Pool;
use super::super::refusal::{PlayRefusal, PoolRefusal, Refusal};
use super::super::state::{Effect, Ledger, TOTAL_MAX};
use super::{Act, Directive, Subject};
use crate::ids::ActivityId;

/// Judged the first time, the same again afterwards.
pub(in super::super) fn once(ledger: &Ledger, directive: &Directive, absent_at: Option<u64>) -> Decision {
    let Directive { key, note, act } = directive;
    let digest = act.digest();
    match lookup(ledger, *key, absent_at) {
        Found::Directive(before) if before == digest => {
            describe(ledger, act).map_or_else(Decision::Refuse, Decision::Replay)
        }
        Found::Directive(_) | Found::Hold(_) | Found::Ticket(_) | Found::Tombstone => {
            Refusal::Conflict.into()
        }
        Found::Perhaps => Decision::LookUp,
        Found::Nothing => match judge(ledger, act) {
            Err(refusal) => refusal.into(),
            Ok(()) => {
                Decision::Accept(Change::Directed { key: *key, digest, note: note.clone(), act: act.clone() })
            }
        },
    }
}

/// What an act is about, as it is now: the answer to it.
pub(super) fn describe(ledger: &Ledger, act: &Act) -> Result<Effect, Refusal> {
    match act.subject() {
        Subject::Pool(pool) => current(ledger, pool).map(|slot| Effect::Pool(ledger.pools[slot].view())),
        Subject::Activity(activity) => {
            known(ledger, activity).map(|found| Effect::Play(PlayOutcome::Activity(found.view())))
        }
        Subject::Chances(activity, user) => known(ledger, activity).map(|found| {
            let (round, account) = (found.round, found.account(user));
            Effect::Play(PlayOutcome::Chances { activity, round, user, account })
        }),
        Subject::Everything => Ok(Effect::Play(PlayOutcome::Halt { on: ledger.halted })),
    }
}

fn judge(ledger: &Ledger, act: &Act) -> Result<(), Refusal> {
    match act {
        Act::PoolOpen { pool, round, total, name: _, owner_max: _ } => {
            may_open_pool(ledger, *pool, *round, *total)
        }
        Act::PoolAdjust { pool, delta } => may_adjust(ledger, *pool, *delta),
        Act::PoolLimit { pool, .. } | Act::PoolState { pool, .. } => {
            pool_not_closed(ledger, *pool).map(|_| ())
        }
        Act::ActivityOpen { activity, round, terms: _ } => may_open_activity(ledger, *activity, *round),
        Act::ActivityTerms { activity, round, terms } => {
            may_change_terms(ledger, *activity, *round, terms.version)
        }
        Act::ActivityState { activity, .. } | Act::PrizeState { activity, .. } => {
            activity_not_closed(ledger, *activity).map(|_| ())
        }
        Act::Halt { .. } => Ok(()),
        Act::Grant { activity, user, chances } => {
            let account = activity_not_closed(ledger, *activity)?.account(*user);
            let room = GRANT_MAX.saturating_sub(account.bonus);
            if *chances == 0 || *chances > room {
                return Err(Refusal::Play(PlayRefusal::GrantOutOfRange { max: room }));
            }
            Ok(())
        }
        Act::Revoke { activity, user, chances } => {
            let has = activity_not_closed(ledger, *activity)?.account(*user).bonus;
            if *chances == 0 || *chances > has {
                return Err(Refusal::Play(PlayRefusal::RevokeOutOfRange { has }));
            }
            Ok(())
        }
    }
}

fn may_open_pool(ledger: &Ledger, pool: PoolId, round: u32, total: u64) -> Result<(), Refusal> {
    if total > TOTAL_MAX {
        return Err(Refusal::Pool(PoolRefusal::TotalTooLarge { pool }));
    }
    let (expected, closed) = match ledger.current.get(&pool) {
        None => (1, true),
        Some(slot) => (ledger.pools[*slot].round + 1, ledger.pools[*slot].state == PoolState::Closed),
    };
    if round == expected && closed {
        Ok(())
    } else {
        Err(Refusal::Pool(PoolRefusal::RoundStale { pool, round }))
    }
}

fn may_adjust(ledger: &Ledger, id: PoolId, delta: i64) -> Result<(), Refusal> {
    let pool = pool_not_closed(ledger, id)?;
    let units = delta.unsigned_abs();
    if delta < 0 && units > pool.available {
        return Err(Refusal::Pool(PoolRefusal::NotFree { pool: id, free: pool.available }));
    }
    if delta > 0 && pool.total.saturating_add(units) > TOTAL_MAX {
        return Err(Refusal::Pool(PoolRefusal::TotalTooLarge { pool: id }));
    }
    Ok(())
}

/// The current round of a pool that is not closed.
fn pool_not_closed(ledger: &Ledger, pool: PoolId) -> Result<&Pool, Refusal> {
    let round = &ledger.pools[current(ledger, pool)?];
    if round.state == PoolState::Closed {
        Err(Refusal::Pool(PoolRefusal::Closed { pool }))
    } else {
        Ok(round)
    }
}

fn may_open_activity(ledger: &Ledger, activity: ActivityId, round: u32) -> Result<(), Refusal> {
    let (expected, closed) = match ledger.activity(activity) {
        None => (1, true),
        Some(now) => (now.round + 1, now.state == ActivityState::Closed),
    };
    if round == expected && closed {
        Ok(())
    } else {
        Err(Refusal::Play(PlayRefusal::RoundStale { activity, round }))
    }
}

fn may_change_terms(ledger: &Ledger, id: ActivityId, round: u32, version: u32) -> Result<(), Refusal> {
    let activity = activity_not_closed(ledger, id)?;
    if activity.round != round {
        return Err(Refusal::Play(PlayRefusal::RoundStale { activity: id, round }));
    }
    if version <= activity.terms.version {
        return Err(Refusal::Play(PlayRefusal::VersionStale {
            activity: id,
            version: activity.terms.version,
        }));
    }
    Ok(())
}

fn activity_not_closed(ledger: &Ledger, activity: ActivityId) -> Result<&Activity, Refusal> {
    let found = known(ledger, activity)?;
    if found.state == ActivityState::Closed {
        Err(Refusal::Play(PlayRefusal::Ended { activity }))
    } else {
        Ok(found)
    }
}
