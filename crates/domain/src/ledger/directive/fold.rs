//! Carrying out directives.

use std::collections::HashMap;

use super::super::command::{Key, PoolId};
use super::super::digest::CommandDigest;
use super::super::event::PoolState;
use super::super::fold::keep;
use super::super::play::Activity;
use super::super::record::{Pool, Record};
use super::super::slab::Slot;
use super::super::state::{Effect, Ledger};
use super::Act;
use super::judge::describe;
use crate::ids::ActivityId;

pub(in super::super) fn fold(
    ledger: &mut Ledger,
    seq: u64,
    (key, digest): (Key, CommandDigest),
    act: &Act,
) -> Effect {
    carry_out(ledger, act);
    let record = keep(ledger, Record::Directive { key, digest });
    ledger.finished.push_back((seq, record));
    describe(ledger, act).expect("what was changed is there")
}

fn carry_out(ledger: &mut Ledger, act: &Act) {
    match act {
        Act::PoolOpen { pool, round, total, owner_max, name: _ } => {
            open_pool(ledger, *pool, *round, *total, *owner_max);
        }
        Act::PoolAdjust { pool, delta } => change_pool(ledger, *pool, |pool| {
            pool.total = add(pool.total, *delta);
            pool.available = add(pool.available, *delta);
        }),
        Act::PoolLimit { pool, owner_max } => change_pool(ledger, *pool, |pool| pool.owner_max = *owner_max),
        Act::PoolState { pool, state } => change_pool(ledger, *pool, |pool| pool.state = *state),
        Act::ActivityOpen { activity, round, terms } => {
            let slot = ledger.activities.insert(Activity::new(*activity, *round, *terms));
            if let Some(old) = ledger.running.insert(*activity, slot)
                && ledger.activities[old].refs == 0
            {
                ledger.activities.remove(old);
            }
        }
        Act::ActivityTerms { activity, terms, round: _ } => {
            let changed = running(ledger, *activity);
            (changed.terms, changed.chain, changed.desk) = (*terms, terms.begin_chain(), None);
        }
        Act::ActivityState { activity, state } => running(ledger, *activity).state = *state,
        Act::PrizeState { activity, prize, withdrawn } => {
            let changed = running(ledger, *activity);
            changed.tally.withdraw(*prize, *withdrawn);
            // Laid out anew at the next draw: it knows about pools what is not known here.
            changed.desk = None;
        }
        Act::Halt { on } => ledger.halted = *on,
        Act::Grant { activity, user, chances } => {
            running(ledger, *activity).change(*user, |player| player.account.bonus += chances);
        }
        Act::Revoke { activity, user, chances } => {
            running(ledger, *activity).change(*user, |player| player.account.bonus -= chances);
        }
    }
}

fn open_pool(ledger: &mut Ledger, id: PoolId, round: u32, total: u64, owner_max: u32) {
    let slot = ledger.pools.insert(Pool {
        id,
        round,
        state: PoolState::Open,
        owner_max,
        total,
        available: total,
        held: 0,
        taken: 0,
        refs: 0,
        owners: HashMap::default(),
        watch: None,
    });
    let before = ledger.current.insert(id, slot);
    ledger.pools[slot].watch = match before {
        Some(old) => ledger.pools[old].watch.take(),
        None => ledger.wanted.remove(&id),
    };
    if let Some(old) = before
        && ledger.pools[old].refs == 0
    {
        ledger.pools.remove(old);
    }
    finish_pool(ledger, slot);
}

fn change_pool(ledger: &mut Ledger, pool: PoolId, change: impl FnOnce(&mut Pool)) {
    let slot = ledger.current[&pool];
    change(&mut ledger.pools[slot]);
    finish_pool(ledger, slot);
}

fn finish_pool(ledger: &mut Ledger, slot: Slot) {
    ledger.pools[slot].assert_conserved();
    ledger.touched(slot);
}

fn add(counter: u64, delta: i64) -> u64 {
    counter.checked_add_signed(delta).expect("a decided adjustment fits")
}

fn running(ledger: &mut Ledger, activity: ActivityId) -> &mut Activity {
    let slot = ledger.running[&activity];
    &mut ledger.activities[slot]
}
