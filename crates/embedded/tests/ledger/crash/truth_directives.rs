//! What the journal says about directives, checked again.

use std::collections::BTreeMap;

use domain::ids::ActivityId;
use domain::ledger::play::ActivityState;
use domain::ledger::{Act, Event, PoolState};

use super::truth::{Pool, Truth, ensure};
use super::truth_draws::Chain;
use super::truth_play::Activity;

impl Truth {
    pub fn direct(&mut self, event: &Event, act: &Act) -> Result<(), &'static str> {
        match act {
            Act::PoolOpen { pool, round, total, owner_max, name: _ } => {
                let before = self.rounds.get(pool).copied().unwrap_or(0);
                ensure(*round == before + 1, "a round follows the one before")?;
                let over = before == 0 || self.pools[&(*pool, before)].state == PoolState::Closed;
                ensure(over, "a round begins when the one before is closed")?;
                self.rounds.insert(*pool, *round);
                let (state, owners) = (PoolState::Open, BTreeMap::new());
                let opened = Pool { state, total: *total, held: 0, taken: 0, owner_max: *owner_max, owners };
                self.pools.insert((*pool, *round), opened);
            }
            Act::PoolAdjust { pool, delta } => {
                let pool = self.running(*pool)?;
                pool.total = pool.total.checked_add_signed(*delta).ok_or("a total below nothing")?;
                pool.solvent()?;
            }
            Act::PoolLimit { pool, owner_max } => self.running(*pool)?.owner_max = *owner_max,
            Act::PoolState { pool, state } => self.running(*pool)?.state = *state,
            Act::ActivityOpen { activity, round, terms } => {
                let before = self.play.activities.get(activity);
                let over = before.is_none_or(|before| before.state == ActivityState::Closed);
                ensure(over, "an activity begins again when it has ended")?;
                let next = before.map_or(1, |before| before.round + 1);
                ensure((event.round, *round) == (next, next), "a round follows the one before")?;
                let (state, chain) = (ActivityState::Open, Chain::of(next, terms, None)?);
                let opened = Activity { round: next, state, terms: *terms, chain };
                self.play.activities.insert(*activity, opened);
            }
            Act::ActivityTerms { activity, round, terms } => {
                let now = self.not_ended(*activity)?;
                let current = (event.round, *round) == (now.round, now.round);
                ensure(current, "a version is put in place in the current round")?;
                ensure(terms.version > now.terms.version, "a version follows the one before")?;
                (now.terms, now.chain) = (*terms, Chain::of(now.round, terms, now.chain.take())?);
            }
            Act::ActivityState { activity, state } => self.not_ended(*activity)?.state = *state,
            Act::PrizeState { activity, .. } => {
                self.not_ended(*activity)?;
            }
            Act::Halt { on } => self.play.halted = *on,
            Act::Grant { activity, user, chances } => {
                self.play.players.entry((*activity, event.round, *user)).or_default().granted += chances;
            }
            Act::Revoke { activity, user, chances } => {
                let player = self.play.players.entry((*activity, event.round, *user)).or_default();
                player.granted =
                    player.granted.checked_sub(*chances).ok_or("more taken back than granted")?;
            }
        }
        Ok(())
    }

    fn not_ended(&mut self, activity: ActivityId) -> Result<&mut Activity, &'static str> {
        let now = self.play.activities.get_mut(&activity).ok_or("an activity that was never opened")?;
        ensure(now.state != ActivityState::Closed, "an activity that has ended changes no more")?;
        Ok(now)
    }
}
