//! The reference's holds.

use domain::ledger::{
    Effect, HoldRefusal, HoldState, HoldView, Key, Limits, Line, LineView, MustRun, PoolId, QUANTITY_MAX,
    Refusal, Take,
};
use domain::time::Timestamp;

use super::ledger::{Accepted, Asked, Hold, Model, Verdict, small};
use super::said::Said;

impl Model {
    pub(super) fn reserve(&mut self, key: Key, asked: Asked, gates: &[MustRun]) -> Verdict {
        match self.accepted.get(&key) {
            Some(Accepted::Hold(hold)) if hold.asked == asked => {
                return Ok(Said::Replayed(self.hold_outcome(key)));
            }
            Some(Accepted::Hold(_) | Accepted::Act(_) | Accepted::Ticket(_)) => {
                return Err(Refusal::Conflict);
            }
            Some(Accepted::Spent { .. }) => return Err(Refusal::Hold(HoldRefusal::AlreadyCancelled)),
            None => {}
        }
        let Limits { lines_max, ttl_min_ms: min_ms, ttl_max_ms: max_ms, .. } = self.limits;
        if asked.ttl_ms < min_ms || asked.ttl_ms > max_ms {
            return Err(Refusal::Hold(HoldRefusal::TtlOutOfRange { min_ms, max_ms }));
        }
        if asked.lines.is_empty() {
            return Err(Refusal::Hold(HoldRefusal::NoLines));
        }
        if asked.lines.len() > lines_max as usize || gates.len() > lines_max as usize {
            return Err(Refusal::Hold(HoldRefusal::TooManyLines { max: lines_max }));
        }
        self.clock_right()?;
        if let Some(refusal) = gates.iter().find_map(|gate| self.closed(*gate)) {
            return Err(refusal);
        }
        let wanted = summed(&asked.lines);
        if let Some((pool, _)) = wanted.iter().find(|(_, units)| *units > u64::from(QUANTITY_MAX)) {
            return Err(Refusal::Hold(HoldRefusal::QuantityTooLarge { pool: *pool }));
        }
        let mut lines = Vec::new();
        for (pool, units) in wanted {
            let round = self.gives(pool, units, asked.owner.as_ref())?;
            lines.push(LineView { pool, round, units: small(units), taken: 0 });
        }
        let due = self.now + asked.ttl_ms;
        let hold = Hold { asked, made: self.now, due, lines, state: HoldState::Held };
        self.accepted.insert(key, Accepted::Hold(hold));
        self.count();
        Ok(Said::Accepted(self.hold_outcome(key)))
    }

    pub(super) fn confirm(&mut self, key: Key, take: &Take) -> Verdict {
        let hold = self.known_hold(key)?;
        let wanted: Result<Vec<u32>, Refusal> = match take {
            Take::All => Ok(hold.lines.iter().map(|line| line.units).collect()),
            Take::Part(lines) if lines.is_empty() => Err(Refusal::Hold(HoldRefusal::NoLines)),
            Take::Part(lines) => part(&hold.lines, lines),
        };
        if hold.state == HoldState::Confirmed {
            let before: Vec<u32> = hold.lines.iter().map(|line| line.taken).collect();
            return if wanted == Ok(before) {
                Ok(Said::Replayed(self.hold_outcome(key)))
            } else {
                Err(Refusal::Hold(HoldRefusal::AlreadyConfirmed))
            };
        }
        self.still_open(hold)?;
        let wanted = wanted?;
        if let Some(Accepted::Hold(hold)) = self.accepted.get_mut(&key) {
            for (line, units) in hold.lines.iter_mut().zip(wanted) {
                line.taken = units;
            }
        }
        self.end(key, HoldState::Confirmed);
        Ok(Said::Accepted(self.hold_outcome(key)))
    }

    pub(super) fn cancel(&mut self, key: Key, caller: i64) -> Verdict {
        match self.accepted.get(&key) {
            Some(Accepted::Hold(hold)) => match hold.state {
                HoldState::Held if self.now >= hold.due => Err(Refusal::Hold(HoldRefusal::Expired)),
                HoldState::Held => {
                    self.end(key, HoldState::Cancelled);
                    Ok(Said::Accepted(self.hold_outcome(key)))
                }
                HoldState::Cancelled => Ok(Said::Replayed(self.hold_outcome(key))),
                HoldState::Confirmed => Err(Refusal::Hold(HoldRefusal::AlreadyConfirmed)),
                HoldState::Expired => Err(Refusal::Hold(HoldRefusal::Expired)),
            },
            Some(Accepted::Spent { .. }) => Err(Refusal::Hold(HoldRefusal::AlreadyCancelled)),
            Some(Accepted::Act(_) | Accepted::Ticket(_)) => Err(Refusal::Hold(HoldRefusal::Unknown)),
            None => {
                let max = self.limits.tombstones_max;
                if self.tombstones(caller) >= max as usize {
                    return Err(Refusal::Hold(HoldRefusal::TombstonesFull { max }));
                }
                self.count();
                self.accepted.insert(key, Accepted::Spent { caller });
                self.finished.push((self.changes, key));
                let (state, made, due, lines) = (HoldState::Cancelled, self.now, self.now, Vec::new());
                Ok(Said::Accepted(Effect::Hold(HoldView { key, state, made, due, lines: lines.into() })))
            }
        }
    }

    pub(super) fn extend(&mut self, key: Key, until: Timestamp) -> Verdict {
        let hold = self.known_hold(key)?;
        self.still_open(hold)?;
        if until <= hold.due {
            return Ok(Said::Replayed(self.hold_outcome(key)));
        }
        let max_ms = self.limits.life_max_ms;
        if until > hold.made + max_ms {
            return Err(Refusal::Hold(HoldRefusal::ExtendTooFar { max_ms }));
        }
        if let Some(Accepted::Hold(hold)) = self.accepted.get_mut(&key) {
            hold.due = until;
        }
        self.count();
        Ok(Said::Accepted(self.hold_outcome(key)))
    }

    fn known_hold(&self, key: Key) -> Result<&Hold, Refusal> {
        match self.accepted.get(&key) {
            Some(Accepted::Hold(hold)) => Ok(hold),
            Some(Accepted::Spent { .. }) => Err(Refusal::Hold(HoldRefusal::AlreadyCancelled)),
            Some(Accepted::Act(_) | Accepted::Ticket(_)) | None => Err(Refusal::Hold(HoldRefusal::Unknown)),
        }
    }

    fn still_open(&self, hold: &Hold) -> Result<(), Refusal> {
        match hold.state {
            HoldState::Confirmed => Err(Refusal::Hold(HoldRefusal::AlreadyConfirmed)),
            HoldState::Cancelled => Err(Refusal::Hold(HoldRefusal::AlreadyCancelled)),
            HoldState::Expired => Err(Refusal::Hold(HoldRefusal::Expired)),
            HoldState::Held if self.now >= hold.due => Err(Refusal::Hold(HoldRefusal::Expired)),
            HoldState::Held => Ok(()),
        }
    }

    /// Holds this caller cancelled before they arrived, as far as the ledger still has them in memory.
    fn tombstones(&self, caller: i64) -> usize {
        let here = self.finished[self.left..].iter().map(|(_, key)| &self.accepted[key]);
        here.filter(|accepted| matches!(accepted, Accepted::Spent { caller: by } if *by == caller)).count()
    }
}

/// Units per pool, in the order the pools were first named.
fn summed(lines: &[Line]) -> Vec<(PoolId, u64)> {
    let mut sums: Vec<(PoolId, u64)> = Vec::new();
    for line in lines {
        let units = u64::from(line.quantity.units());
        match sums.iter_mut().find(|(pool, _)| *pool == line.pool) {
            Some((_, sum)) => *sum += units,
            None => sums.push((line.pool, units)),
        }
    }
    sums
}

/// Units to take of each line of a hold; what is not named is not taken.
fn part(held: &[LineView], named: &[Line]) -> Result<Vec<u32>, Refusal> {
    // The first line that asks for more than is left of its pool is the one complained about.
    let mut taken: Vec<u32> = vec![0; held.len()];
    for line in named {
        let not_held = Refusal::Hold(HoldRefusal::NotHeld { pool: line.pool });
        let Some(at) = held.iter().position(|held| held.pool == line.pool) else { return Err(not_held) };
        let sum = u64::from(taken[at]) + u64::from(line.quantity.units());
        if sum > u64::from(held[at].units) {
            return Err(not_held);
        }
        taken[at] = small(sum);
    }
    Ok(taken)
}
