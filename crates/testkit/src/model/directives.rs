//! The reference's directives: each is judged once, and its answer is what it is about.

use domain::ids::ActivityId;
use domain::ledger::play::{ActivityState, ActivityView, GRANT_MAX, PlayOutcome, Terms};
use domain::ledger::{
    Act, Directive, Effect, PlayRefusal, PoolId, PoolRefusal, PoolState, PoolView, Refusal, TOTAL_MAX,
};

use super::ledger::{Accepted, Model, Round, Verdict};
use super::play::Activity;
use super::said::Said;

impl Model {
    pub(super) fn direct(&mut self, directive: &Directive) -> Verdict {
        let Directive { key, act, note: _ } = directive;
        match self.accepted.get(key) {
            Some(Accepted::Act(before)) if before == act => return Ok(Said::Replayed(self.about(act))),
            Some(_) => return Err(Refusal::Conflict),
            None => {}
        }
        self.act(act)?;
        self.count();
        self.accepted.insert(*key, Accepted::Act(act.clone()));
        self.finished.push((self.changes, *key));
        Ok(Said::Accepted(self.about(act)))
    }

    fn act(&mut self, act: &Act) -> Result<(), Refusal> {
        match act {
            Act::PoolOpen { pool, round, total, owner_max, name: _ } => {
                self.open_pool(*pool, *round, *total, *owner_max)?;
            }
            Act::PoolAdjust { pool, delta } => self.adjust(*pool, i128::from(*delta))?,
            Act::PoolLimit { pool, owner_max } => self.running(*pool)?.owner_max = *owner_max,
            Act::PoolState { pool, state } => self.running(*pool)?.state = *state,
            Act::ActivityOpen { activity, round, terms } => self.open_activity(*activity, *round, *terms)?,
            Act::ActivityTerms { activity, round, terms } => self.change_terms(*activity, *round, *terms)?,
            Act::ActivityState { activity, state } => self.not_closed(*activity)?.state = *state,
            Act::PrizeState { activity, prize, withdrawn } => {
                self.not_closed(*activity)?.withdrawn.push((*prize, *withdrawn));
            }
            Act::Halt { on } => self.halted = *on,
            Act::Grant { activity, user, chances } => {
                self.not_closed(*activity)?;
                let round = self.round_of(*activity);
                let max = GRANT_MAX - self.account(*activity, round, *user).bonus;
                if *chances == 0 || *chances > max {
                    return Err(Refusal::Play(PlayRefusal::GrantOutOfRange { max }));
                }
                self.not_closed(*activity)?.granted.push((*user, i64::from(*chances)));
            }
            Act::Revoke { activity, user, chances } => {
                self.not_closed(*activity)?;
                let has = self.account(*activity, self.round_of(*activity), *user).bonus;
                if *chances == 0 || *chances > has {
                    return Err(Refusal::Play(PlayRefusal::RevokeOutOfRange { has }));
                }
                self.not_closed(*activity)?.granted.push((*user, -i64::from(*chances)));
            }
        }
        Ok(())
    }

    fn open_pool(&mut self, pool: PoolId, round: u32, total: u64, owner_max: u32) -> Result<(), Refusal> {
        if total > TOTAL_MAX {
            return Err(Refusal::Pool(PoolRefusal::TotalTooLarge { pool }));
        }
        let rounds = self.pools.get(&pool).map_or(&[][..], Vec::as_slice);
        let running = rounds.last().is_some_and(|last| last.state != PoolState::Closed);
        if running || round as usize != rounds.len() + 1 {
            return Err(Refusal::Pool(PoolRefusal::RoundStale { pool, round }));
        }
        let opened = Round { state: PoolState::Open, owner_max, stock: vec![i128::from(total)] };
        self.pools.entry(pool).or_default().push(opened);
        Ok(())
    }

    fn adjust(&mut self, pool: PoolId, delta: i128) -> Result<(), Refusal> {
        self.running(pool)?;
        let PoolView { total, available: free, .. } = self.pool(pool).expect("it runs");
        if i128::from(free) + delta < 0 {
            return Err(Refusal::Pool(PoolRefusal::NotFree { pool, free }));
        }
        if i128::from(total) + delta > i128::from(TOTAL_MAX) {
            return Err(Refusal::Pool(PoolRefusal::TotalTooLarge { pool }));
        }
        self.running(pool)?.stock.push(delta);
        Ok(())
    }

    fn open_activity(&mut self, activity: ActivityId, round: u32, terms: Terms) -> Result<(), Refusal> {
        let running = self.activity(activity).is_some_and(|now| now.state != ActivityState::Closed);
        if running || round != self.round_of(activity) + 1 {
            return Err(Refusal::Play(PlayRefusal::RoundStale { activity, round }));
        }
        self.activities.entry(activity).or_default().push(Activity::new(terms));
        Ok(())
    }

    fn change_terms(&mut self, activity: ActivityId, round: u32, terms: Terms) -> Result<(), Refusal> {
        let current = self.round_of(activity);
        let now = self.not_closed(activity)?;
        if round != current {
            return Err(Refusal::Play(PlayRefusal::RoundStale { activity, round }));
        }
        if terms.version <= now.terms.version {
            return Err(Refusal::Play(PlayRefusal::VersionStale { activity, version: now.terms.version }));
        }
        now.terms = terms;
        now.records.clear();
        Ok(())
    }

    fn running(&mut self, pool: PoolId) -> Result<&mut Round, Refusal> {
        let last = self.pools.get_mut(&pool).and_then(|rounds| rounds.last_mut());
        match last.ok_or(Refusal::Pool(PoolRefusal::Unknown { pool }))? {
            Round { state: PoolState::Closed, .. } => Err(Refusal::Pool(PoolRefusal::Closed { pool })),
            round => Ok(round),
        }
    }

    fn not_closed(&mut self, activity: ActivityId) -> Result<&mut Activity, Refusal> {
        let last = self.activities.get_mut(&activity).and_then(|rounds| rounds.last_mut());
        match last.ok_or(Refusal::Play(PlayRefusal::Unknown { activity }))? {
            Activity { state: ActivityState::Closed, .. } => {
                Err(Refusal::Play(PlayRefusal::Ended { activity }))
            }
            open => Ok(open),
        }
    }

    fn about(&self, act: &Act) -> Effect {
        Effect::Play(match act {
            Act::PoolOpen { pool, .. }
            | Act::PoolAdjust { pool, .. }
            | Act::PoolLimit { pool, .. }
            | Act::PoolState { pool, .. } => {
                return Effect::Pool(self.pool(*pool).expect("it was changed once"));
            }
            Act::ActivityOpen { activity, .. }
            | Act::ActivityTerms { activity, .. }
            | Act::ActivityState { activity, .. }
            | Act::PrizeState { activity, .. } => {
                let now = self.activity(*activity).expect("it was changed once");
                let (activity, round) = (*activity, self.round_of(*activity));
                PlayOutcome::Activity(ActivityView { activity, round, state: now.state, terms: now.terms })
            }
            Act::Halt { .. } => PlayOutcome::Halt { on: self.halted },
            Act::Grant { activity, user, .. } | Act::Revoke { activity, user, .. } => {
                let (activity, user, round) = (*activity, *user, self.round_of(*activity));
                PlayOutcome::Chances { activity, round, user, account: self.account(activity, round, user) }
            }
        })
    }
}
