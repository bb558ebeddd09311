//! Leases: which worker may do a recurring job now.
//!
//! A lease is a row with a holder, an end and a *term* that only rises. Whoever takes it over raises the
//! term; every write of a job's step carries its term and is refused once another has begun. So a worker
//! that was paused for an hour wakes up harmless.

use crate::Rejection;
use crate::time::Timestamp;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    pub holder: String,
    pub term: i64,
    pub ends: Timestamp,
}

impl Lease {
    /// Takes, renews or is refused. `current` is the row as it stands.
    pub fn claim(current: Option<&Lease>, holder: &str, now: Timestamp, length_ms: i64) -> Option<Lease> {
        let ends = now + length_ms;
        match current {
            None => Some(Lease { holder: holder.to_owned(), term: 1, ends }),
            Some(lease) if lease.holder == holder && now < lease.ends => {
                Some(Lease { holder: holder.to_owned(), term: lease.term, ends: ends.max(lease.ends) })
            }
            Some(lease) if now >= lease.ends => {
                Some(Lease { holder: holder.to_owned(), term: lease.term + 1, ends })
            }
            Some(_) => None,
        }
    }

    /// Fences a write: passes only while `term` is still the lease's own.
    pub fn fence(current: Option<&Lease>, term: i64) -> Result<(), Rejection> {
        match current {
            Some(lease) if lease.term == term => Ok(()),
            _ => Err(Rejection::LeaseLost),
        }
    }
}

crate::names! {
    /// How a run of a job ended.
    pub enum RunOutcome {
        /// Nothing was left to do.
        Done = "done",
        /// The bounded step was used up; there is more.
        More = "more",
        Failed = "failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_claims() {
        let held =
            |holder: &str, term, ends| Some(Lease { holder: holder.into(), term, ends: Timestamp(ends) });
        for (current, holder, now, expected) in [
            (None, "a", 0, Some((1, 10))),
            (held("a", 3, 10), "a", 5, Some((3, 15))),
            (held("a", 3, 10), "b", 9, None),
            (held("a", 3, 10), "b", 10, Some((4, 20))),
            // One's own lease that ran out is a new term too: somebody else may have held it in between.
            (held("a", 3, 10), "a", 10, Some((4, 20))),
        ] {
            let got = Lease::claim(current.as_ref(), holder, Timestamp(now), 10).map(|l| (l.term, l.ends.0));
            assert_eq!(got, expected, "{current:?} {holder} {now}");
        }
    }

    #[test]
    fn an_old_term_writes_nothing() {
        let lease = Lease { holder: "b".into(), term: 4, ends: Timestamp(20) };
        assert_eq!(Lease::fence(Some(&lease), 4), Ok(()));
        assert_eq!(Lease::fence(Some(&lease), 3), Err(Rejection::LeaseLost));
        assert_eq!(Lease::fence(None, 1), Err(Rejection::LeaseLost));
    }
}
