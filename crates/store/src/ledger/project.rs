//! The projection's one step.

use std::collections::HashSet;

use domain::Rejection;
use domain::ledger::{BlockDigest, Change, Event, Key};

use super::sheet::Sheet;
use super::{holds, position, write};
use crate::failure::{Failure, Fault, Result};
use crate::model::LedgerPosition;
use crate::tx::Tx;

/// Projects a batch of events and moves the position, all in the transaction at hand. Events that are already
/// projected are skipped; see [`fresh`] for what is refused.
pub async fn project(tx: &Tx<'_>, events: &[Event], digest: Option<BlockDigest>) -> Result<LedgerPosition> {
    let reached = position::lock(tx).await?;
    let fresh = fresh(&reached, events)?;
    let Some(last) = fresh.last() else { return Ok(reached) };
    let earlier = holds::open_by_making(tx, &made_earlier(fresh)).await?;
    let sheet = Sheet::of(fresh, earlier)?;
    write::sheet(tx, &sheet, last.seq).await?;
    position::advance(tx, last, digest).await
}

/// The events of a batch that come after the position. A gap, or a batch that is not in order, is a fault; events of
/// a term older than the position's were decided by somebody who has been replaced.
fn fresh<'e>(reached: &LedgerPosition, events: &'e [Event]) -> Result<&'e [Event], Failure> {
    let dense = events.windows(2).all(|pair| pair[1].seq == pair[0].seq + 1 && pair[1].term >= pair[0].term);
    if !dense {
        return Err(Fault::new("a batch of events that is not in order").into());
    }
    let known = events.partition_point(|event| event.seq <= reached.seq);
    let (known, fresh) = events.split_at(known);
    // What is there under this number came from another term.
    let rewritten = known.last().is_some_and(|event| {
        event.term > reached.term || (event.seq == reached.seq && event.term != reached.term)
    });
    if rewritten || fresh.first().is_some_and(|event| event.term < reached.term) {
        return Err(Rejection::LeaseLost.into());
    }
    match fresh.first() {
        Some(event) if event.seq != reached.seq + 1 => Err(Fault::new(format!(
            "the projection has reached event {}, but the batch goes on at {}",
            reached.seq, event.seq
        ))
        .into()),
        Some(_) | None => Ok(fresh),
    }
}

/// The holds that these events change and did not make themselves, each with the event that made it.
fn made_earlier(events: &[Event]) -> Vec<(Key, u64)> {
    let mut seen = HashSet::new();
    let mut earlier = Vec::new();
    for event in events {
        let (key, made_seq) = match &event.change {
            Change::Reserved { key, .. } => {
                seen.insert(*key);
                continue;
            }
            Change::Confirmed { hold, made_seq, .. }
            | Change::Cancelled { hold, made_seq }
            | Change::Extended { hold, made_seq, .. }
            | Change::Expired { hold, made_seq } => (*hold, *made_seq),
            Change::TermBegan
            | Change::ClockPutBack
            | Change::Directed { .. }
            | Change::Drawn(_)
            | Change::Entered(_)
            | Change::Spent { .. } => continue,
        };
        if seen.insert(key) {
            earlier.push((key, made_seq));
        }
    }
    earlier
}

#[cfg(test)]
mod rows {
    use domain::ledger::PoolId;
    use domain::time::Timestamp;

    use super::*;

    fn events(numbers: &[(u64, u32)]) -> Vec<Event> {
        let at = Timestamp(0);
        let event = |(seq, term): &(u64, u32)| {
            let (seq, term) = (*seq, *term);
            Event { seq, term, at, route: PoolId(0), round: 0, change: Change::TermBegan }
        };
        numbers.iter().map(event).collect()
    }

    #[test]
    fn what_is_fresh_after_event_5_of_term_2() {
        let reached = LedgerPosition { seq: 5, term: 2, at: Timestamp(0), digest: None };
        for (batch, expected) in [
            (vec![], "0 fresh"),
            (vec![(6, 2)], "1 fresh"),
            (vec![(6, 2), (7, 3)], "2 fresh"),
            (vec![(4, 1), (5, 2), (6, 2)], "1 fresh"),
            (vec![(3, 1), (4, 2)], "0 fresh"),
            (vec![(5, 2)], "0 fresh"),
            (vec![(7, 2)], "the projection has reached event 5, but the batch goes on at 7"),
            (vec![(6, 2), (8, 2)], "a batch of events that is not in order"),
            (vec![(6, 2), (6, 2)], "a batch of events that is not in order"),
            (vec![(6, 3), (7, 2)], "a batch of events that is not in order"),
            (vec![(6, 1)], "lease_lost"),
            (vec![(5, 1)], "lease_lost"),
            (vec![(5, 1), (6, 1)], "lease_lost"),
            (vec![(4, 3)], "lease_lost"),
        ] {
            let batch = events(&batch);
            let got = match fresh(&reached, &batch) {
                Ok(fresh) => format!("{} fresh", fresh.len()),
                Err(Failure::Rejected(rejection)) => rejection.code().to_owned(),
                Err(Failure::Fault(fault)) => fault.to_string(),
            };
            assert_eq!(got, expected, "{batch:?}");
        }
    }
}
