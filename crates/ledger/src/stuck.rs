//! A projection that cannot go on, because rows are wrong that its next events need.
//!
//! Whoever deletes a hold's row by hand is called by the audit; if the hold ends before they come, the event that ends
//! it finds no row, and the projection stands. Then ledger and rows never meet at one event, and the audit looks at
//! what the projection is about to do instead: the holds that the next events change must be open rows, and the rounds
//! that they touch must be the sums of their movements. Holds come back from the journal while it has the event that
//! made them; counters become the sums. Units of owners have no such second story and stay as they are.

use std::collections::{BTreeMap, BTreeSet};

use domain::ledger::audit::{BookRow, Difference, What, compare_hold, compare_moved};
use domain::ledger::{Change, Event, Key, OpenHold, PoolId};
use store::model::{AuditStamp, Correct, HoldTexts};

use super::auditor::{LedgerAuditor, Step, Stop, same_position, settled};
use crate::{Place, Slice};

/// Events of the journal looked through for what made the holds.
const SCAN_MAX: u64 = 5_000_000;

/// What is in the way, and what can be done about it.
#[derive(Default)]
struct InTheWay {
    found: Vec<Difference>,
    holds: Vec<(OpenHold, Option<HoldTexts>)>,
    summed: Vec<(PoolId, u32)>,
}

impl LedgerAuditor {
    /// Corrects what keeps the projection from going on; `place` is where the audit was.
    pub(super) async fn unstick(&self, place: Place, why: String, signed: &AuditStamp) -> Step<Slice> {
        let at = self.projector.position().await?;
        let events = self.projector.events_after(at).await?;
        let InTheWay { found, holds, summed } = self.in_the_way(at, &events).await?;
        if found.is_empty() {
            return Err(Stop::GivenUp(why));
        }
        let (none, signed) = (Vec::new(), signed.clone());
        let step = Correct {
            at,
            rounds: Vec::new(),
            owners: Vec::new(),
            holds,
            ended: none,
            orders: Vec::new(),
            let_go: Vec::new(),
            summed,
            plays: Vec::new(),
            found: found.clone(),
            signed,
        };
        if !self.books.books_correct(step).await? {
            return Err(Stop::GivenUp("the projection goes on again".to_owned()));
        }
        // It may have gone on already, and then nothing of this is in its way any more.
        let left = match self.in_the_way(at, &events).await {
            Ok(left) => left.found,
            Err(Stop::GivenUp(_)) => Vec::new(),
            Err(failed) => return Err(failed),
        };
        if left.len() == found.len() {
            return Err(Stop::GivenUp(format!("{why}; {} is in its way", found[0])));
        }
        Ok(Slice { differences: settled(found, &left), next: vec![place], ..Slice::default() })
    }

    async fn in_the_way(&self, at: u64, events: &[Event]) -> Step<InTheWay> {
        let mut way = InTheWay::default();
        let changed = changed_holds(at, events);
        let rows = self.books.books_holds(changed.keys().copied().collect()).await?;
        same_position(rows.position, at)?;
        let mut wrong = BTreeMap::new();
        let mut rounds = rounds_of(events);
        for ((made_seq, key), row) in changed.iter().zip(&rows.rows) {
            match row {
                Some(row) if row.is_open() && row.key == *key => {
                    rounds.extend(row.lines.iter().map(|line| (line.pool, line.round)));
                }
                row => {
                    wrong.insert(*made_seq, (*key, row.clone()));
                }
            }
        }
        let mut made =
            self.made(at, &wrong.iter().map(|(made_seq, (key, _))| (*made_seq, *key)).collect()).await?;
        for (made_seq, (key, row)) in wrong {
            let Some((hold, texts)) = made.remove(&made_seq) else {
                let (row, ledger) = (BookRow::Hold { made_seq, key }, Some("held".to_owned()));
                way.found.push(Difference { what: What::HoldMissing, row, ledger, database: None });
                continue;
            };
            rounds.extend(hold.lines.iter().map(|line| (line.pool, line.round)));
            way.found.extend(compare_hold(Some(&hold), row.as_ref()));
            way.holds.push((hold, Some(texts)));
        }
        let sums = self.books.books_moved(rounds.into_iter().collect()).await?;
        same_position(sums.position, at)?;
        for row in sums.rows.into_iter().flatten() {
            let differ = compare_moved(&row.view, row.moved);
            if !differ.is_empty() {
                way.summed.push((row.view.pool, row.view.round));
            }
            way.found.extend(differ);
        }
        Ok(way)
    }

    /// Holds as the journal made and extended them, up to an event.
    async fn made(&self, at: u64, wanted: &BTreeMap<u64, Key>) -> Step<BTreeMap<u64, (OpenHold, HoldTexts)>> {
        let mut made = BTreeMap::new();
        let Some((first, _)) = wanted.first_key_value() else { return Ok(made) };
        let mut before = (*first).max(at.saturating_sub(SCAN_MAX)).saturating_sub(1);
        while before < at {
            let events = self.projector.events_after(before).await?;
            let Some(last) = events.last().map(|event| event.seq) else { return Ok(made) };
            for event in events.into_iter().filter(|event| event.seq <= at) {
                fold(&mut made, wanted, event);
            }
            before = last;
        }
        Ok(made)
    }
}

fn fold(made: &mut BTreeMap<u64, (OpenHold, HoldTexts)>, wanted: &BTreeMap<u64, Key>, event: Event) {
    let made_seq = event.seq;
    if let Change::Extended { made_seq, due, .. } = event.change
        && let Some((hold, _)) = made.get_mut(&made_seq)
    {
        hold.due = due;
    } else if let Change::Reserved { key, digest, id, caller, owner, due, lines } = event.change
        && wanted.get(&made_seq) == Some(&key)
    {
        let texts = HoldTexts {
            id: id.as_str().to_owned(),
            caller,
            owner: owner.as_ref().map(|owner| owner.text.as_str().to_owned()),
        };
        let owner = owner.map(|owner| owner.id);
        made.insert(
            made_seq,
            (OpenHold { key, digest, made_seq, owner, made: event.at, due, lines: lines.to_vec() }, texts),
        );
    }
}

/// Holds from before that these events change, by the event that made them.
fn changed_holds(at: u64, events: &[Event]) -> BTreeMap<u64, Key> {
    let changed = |event: &Event| match event.change {
        Change::Confirmed { hold, made_seq, .. }
        | Change::Cancelled { hold, made_seq }
        | Change::Extended { hold, made_seq, .. }
        | Change::Expired { hold, made_seq } => Some((made_seq, hold)),
        Change::TermBegan
        | Change::ClockPutBack
        | Change::Directed { .. }
        | Change::Reserved { .. }
        | Change::Spent { .. }
        | Change::Drawn(_)
        | Change::Entered(_) => None,
    };
    events.iter().filter_map(changed).filter(|(made_seq, _)| *made_seq <= at).collect()
}

/// Rounds that these events name themselves.
fn rounds_of(events: &[Event]) -> BTreeSet<(PoolId, u32)> {
    let mut rounds: BTreeSet<(PoolId, u32)> = events.iter().map(|event| (event.route, event.round)).collect();
    for event in events {
        if let Change::Reserved { lines, .. } = &event.change {
            rounds.extend(lines.iter().map(|line| (line.pool, line.round)));
        }
    }
    rounds
}
