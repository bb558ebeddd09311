//! The reference's pools: every counter is added up from the holds at every question.

use domain::ledger::{
    Effect, HoldState, Key, LineView, OWNER_UNITS_MAX, PoolId, PoolRefusal, PoolState, PoolView, Refusal,
    TOTAL_MAX, Text,
};

use super::ledger::{Accepted, Hold, Model, PoolSaid, Round, Verdict, small};
use super::said::Said;

impl Model {
    pub(super) fn pool_command(&mut self, key: Key, pool: PoolId, said: PoolSaid) -> Verdict {
        match self.accepted.get(&key) {
            Some(Accepted::Pool(before)) if *before == said => {
                return Ok(Said::Replayed(Effect::Pool(self.pool(pool).expect("it was changed once"))));
            }
            Some(_) => return Err(Refusal::Conflict),
            None => {}
        }
        match &said {
            PoolSaid::Open { round, total, owner_max, .. } => {
                if *total > TOTAL_MAX {
                    return Err(Refusal::Pool(PoolRefusal::TotalTooLarge { pool }));
                }
                let rounds = self.pools.entry(pool).or_default();
                let running = rounds.last().is_some_and(|last| last.state != PoolState::Closed);
                if running || *round as usize != rounds.len() + 1 {
                    if rounds.is_empty() {
                        self.pools.remove(&pool);
                    }
                    return Err(Refusal::Pool(PoolRefusal::RoundStale { pool, round: *round }));
                }
                let stock = vec![i128::from(*total)];
                rounds.push(Round { state: PoolState::Open, owner_max: *owner_max, stock });
            }
            PoolSaid::Adjust { delta, .. } => {
                self.running(pool)?;
                let PoolView { total, available: free, .. } = self.pool(pool).expect("it runs");
                if i128::from(free) + i128::from(*delta) < 0 {
                    return Err(Refusal::Pool(PoolRefusal::NotFree { pool, free }));
                }
                if i128::from(total) + i128::from(*delta) > i128::from(TOTAL_MAX) {
                    return Err(Refusal::Pool(PoolRefusal::TotalTooLarge { pool }));
                }
                self.running(pool)?.stock.push(i128::from(*delta));
            }
            PoolSaid::Limit { owner_max, .. } => self.running(pool)?.owner_max = *owner_max,
            PoolSaid::State { state, .. } => self.running(pool)?.state = *state,
        }
        self.count();
        self.accepted.insert(key, Accepted::Pool(said));
        self.finished.push((self.changes, key));
        Ok(Said::Accepted(Effect::Pool(self.pool(pool).expect("it was changed just now"))))
    }

    /// Whether a pool gives so many units to this owner; answers in which round.
    pub(super) fn gives(&self, pool: PoolId, units: u64, owner: Option<&Text>) -> Result<u32, Refusal> {
        let now = self.pool(pool).ok_or(Refusal::Pool(PoolRefusal::Unknown { pool }))?;
        match now.state {
            PoolState::Open => {}
            PoolState::Frozen => return Err(Refusal::Pool(PoolRefusal::Frozen { pool })),
            PoolState::Closed => return Err(Refusal::Pool(PoolRefusal::Closed { pool })),
        }
        if let Some(owner) = owner {
            let has = self.owned(pool, now.round, owner);
            let limit = if now.owner_max == 0 { OWNER_UNITS_MAX } else { now.owner_max };
            if has + units > u64::from(limit) {
                return Err(Refusal::Pool(PoolRefusal::LimitReached { pool, limit, has: small(has) }));
            }
        }
        if units > now.available {
            return Err(Refusal::Pool(PoolRefusal::SoldOut { pool, left: now.available }));
        }
        Ok(now.round)
    }

    fn running(&mut self, pool: PoolId) -> Result<&mut Round, Refusal> {
        let last = self.pools.get_mut(&pool).and_then(|rounds| rounds.last_mut());
        match last.ok_or(Refusal::Pool(PoolRefusal::Unknown { pool }))? {
            Round { state: PoolState::Closed, .. } => Err(Refusal::Pool(PoolRefusal::Closed { pool })),
            round => Ok(round),
        }
    }

    pub(super) fn view(&self, pool: PoolId, round: usize) -> PoolView {
        let Round { state, owner_max, stock } = &self.pools[&pool][round - 1];
        let number = u32::try_from(round).expect("few rounds");
        let total = u64::try_from(stock.iter().sum::<i128>()).expect("never less than nothing");
        let (mut held, mut taken) = (0, 0);
        for (hold, line) in self.lines_on(pool, number) {
            match hold.state {
                HoldState::Held => held += u64::from(line.units),
                HoldState::Confirmed => taken += u64::from(line.taken),
                HoldState::Cancelled | HoldState::Expired => {}
            }
        }
        let tickets = self.tickets().flat_map(|ticket| &ticket.units);
        let of_this = tickets.filter(|(of, in_round, _)| (*of, *in_round) == (pool, number));
        taken += of_this.map(|(.., units)| units).sum::<u64>();
        let available = total.checked_sub(held + taken).expect("never oversold");
        PoolView { pool, round: number, state: *state, owner_max: *owner_max, total, available, held, taken }
    }

    /// What an owner holds or has taken.
    fn owned(&self, pool: PoolId, round: u32, owner: &Text) -> u64 {
        let theirs = self.lines_on(pool, round).filter(|(hold, _)| hold.asked.owner.as_ref() == Some(owner));
        let units = |(hold, line): (&Hold, &LineView)| match hold.state {
            HoldState::Held => u64::from(line.units),
            HoldState::Confirmed => u64::from(line.taken),
            HoldState::Cancelled | HoldState::Expired => 0,
        };
        theirs.map(units).sum()
    }

    fn lines_on(&self, pool: PoolId, round: u32) -> impl Iterator<Item = (&Hold, &LineView)> {
        self.holds()
            .flat_map(|(_, hold)| hold.lines.iter().map(move |line| (hold, line)))
            .filter(move |(_, line)| line.pool == pool && line.round == round)
    }
}
