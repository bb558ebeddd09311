//! Rebuilding a ledger from what the database has at one position. Nothing is decided here.
//!
//! ```text
//! begin(position) ──▶ round* ──▶ hold* ──▶ activity* ──▶ finished* ──▶ finish
//! ```
//!
//! After folding the events beyond the position, the ledger is the one that never stopped: the same pools, the same
//! open holds, the same answers. What had finished by then is known by its fingerprint only. Two things are not
//! restored because nothing rests on them: the order in which holds of the same 64 ms expire, and how many tombstones
//! each caller has (they count while they are not projected).

use std::collections::HashMap;
use std::num::NonZeroU64;

use super::command::{Key, PoolId};
use super::digest::CommandDigest;
use super::event::TakenLine;
use super::fold::keep;
use super::play::{Activity, ActivityView, Player, PlayerState, RoundState};
use super::record::{HeldLine, HeldLines, Hold, HoldEnd, Pool, PoolView, Record};
use super::slab::Slot;
use super::state::{Ledger, Limits};
use crate::ids::{ActivityId, UserId};
use crate::time::Timestamp;

/// A hold that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenHold {
    pub key: Key,
    pub digest: CommandDigest,
    /// The event that made it.
    pub made_seq: u64,
    pub owner: Option<NonZeroU64>,
    pub made: Timestamp,
    pub due: Timestamp,
    pub lines: Vec<TakenLine>,
}

/// What was read does not fit together: the rows are wrong, and serving from them would be worse than not serving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    #[error("pool {} round {round} does not add up", pool.0)]
    NotConserved { pool: PoolId, round: u32 },
    #[error("pool {} round {round} was given twice", pool.0)]
    RoundTwice { pool: PoolId, round: u32 },
    #[error("hold {key:032x} has no lines")]
    NoLines { key: Key },
    #[error("hold {key:032x} was given twice")]
    HoldTwice { key: Key },
    #[error("a hold names pool {} round {round}, which is not there", pool.0)]
    RoundMissing { pool: PoolId, round: u32 },
    #[error("pool {} round {round} counts {counted} units as held, its holds hold {held}", pool.0)]
    HeldDiffers { pool: PoolId, round: u32, counted: u64, held: u64 },
    #[error("pool {} round {round} counts fewer units for an owner than the owner holds", pool.0)]
    OwnerDiffers { pool: PoolId, round: u32 },
    #[error("activity {activity} was given twice")]
    ActivityTwice { activity: ActivityId },
}

#[derive(Debug)]
pub struct Restore {
    ledger: Ledger,
    rounds: HashMap<(PoolId, u32), Slot>,
    /// What the open holds hold, in all and by owner.
    held: HashMap<Slot, u64>,
    owned: HashMap<(Slot, NonZeroU64), u64>,
}

impl Restore {
    /// The position: the last event that is in what follows, its term and its time.
    pub fn begin(limits: Limits, seq: u64, term: u32, now: Timestamp) -> Self {
        let ledger = Ledger { seq, term, now, forgotten: seq, ..Ledger::new(limits) };
        Self { ledger, rounds: HashMap::new(), held: HashMap::new(), owned: HashMap::new() }
    }

    /// A pool's current round, or an old one that still has open holds, with the units of each owner.
    pub fn round(
        &mut self,
        view: &PoolView,
        current: bool,
        owners: impl IntoIterator<Item = (NonZeroU64, u32)>,
    ) -> Result<(), RestoreError> {
        let PoolView { pool, round, state, owner_max, total, available, held, taken } = *view;
        let owners: HashMap<u64, u32, _> =
            owners.into_iter().map(|(owner, units)| (owner.get(), units)).collect();
        let owned: u64 = owners.values().map(|units| u64::from(*units)).sum();
        let sum = available.checked_add(held).and_then(|sum| sum.checked_add(taken));
        if sum != Some(total) || owned > held + taken {
            return Err(RestoreError::NotConserved { pool, round });
        }
        let slot = self.ledger.pools.insert(Pool {
            id: pool,
            round,
            state,
            owner_max,
            total,
            available,
            held,
            taken,
            refs: 0,
            owners,
            watch: None,
        });
        let twice = self.rounds.insert((pool, round), slot).is_some()
            || (current && self.ledger.current.insert(pool, slot).is_some());
        if twice { Err(RestoreError::RoundTwice { pool, round }) } else { Ok(()) }
    }

    /// Whether the switch is on that stops every activity.
    pub fn halted(&mut self, on: bool) {
        self.ledger.halted = on;
    }

    /// An activity's current round, with its players.
    pub fn activity(
        &mut self,
        view: &ActivityView,
        come_to: RoundState,
        players: impl IntoIterator<Item = (UserId, PlayerState)>,
    ) -> Result<(), RestoreError> {
        let ActivityView { activity, round, state, terms } = *view;
        let RoundState { chain, tally } = come_to;
        let drawn_at = self.ledger.now;
        let mut found = Activity { state, chain, tally, drawn_at, ..Activity::new(activity, round, terms) };
        for (UserId(user), PlayerState { account, seat, last, client, wins }) in players {
            found.change(UserId(user), |player| *player = Player { account, seat, last });
            found.seated = found.seated.max(seat);
            found.day = found.day.max(account.day);
            if let Some(client) = client {
                found.clients.insert(user, client);
            }
            if !wins.is_empty() {
                found.capped.insert(user, wins);
            }
        }
        let slot = self.ledger.activities.insert(found);
        let twice = self.ledger.running.insert(activity, slot).is_some();
        if twice { Err(RestoreError::ActivityTwice { activity }) } else { Ok(()) }
    }

    pub fn hold(&mut self, hold: &OpenHold) -> Result<(), RestoreError> {
        let OpenHold { key, digest, made_seq, owner, made, due, ref lines } = *hold;
        if self.ledger.find(key).is_some() {
            return Err(RestoreError::HoldTwice { key });
        }
        let held: Result<Vec<HeldLine>, RestoreError> =
            lines.iter().map(|line| self.line(owner, *line)).collect();
        let lines = match held?.as_slice() {
            [] => return Err(RestoreError::NoLines { key }),
            [one] => HeldLines::One(*one),
            many => HeldLines::Many(many.into()),
        };
        let end = HoldEnd::Open { before: None, after: None };
        let hold = Hold { key, digest, made_seq, owner, made, due, lines, end };
        let slot = keep(&mut self.ledger, Record::Hold(hold));
        self.ledger.due.insert(&mut self.ledger.records, slot, due);
        Ok(())
    }

    fn line(&mut self, owner: Option<NonZeroU64>, line: TakenLine) -> Result<HeldLine, RestoreError> {
        let TakenLine { pool, round, quantity } = line;
        let slot = *self.rounds.get(&(pool, round)).ok_or(RestoreError::RoundMissing { pool, round })?;
        let units = quantity.units();
        self.ledger.pools[slot].refs += 1;
        *self.held.entry(slot).or_default() += u64::from(units);
        if let Some(owner) = owner {
            *self.owned.entry((slot, owner)).or_default() += u64::from(units);
        }
        Ok(HeldLine { pool: slot, units })
    }

    /// An id that had finished.
    pub fn finished(&mut self, fingerprint: u64) {
        self.ledger.filter.insert(fingerprint);
    }

    /// The ledger, if everything fits together.
    pub fn finish(self) -> Result<Ledger, RestoreError> {
        for ((pool, round), slot) in self.rounds {
            let (counted, held) =
                (self.ledger.pools[slot].held, self.held.get(&slot).copied().unwrap_or_default());
            if counted != held {
                return Err(RestoreError::HeldDiffers { pool, round, counted, held });
            }
        }
        for ((slot, owner), units) in self.owned {
            let pool = &self.ledger.pools[slot];
            if u64::from(pool.owners.get(&owner.get()).copied().unwrap_or(0)) < units {
                return Err(RestoreError::OwnerDiffers { pool: pool.id, round: pool.round });
            }
        }
        Ok(self.ledger)
    }
}

#[cfg(test)]
mod rows {
    use super::*;
    use crate::ledger::{PoolState, Quantity};

    const POOL: PoolId = PoolId(1);

    fn view(round: u32, [total, available, held, taken]: [u64; 4]) -> PoolView {
        PoolView { pool: POOL, round, state: PoolState::Open, owner_max: 0, total, available, held, taken }
    }

    fn hold(key: u128, round: u32, units: &[i64]) -> OpenHold {
        let line = |units: &i64| TakenLine { pool: POOL, round, quantity: Quantity::new(*units).unwrap() };
        OpenHold {
            key: Key(key),
            digest: CommandDigest(0),
            made_seq: 1,
            owner: NonZeroU64::new(7),
            made: Timestamp(0),
            due: Timestamp(10),
            lines: units.iter().map(line).collect(),
        }
    }

    fn restored(rounds: &[(PoolView, bool)], owned: u32, holds: &[OpenHold]) -> Result<Ledger, RestoreError> {
        let mut restore = Restore::begin(Limits::default(), 9, 2, Timestamp(5));
        for (view, current) in rounds {
            restore.round(view, *current, NonZeroU64::new(7).map(|owner| (owner, owned)))?;
        }
        for hold in holds {
            restore.hold(hold)?;
        }
        restore.finish()
    }

    #[test]
    fn what_does_not_fit_together_is_refused_by_name() {
        let (pool, round, key) = (POOL, 1, Key(1));
        let good = view(1, [10, 5, 3, 2]);
        for (rounds, owned, holds, expected) in [
            (vec![(good, true)], 3, vec![hold(1, 1, &[3])], None),
            (vec![(good, true)], 5, vec![hold(1, 1, &[1]), hold(2, 1, &[2])], None),
            (
                vec![(view(1, [10, 5, 3, 1]), true)],
                1,
                vec![],
                Some(RestoreError::NotConserved { pool, round }),
            ),
            (vec![(good, true)], 6, vec![], Some(RestoreError::NotConserved { pool, round })),
            (vec![(good, true); 2], 3, vec![], Some(RestoreError::RoundTwice { pool, round })),
            (
                vec![(good, true)],
                3,
                vec![],
                Some(RestoreError::HeldDiffers { pool, round, counted: 3, held: 0 }),
            ),
            (vec![(good, true)], 2, vec![hold(1, 1, &[3])], Some(RestoreError::OwnerDiffers { pool, round })),
            (
                vec![(good, true)],
                3,
                vec![hold(1, 2, &[3])],
                Some(RestoreError::RoundMissing { pool, round: 2 }),
            ),
            (vec![(good, true)], 3, vec![hold(1, 1, &[])], Some(RestoreError::NoLines { key })),
            (
                vec![(good, true)],
                3,
                vec![hold(1, 1, &[1]), hold(1, 1, &[2])],
                Some(RestoreError::HoldTwice { key }),
            ),
        ] {
            let got = restored(&rounds, owned, &holds);
            assert_eq!(got.as_ref().err(), expected.as_ref(), "{rounds:?} {holds:?}");
            if let Ok(ledger) = got {
                ledger.assert_sound();
                assert_eq!((ledger.seq(), ledger.term(), ledger.now()), (9, 2, Timestamp(5)));
            }
        }
    }

    /// An old round is there for its holds, and is not the pool's current one.
    #[test]
    fn an_old_round_comes_back_behind_the_current_one() {
        let rounds = [(view(2, [4, 4, 0, 0]), true), (view(1, [10, 7, 3, 0]), false)];
        let mut restore = Restore::begin(Limits::default(), 9, 2, Timestamp(5));
        let owner = NonZeroU64::new(7).map(|owner| (owner, 3));
        restore.round(&rounds[0].0, true, None).unwrap();
        restore.round(&rounds[1].0, false, owner).unwrap();
        restore.hold(&hold(1, 1, &[3])).unwrap();
        let ledger = restore.finish().unwrap();
        ledger.assert_sound();
        assert_eq!(ledger.pool(POOL), Some(rounds[0].0));
        assert_eq!(ledger.hold(Key(1)).unwrap().lines[0].round, 1);
    }
}
