//! Folding: carries out what was decided. Nothing is judged here; an event that does not fit the state is a broken
//! journal, and the ledger stops rather than guess.

use super::command::{Key, Owner};
use super::digest::CommandDigest;
use super::event::{Change, Event, TakenLine};
use super::record::{HeldLine, HeldLines, Hold, HoldEnd, HoldState, HoldView, LineView, Record};
use super::slab::Slot;
use super::state::{Effect, Ledger, hash, part, spread};
use super::{directive, play};
use crate::time::Timestamp;

pub(super) fn fold(ledger: &mut Ledger, event: &Event) -> Option<Effect> {
    let outcome = match &event.change {
        Change::TermBegan => None,
        Change::ClockPutBack => {
            // A shelf may have been brought up to a moment that nothing was drawn at.
            ledger.activities.iter_mut().for_each(|activity| activity.desk = None);
            None
        }
        Change::Directed { key, digest, act, note: _ } => {
            Some(directive::fold::fold(ledger, event.seq, (*key, *digest), act))
        }
        Change::Reserved { key, digest, owner, due, lines, id: _, caller: _ } => {
            reserved(ledger, event, (*key, *digest), owner.as_ref(), *due, lines);
            // As the event says it: reading the new record back would wait for the memory it was just written to.
            let line = |line: &TakenLine| {
                let (pool, round, units) = (line.pool, line.round, line.quantity.units());
                LineView { pool, round, units, taken: 0 }
            };
            let (state, made, lines) = (HoldState::Held, event.at, lines.iter().map(line).collect());
            Some(Effect::Hold(HoldView { key: *key, state, made, due: *due, lines }))
        }
        Change::Confirmed { hold, taken, made_seq: _ } => {
            let slot = end(ledger, *hold, HoldEnd::Confirmed { taken: taken.as_slice().into() }, event.seq);
            for (at, units) in taken.iter().enumerate() {
                give(ledger, slot, at, *units);
            }
            Some(hold_outcome(ledger, slot))
        }
        Change::Cancelled { hold, made_seq: _ } => {
            Some(returned(ledger, *hold, HoldEnd::Cancelled, event.seq))
        }
        Change::Expired { hold, made_seq: _ } => Some(returned(ledger, *hold, HoldEnd::Expired, event.seq)),
        Change::Extended { hold, due, made_seq: _ } => {
            let slot = ledger.find(*hold).expect("an extended hold is in memory");
            let before = due_of(ledger, slot);
            ledger.due.remove(&mut ledger.records, slot, before);
            if let Record::Hold(hold) = &mut ledger.records[slot] {
                hold.due = *due;
            }
            ledger.due.insert(&mut ledger.records, slot, *due);
            Some(hold_outcome(ledger, slot))
        }
        Change::Spent { hold, caller, id: _ } => {
            let slot = keep(ledger, Record::Tombstone { key: *hold, caller: *caller });
            ledger.finished.push_back((event.seq, slot));
            *ledger.tombstones.entry(*caller).or_default() += 1;
            Some(Effect::Hold(HoldView::spent(*hold, event.at)))
        }
        Change::Drawn(drawing) => Some(play::fold::fold_drawing(ledger, event, drawing)),
        Change::Entered(taking) => Some(play::fold::fold_entries(ledger, event, taking)),
    };
    debug_assert!(outcome.is_some() || matches!(event.change, Change::TermBegan | Change::ClockPutBack));
    outcome
}

fn reserved(
    ledger: &mut Ledger,
    event: &Event,
    (key, digest): (Key, CommandDigest),
    owner: Option<&Owner>,
    due: Timestamp,
    lines: &[TakenLine],
) {
    let owner = owner.map(|owner| owner.id);
    let mut take = |line: &TakenLine| {
        let slot = ledger.current[&line.pool];
        let units = line.quantity.units();
        let pool = &mut ledger.pools[slot];
        assert_eq!(pool.round, line.round, "a reservation is taken in the round it was decided in");
        pool.available = pool.available.checked_sub(u64::from(units)).expect("a decided reservation fits");
        pool.held += u64::from(units);
        pool.refs += 1;
        if let Some(owner) = owner {
            *pool.owners.entry(owner.get()).or_default() += units;
        }
        pool.assert_conserved();
        ledger.touched(slot);
        HeldLine { pool: slot, units }
    };
    let lines = match lines {
        [one] => HeldLines::One(take(one)),
        many => HeldLines::Many(many.iter().map(take).collect()),
    };
    let end = HoldEnd::Open { before: None, after: None };
    let (made_seq, made) = (event.seq, event.at);
    let slot = keep(ledger, Record::Hold(Hold { key, digest, made_seq, owner, made, due, lines, end }));
    ledger.due.insert(&mut ledger.records, slot, due);
}

/// Ends an open hold; its units are still to be given or returned.
fn end(ledger: &mut Ledger, key: Key, end: HoldEnd, seq: u64) -> Slot {
    let slot = ledger.find(key).expect("a hold that ends is in memory");
    let due = due_of(ledger, slot);
    ledger.due.remove(&mut ledger.records, slot, due);
    if let Record::Hold(hold) = &mut ledger.records[slot] {
        hold.end = end;
    }
    ledger.finished.push_back((seq, slot));
    slot
}

/// Ends a hold and gives everything back.
fn returned(ledger: &mut Ledger, key: Key, how: HoldEnd, seq: u64) -> Effect {
    let slot = end(ledger, key, how, seq);
    for at in 0..ledger.hold_at(slot).lines.as_slice().len() {
        give(ledger, slot, at, 0);
    }
    hold_outcome(ledger, slot)
}

/// Of one line, `taken` units are gone for good and the rest is free again, for the pool and for the owner.
fn give(ledger: &mut Ledger, slot: Slot, at: usize, taken: u32) {
    let record = ledger.hold_at(slot);
    let (owner, line) = (record.owner, record.lines.as_slice()[at]);
    let back = line.units.checked_sub(taken).expect("no more is taken than was held");
    let pool = &mut ledger.pools[line.pool];
    pool.held -= u64::from(line.units);
    pool.taken += u64::from(taken);
    pool.available += u64::from(back);
    if let Some(owner) = owner
        && back > 0
    {
        let has = pool.owners.get_mut(&owner.get()).expect("an owner who holds is counted");
        *has -= back;
        if *has == 0 {
            pool.owners.remove(&owner.get());
        }
    }
    pool.assert_conserved();
    ledger.touched(line.pool);
}

pub(super) fn keep(ledger: &mut Ledger, record: Record) -> Slot {
    let key = record.key();
    let slot = ledger.records.insert(record);
    ledger.by_key.insert_unique(hash(key), (part(key), slot), |(part, _)| spread(*part));
    slot
}

fn due_of(ledger: &Ledger, slot: Slot) -> Timestamp {
    ledger.hold_at(slot).due
}

fn hold_outcome(ledger: &Ledger, slot: Slot) -> Effect {
    Effect::Hold(ledger.hold_view(ledger.hold_at(slot)))
}
