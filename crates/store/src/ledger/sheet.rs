//! A batch of events folded in memory, so that each row is written once however often the batch changes it.
//!
//! Nothing is judged here that the ledger has judged: an event that does not fit what is there is a fault. Counters
//! are kept as deltas, never as values.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU64;

use domain::ids::OrderId;
use domain::ledger::play::Taking;
use domain::ledger::{
    Change, CommandDigest, Event, HoldState, Key, LineView, Owner, PoolId, PoolState, TakenLine,
};
use domain::sale::order_of;
use domain::time::Timestamp;

use super::columns::RowState;
use super::directives::Envelope;
use super::play::sheet::PlaySheet;
use crate::failure::Fault;
use crate::model::{Delta, MovementKind};

#[derive(Debug, Default)]
pub(super) struct Sheet<'e> {
    /// The newest round of each pool that was opened.
    pub current: BTreeMap<PoolId, (u32, &'e str, u64)>,
    pub rounds: BTreeMap<(PoolId, u32), RoundChange>,
    pub owners: HashMap<(PoolId, u32, NonZeroU64), i64>,
    /// Holds the batch made or changed.
    pub holds: Vec<HoldChange<'e>>,
    by_key: HashMap<Key, usize>,
    pub extensions: Vec<Extension>,
    pub play: PlaySheet<'e>,
    pub movements: Vec<NewMovement<'e>>,
    pub commands: Vec<PoolCommand>,
    /// Fingerprints of what finished.
    pub finished: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RoundChange {
    pub opened: bool,
    pub state: Option<PoolState>,
    pub owner_max: Option<u32>,
    pub delta: Delta,
}

/// A hold as it is after the batch.
#[derive(Debug)]
pub(super) struct HoldChange<'e> {
    pub made_seq: u64,
    /// What only a new row needs; `None` when the hold is from before the batch.
    pub new: Option<NewHold<'e>>,
    pub owner: Option<NonZeroU64>,
    /// The order that it is, of a sale.
    pub order: Option<OrderId>,
    pub due: Timestamp,
    pub extended: bool,
    pub lines: Vec<LineView>,
    pub end: Option<HoldEnd>,
}

#[derive(Debug)]
pub(super) struct NewHold<'e> {
    pub key: Key,
    pub digest: CommandDigest,
    pub id: &'e str,
    pub caller: i64,
    pub owner: Option<&'e str>,
    pub made: Timestamp,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct HoldEnd {
    pub state: RowState,
    pub seq: u64,
    pub at: Timestamp,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Extension {
    pub made_seq: u64,
    pub seq: u64,
    pub at: Timestamp,
    pub due_before: Timestamp,
    pub due: Timestamp,
}

#[derive(Debug)]
pub(super) struct NewMovement<'e> {
    pub seq: u64,
    pub line: u32,
    pub at: Timestamp,
    pub pool: PoolId,
    pub round: u32,
    pub kind: MovementKind,
    pub delta: Delta,
    pub owner_max: Option<u32>,
    pub hold: Option<u64>,
    pub by: i64,
    pub note: Option<&'e str>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PoolCommand {
    pub seq: u64,
    pub key: Key,
    pub digest: CommandDigest,
    pub pool: PoolId,
}

impl<'e> Sheet<'e> {
    /// `earlier` are the open holds from before that the events change.
    pub fn of(events: &'e [Event], earlier: HashMap<Key, HoldChange<'e>>) -> Result<Self, Fault> {
        let mut sheet = Self::default();
        for (key, hold) in earlier {
            sheet.by_key.insert(key, sheet.holds.len());
            sheet.holds.push(hold);
        }
        for event in events {
            sheet.fold(event)?;
        }
        Ok(sheet)
    }

    fn fold(&mut self, event: &'e Event) -> Result<(), Fault> {
        match &event.change {
            Change::TermBegan | Change::ClockPutBack => {}
            Change::Directed { key, digest, note, act } => {
                self.direct(Envelope { event, key: *key, digest: *digest, note }, act)?;
            }
            Change::Reserved { key, digest, id, caller, owner, due, lines } => {
                let new = NewHold {
                    key: *key,
                    digest: *digest,
                    id: id.as_str(),
                    caller: *caller,
                    owner: owner.as_ref().map(|owner| owner.text.as_str()),
                    made: event.at,
                };
                self.reserved(event, new, owner.as_ref(), *due, lines);
            }
            Change::Confirmed { hold, taken, made_seq: _ } => {
                self.ended(event, *hold, HoldState::Confirmed, MovementKind::Confirmed, Some(taken))?;
            }
            Change::Cancelled { hold, made_seq: _ } => {
                self.ended(event, *hold, HoldState::Cancelled, MovementKind::Cancelled, None)?;
            }
            Change::Expired { hold, made_seq: _ } => {
                self.ended(event, *hold, HoldState::Expired, MovementKind::Expired, None)?;
            }
            Change::Extended { hold, due, made_seq: _ } => self.extended(event, *hold, *due)?,
            Change::Drawn(drawing) => {
                self.play.draw(event, drawing)?;
                self.take(event, &drawing.taking, &drawing.lines);
            }
            Change::Entered(taking) => {
                self.play.enter(event, taking);
                self.take(event, taking, &[]);
            }
            Change::Spent { hold, id, caller } => self.spent(event, *hold, id.as_str(), *caller),
        }
        Ok(())
    }

    fn reserved(
        &mut self,
        event: &Event,
        new: NewHold<'e>,
        owner: Option<&Owner>,
        due: Timestamp,
        lines: &[TakenLine],
    ) {
        let owner = owner.map(|owner| owner.id);
        let mut held = Vec::with_capacity(lines.len());
        for (line, TakenLine { pool, round, quantity }) in (0..).zip(lines) {
            let (pool, round, units) = (*pool, *round, i64::from(quantity.units()));
            held.push(LineView { pool, round, units: quantity.units(), taken: 0 });
            let delta = Delta { available: -units, held: units, ..Delta::default() };
            let made = (event.seq, line, MovementKind::Reserved);
            self.hold_moved(event, made, event.seq, (pool, round), delta);
            self.owned(owner, (pool, round), units);
        }
        self.by_key.insert(new.key, self.holds.len());
        let order = order_of(new.caller, new.id);
        self.holds.push(HoldChange {
            made_seq: event.seq,
            new: Some(new),
            owner,
            order,
            due,
            extended: false,
            lines: held,
            end: None,
        });
    }

    /// `taken` is what a confirmation takes of each line; without it everything goes back.
    fn ended(
        &mut self,
        event: &Event,
        key: Key,
        state: HoldState,
        kind: MovementKind,
        taken: Option<&[u32]>,
    ) -> Result<(), Fault> {
        let hold = self.open(event, key)?;
        let (made_seq, owner, lines) = (hold.made_seq, hold.owner, hold.lines.clone());
        if taken.is_some_and(|taken| taken.len() != lines.len()) {
            return Err(misfit(event, "does not name the lines of its hold"));
        }
        for (line, held) in (0..).zip(&lines) {
            let at = usize::try_from(line).unwrap_or(usize::MAX);
            let gone = taken.and_then(|taken| taken.get(at)).copied().unwrap_or(0);
            let back =
                held.units.checked_sub(gone).ok_or_else(|| misfit(event, "takes more than was held"))?;
            let (gone, back) = (i64::from(gone), i64::from(back));
            let delta = Delta { total: 0, available: back, held: -i64::from(held.units), taken: gone };
            self.hold_moved(event, (event.seq, line, kind), made_seq, (held.pool, held.round), delta);
            self.owned(owner, (held.pool, held.round), -back);
        }
        let hold = self.open(event, key)?;
        for (held, gone) in hold.lines.iter_mut().zip(taken.unwrap_or_default()) {
            held.taken = *gone;
        }
        hold.end = Some(HoldEnd { state: RowState::Hold(state), seq: event.seq, at: event.at });
        self.finished.push(key.fingerprint());
        Ok(())
    }

    fn extended(&mut self, event: &Event, key: Key, due: Timestamp) -> Result<(), Fault> {
        let hold = self.open(event, key)?;
        let extension =
            Extension { made_seq: hold.made_seq, seq: event.seq, at: event.at, due_before: hold.due, due };
        hold.due = due;
        hold.extended = true;
        self.extensions.push(extension);
        Ok(())
    }

    /// Entries and prizes go straight from free to taken.
    fn take(&mut self, event: &Event, taking: &Taking, prizes: &[TakenLine]) {
        self.finished.push(taking.key.fingerprint());
        let entries = taking.entries.iter().map(|line| (MovementKind::Entered, line));
        let prizes = prizes.iter().map(|line| (MovementKind::Drawn, line));
        for (at, (kind, TakenLine { pool, round, quantity })) in (0..).zip(entries.chain(prizes)) {
            let units = i64::from(quantity.units());
            let delta = Delta { available: -units, taken: units, ..Delta::default() };
            self.hold_moved(event, (event.seq, at, kind), event.seq, (*pool, *round), delta);
        }
    }

    fn spent(&mut self, event: &Event, key: Key, id: &'e str, caller: i64) {
        let new = NewHold { key, digest: CommandDigest::default(), id, caller, owner: None, made: event.at };
        self.holds.push(HoldChange {
            made_seq: event.seq,
            new: Some(new),
            owner: None,
            // Nothing was ever ordered under an id that was spent before its hold arrived.
            order: None,
            due: event.at,
            extended: false,
            lines: Vec::new(),
            end: Some(HoldEnd { state: RowState::Spent, seq: event.seq, at: event.at }),
        });
        self.finished.push(key.fingerprint());
    }

    fn open(&mut self, event: &Event, key: Key) -> Result<&mut HoldChange<'e>, Fault> {
        let hold = self.by_key.get(&key).and_then(|at| self.holds.get_mut(*at));
        hold.filter(|hold| hold.end.is_none())
            .ok_or_else(|| misfit(event, "is about a hold that is not open"))
    }

    fn hold_moved(
        &mut self,
        event: &Event,
        (seq, line, kind): (u64, u32, MovementKind),
        hold: u64,
        (pool, round): (PoolId, u32),
        delta: Delta,
    ) {
        let (at, hold) = (event.at, Some(hold));
        self.moved(NewMovement {
            seq,
            line,
            at,
            pool,
            round,
            kind,
            delta,
            owner_max: None,
            hold,
            by: 0,
            note: None,
        });
    }

    pub(super) fn moved(&mut self, movement: NewMovement<'e>) {
        let sum = &mut self.rounds.entry((movement.pool, movement.round)).or_default().delta;
        sum.total += movement.delta.total;
        sum.available += movement.delta.available;
        sum.held += movement.delta.held;
        sum.taken += movement.delta.taken;
        self.movements.push(movement);
    }

    fn owned(&mut self, owner: Option<NonZeroU64>, (pool, round): (PoolId, u32), delta: i64) {
        if let Some(owner) = owner {
            *self.owners.entry((pool, round, owner)).or_default() += delta;
        }
    }
}

fn misfit(event: &Event, what: &str) -> Fault {
    Fault::new(format!("event {} {what}: the journal and the database do not fit together", event.seq))
}
