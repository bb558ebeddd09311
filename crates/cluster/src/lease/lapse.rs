//! The candidate's side of a lease: how long a leader was not heard of.

use super::terms::LeaseTerms;

/// What a look at a shard's head saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaseLook {
    pub term: u32,
    /// Raised by every claim and every renewal.
    pub counter: u64,
    /// Nobody leads: never claimed, or handed over.
    pub is_free: bool,
}

/// The same with where the leader is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaderLook {
    pub lease: LeaseLook,
    /// Empty while nobody leads, or where the leader names none.
    pub address: String,
}

/// Remembers since when a head stands still.
#[derive(Clone, Copy, Debug, Default)]
pub struct LapseWatch {
    /// What was seen, and when it was first heard, by this candidate's clock.
    since: Option<(LeaseLook, u64)>,
}

impl LapseWatch {
    /// A look was heard at this moment. Answers whether the leader it saw may be replaced: by a claim that finds exactly
    /// this term and counter.
    pub fn look(&mut self, seen: LeaseLook, heard_ms: u64, terms: LeaseTerms) -> bool {
        match self.since {
            Some((before, since_ms)) if before == seen => {
                seen.is_free || heard_ms >= since_ms + terms.lease_ms + terms.margin_ms
            }
            Some(_) | None => {
                // It may have been renewed at the very moment it was looked at; no earlier moment is known.
                self.since = Some((seen, heard_ms));
                seen.is_free
            }
        }
    }

    /// Starts over: what was seen before a claim of its own says nothing.
    pub fn forget(&mut self) {
        self.since = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: LeaseTerms = LeaseTerms { lease_ms: 100, margin_ms: 10, renew_ms: 20 };

    /// Looks as (heard at, term, counter, free), with what each answers.
    #[test]
    fn a_leader_is_replaced_when_it_was_not_heard_of_for_a_lease_and_a_margin() {
        for looks in [
            vec![
                (0, 1, 5, false, false),
                (50, 1, 5, false, false),
                (109, 1, 5, false, false),
                (110, 1, 5, false, true),
            ],
            // Renewed in between: it counts anew.
            vec![
                (0, 1, 5, false, false),
                (60, 1, 6, false, false),
                (110, 1, 6, false, false),
                (170, 1, 6, false, true),
            ],
            // Another leader.
            vec![
                (0, 1, 5, false, false),
                (110, 2, 5, false, false),
                (219, 2, 5, false, false),
                (220, 2, 5, false, true),
            ],
            // One look alone says nothing, however late.
            vec![(1_000, 1, 5, false, false)],
            // Handed over: at once.
            vec![(0, 1, 5, true, true)],
            vec![(0, 1, 5, false, false), (1, 1, 5, true, true)],
        ] {
            let mut watch = LapseWatch::default();
            for (heard_ms, term, counter, is_free, expected) in looks.clone() {
                let lapsed = watch.look(LeaseLook { term, counter, is_free }, heard_ms, TERMS);
                assert_eq!(lapsed, expected, "{looks:?} at {heard_ms}");
            }
        }
    }

    #[test]
    fn what_was_forgotten_counts_anew() {
        let mut watch = LapseWatch::default();
        let seen = LeaseLook { term: 1, counter: 1, is_free: false };
        watch.look(seen, 0, TERMS);
        watch.forget();
        assert!(!watch.look(seen, 200, TERMS));
    }
}
