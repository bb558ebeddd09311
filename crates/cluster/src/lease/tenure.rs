//! The leader's side of a lease. Asked after deciding and before anything is told.

use super::terms::LeaseTerms;

/// Until when a leader leads, by its own clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tenure {
    ends_ms: u64,
}

impl Tenure {
    /// A claim or renewal that was sent at this moment has been acknowledged. It counts from before it was sent: a
    /// candidate saw it later than that.
    pub fn renew(&mut self, sent_ms: u64, terms: LeaseTerms) {
        self.ends_ms = self.ends_ms.max(sent_ms + terms.lease_ms);
    }

    /// Given up, or lost.
    pub fn end(&mut self) {
        self.ends_ms = 0;
    }

    pub fn holds(self, now_ms: u64) -> bool {
        now_ms < self.ends_ms
    }

    pub fn ends_ms(self) -> u64 {
        self.ends_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: LeaseTerms = LeaseTerms { lease_ms: 100, margin_ms: 10, renew_ms: 20 };

    #[test]
    fn a_lease_counts_from_before_its_renewal_was_sent() {
        for (sent, now, expected) in [
            (vec![], 0, false),
            (vec![50], 50, true),
            (vec![50], 149, true),
            (vec![50], 150, false),
            (vec![50, 90], 189, true),
            (vec![50, 90], 190, false),
            // An acknowledgement that comes late shortens nothing.
            (vec![90, 50], 189, true),
        ] {
            let mut tenure = Tenure::default();
            sent.iter().for_each(|at| tenure.renew(*at, TERMS));
            assert_eq!(tenure.holds(now), expected, "{sent:?} at {now}");
        }
    }

    #[test]
    fn what_was_given_up_is_over_at_once() {
        let mut tenure = Tenure::default();
        tenure.renew(50, TERMS);
        tenure.end();
        assert!(!tenure.holds(51));
    }
}
