//! Which hold is due next: buckets of 64 milliseconds, each a doubly linked list threaded through the records.
//!
//! Putting a hold in and taking it out again cost the same whatever the number of holds, and a finished hold leaves
//! nothing behind. Expiry looks only at buckets that are wholly in the past, so it frees up to 64 ms late and never
//! early; a confirmation looks at the hold's own due time and is exact.

use std::collections::BTreeMap;

use super::record::{HoldEnd, Record};
use super::slab::{Slab, Slot};
use crate::time::Timestamp;

const BUCKET_BITS: u32 = 6;

#[derive(Clone, Debug, Default)]
pub(super) struct DueIndex {
    /// The first hold of each bucket that has any.
    heads: BTreeMap<i64, Slot>,
    len: usize,
}

impl DueIndex {
    pub fn insert(&mut self, records: &mut Slab<Record>, slot: Slot, due: Timestamp) {
        self.len += 1;
        let after = self.heads.insert(bucket(due), slot);
        if let Some(next) = after {
            links(records, next).0.replace(slot);
        }
        *links(records, slot).0 = None;
        *links(records, slot).1 = after;
    }

    /// Takes an open hold out of its bucket.
    pub fn remove(&mut self, records: &mut Slab<Record>, slot: Slot, due: Timestamp) {
        self.len -= 1;
        let (before, after) = {
            let (before, after) = links(records, slot);
            (before.take(), after.take())
        };
        if let Some(next) = after {
            *links(records, next).0 = before;
        }
        match (before, after) {
            (Some(previous), _) => *links(records, previous).1 = after,
            (None, Some(next)) => {
                self.heads.insert(bucket(due), next);
            }
            (None, None) => {
                self.heads.remove(&bucket(due));
            }
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// A hold whose bucket is over.
    pub fn first_due(&self, now: Timestamp) -> Option<Slot> {
        let (first, slot) = self.heads.first_key_value()?;
        (*first < bucket(now)).then_some(*slot)
    }

    /// Whether a hold may be over at this moment: there is one in a bucket that has begun.
    pub fn may_be_over(&self, now: Timestamp) -> bool {
        self.heads.first_key_value().is_some_and(|(first, _)| *first <= bucket(now))
    }

    /// When the earliest bucket is over: the driver need not look before.
    pub fn next_look(&self) -> Option<Timestamp> {
        self.heads.first_key_value().map(|(first, _)| Timestamp((first + 1) << BUCKET_BITS))
    }
}

fn bucket(due: Timestamp) -> i64 {
    due.0 >> BUCKET_BITS
}

fn links(records: &mut Slab<Record>, slot: Slot) -> (&mut Option<Slot>, &mut Option<Slot>) {
    match &mut records[slot] {
        Record::Hold(hold) => match &mut hold.end {
            HoldEnd::Open { before, after } => (before, after),
            HoldEnd::Confirmed { .. } | HoldEnd::Cancelled | HoldEnd::Expired => {
                unreachable!("only open holds are in the due index")
            }
        },
        Record::Tombstone { .. } | Record::Directive { .. } | Record::Ticket(_) => {
            unreachable!("only holds are in the due index")
        }
    }
}
