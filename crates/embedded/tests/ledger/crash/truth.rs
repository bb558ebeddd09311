//! What the journal says happened, read by somebody who trusts nobody: every rule is checked again, event by event,
//! with sums of its own.

use std::collections::{BTreeMap, BTreeSet};

use domain::ledger::{Change, Event, Key, Lines, PoolId, PoolState, TakenLine};
use domain::time::Timestamp;

use super::truth_play::PlayTruth;

pub type Complaint = String;

#[derive(Default)]
pub struct Truth {
    pub pools: BTreeMap<(PoolId, u32), Pool>,
    pub rounds: BTreeMap<PoolId, u32>,
    pub holds: BTreeMap<Key, Hold>,
    /// Every id under which something was accepted.
    pub ids: BTreeSet<Key>,
    pub spent: BTreeSet<Key>,
    /// Whose hold, by the caller's own words.
    names: BTreeSet<(i64, String)>,
    pub play: PlayTruth,
    at: Timestamp,
    term: u32,
    pub seq: u64,
}

pub struct Pool {
    pub state: PoolState,
    pub total: u64,
    pub held: u64,
    pub taken: u64,
    pub owner_max: u32,
    pub owners: BTreeMap<String, u64>,
}

pub struct Hold {
    pub made: Timestamp,
    pub lines: Lines<TakenLine>,
    due: Timestamp,
    owner: Option<String>,
    pub end: Option<End>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Confirmed(Vec<u32>),
    Cancelled,
    Expired,
}

impl Truth {
    pub fn of(events: &[Event]) -> Result<Self, Complaint> {
        let mut truth = Self::default();
        for event in events {
            truth.add(event).map_err(|why| format!("{why}: {event:?}"))?;
        }
        Ok(truth)
    }

    fn add(&mut self, event: &Event) -> Result<(), &'static str> {
        ensure(event.seq == self.seq + 1, "events are numbered without a gap")?;
        let put_back = matches!(event.change, Change::ClockPutBack);
        ensure(put_back || event.at >= self.at, "time goes back only when a clock was put right")?;
        let began = matches!(event.change, Change::TermBegan);
        // A claim that wrote nothing leaves a number out.
        let terms = if began { event.term > self.term } else { event.term == self.term };
        ensure(terms, "a term begins once and lasts until the next")?;
        (self.seq, self.at, self.term) = (event.seq, event.at, event.term);
        match &event.change {
            Change::TermBegan | Change::ClockPutBack => {}
            Change::Directed { key, act, .. } => {
                self.fresh(*key)?;
                self.direct(event, act)?;
            }
            Change::Reserved { key, id, caller, owner, due, lines, digest: _ } => {
                self.fresh(*key)?;
                ensure(
                    self.names.insert((*caller, id.as_str().to_owned())),
                    "a caller's id was reserved twice",
                )?;
                ensure(*due > event.at, "a hold lasts")?;
                let owner = owner.as_ref().map(|owner| owner.text.as_str().to_owned());
                for line in lines {
                    self.take(line, owner.as_ref())?;
                }
                let hold = Hold { made: event.at, lines: lines.clone(), due: *due, owner, end: None };
                self.holds.insert(*key, hold);
            }
            Change::Confirmed { hold, taken, .. } => {
                ensure(event.at < self.open(*hold)?.due, "a hold was confirmed after its end")?;
                self.end(*hold, End::Confirmed(taken.clone()))?;
            }
            Change::Cancelled { hold, .. } => {
                ensure(event.at < self.open(*hold)?.due, "a hold was cancelled after its end")?;
                self.end(*hold, End::Cancelled)?;
            }
            Change::Expired { hold, .. } => {
                ensure(event.at >= self.open(*hold)?.due, "a hold expired before its end")?;
                self.end(*hold, End::Expired)?;
            }
            Change::Extended { hold, due, .. } => {
                let hold = self.open(*hold)?;
                ensure(event.at < hold.due && *due > hold.due, "a hold's end moves only forward, in time")?;
                hold.due = *due;
            }
            Change::Drawn(drawing) => self.drawn(event, drawing)?,
            Change::Entered(taking) => self.entered(event, taking)?,
            Change::Spent { hold, .. } => {
                self.fresh(*hold)?;
                self.spent.insert(*hold);
            }
        }
        Ok(())
    }

    pub fn fresh(&mut self, key: Key) -> Result<(), &'static str> {
        ensure(self.ids.insert(key), "an id was accepted twice")
    }

    pub fn running(&mut self, pool: PoolId) -> Result<&mut Pool, &'static str> {
        let round = self.rounds.get(&pool).ok_or("a pool that was never opened")?;
        let pool = self.pools.get_mut(&(pool, *round)).ok_or("a round that was never opened")?;
        ensure(pool.state != PoolState::Closed, "a closed round changes no more")?;
        Ok(pool)
    }

    fn open(&mut self, key: Key) -> Result<&mut Hold, &'static str> {
        let hold = self.holds.get_mut(&key).ok_or("a hold that was never reserved")?;
        ensure(hold.end.is_none(), "a hold ended twice")?;
        Ok(hold)
    }

    pub fn take(&mut self, line: &TakenLine, owner: Option<&String>) -> Result<(), &'static str> {
        ensure(self.rounds.get(&line.pool) == Some(&line.round), "a hold is of the current round")?;
        let pool = self.running(line.pool)?;
        ensure(pool.state == PoolState::Open, "only an open pool gives")?;
        let units = u64::from(line.quantity.units());
        pool.held += units;
        pool.solvent()?;
        if let Some(owner) = owner {
            let has = pool.owners.entry(owner.clone()).or_default();
            *has += units;
            let limit = u64::from(pool.owner_max);
            ensure(limit == 0 || *has <= limit, "an owner has more than the limit")?;
        }
        Ok(())
    }

    fn end(&mut self, key: Key, end: End) -> Result<(), &'static str> {
        let hold = self.open(key)?;
        let (lines, owner) = (hold.lines.clone(), hold.owner.clone());
        hold.end = Some(end.clone());
        let taken = match end {
            End::Confirmed(taken) => taken,
            End::Cancelled | End::Expired => vec![0; lines.len()],
        };
        ensure(taken.len() == lines.len(), "every line ends")?;
        for (line, taken) in lines.iter().zip(taken) {
            let (units, taken) = (u64::from(line.quantity.units()), u64::from(taken));
            ensure(taken <= units, "more was taken than was held")?;
            let pool = self.pools.get_mut(&(line.pool, line.round)).ok_or("no such round")?;
            pool.held -= units;
            pool.taken += taken;
            pool.solvent()?;
            if let Some(has) = owner.as_ref().and_then(|owner| pool.owners.get_mut(owner)) {
                *has -= units - taken;
            }
        }
        Ok(())
    }
}

impl Pool {
    pub fn solvent(&self) -> Result<(), &'static str> {
        ensure(self.held + self.taken <= self.total, "a pool was oversold")
    }
}

pub fn ensure(holds: bool, why: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(why) }
}
