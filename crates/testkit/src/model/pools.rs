//! The reference's pools: every counter is added up from the holds at every question.

use domain::ledger::{
    HoldState, LineView, OWNER_UNITS_MAX, PoolId, PoolRefusal, PoolState, PoolView, Refusal, Text,
};

use super::ledger::{Hold, Model, Round, small};

impl Model {
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
