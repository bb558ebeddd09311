//! Whether a grant rule, new or changed, can give more than before, and how much: what can give much needs a second person.
//!
//! A rule is a mint that runs by itself, so what counts is all that it can give, not what it has given. Without a cap in all
//! there is no bound, whatever one grant is worth: behaviours can be told of any number of accounts.

use super::rule::RuleTerms;

/// What a rule can give beyond what was allowed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddedGiving {
    Nothing,
    UpTo(i64),
    Unbounded,
}

impl RuleTerms {
    /// Compared with the terms that hold, if any do: a rule that is off, or waits for approval, gives nothing.
    pub fn added_giving(&self, holds: Option<&RuleTerms>) -> AddedGiving {
        if !self.on {
            return AddedGiving::Nothing;
        }
        let holds = holds.filter(|terms| terms.on);
        match (self.cap_total, holds) {
            (Some(cap), None) => AddedGiving::UpTo(cap),
            (Some(cap), Some(holds)) => match holds.cap_total {
                Some(before) if cap > before => AddedGiving::UpTo(cap - before),
                Some(_) | None => AddedGiving::Nothing,
            },
            (None, Some(holds)) if holds.cap_total.is_none() && !self.widens(holds) => AddedGiving::Nothing,
            (None, Some(_) | None) => AddedGiving::Unbounded,
        }
    }

    /// Whether one person, or one behaviour, can come to more than under the other terms.
    fn widens(&self, holds: &RuleTerms) -> bool {
        let more = |cap: Option<i64>, before: Option<i64>| match (cap, before) {
            (Some(cap), Some(before)) => cap > before,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        self.amount > holds.amount
            || self.times > holds.times
            || more(self.cap_user, holds.cap_user)
            || more(self.until.map(|at| at.0), holds.until.map(|at| at.0))
            || more(self.from.map(|at| -at.0), holds.from.map(|at| -at.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grants::{BehaviourKind, GrantKind, Period};
    use crate::time::Timestamp;

    fn rule(amount: i64, cap_total: Option<i64>, on: bool) -> RuleTerms {
        RuleTerms {
            name: "daily".into(),
            campaign: None,
            behaviour: BehaviourKind::parse("behaviour", "check_in").unwrap(),
            gives: GrantKind::Points { expiry: None },
            amount,
            period: Period::Day,
            zone: "UTC".into(),
            times: 1,
            cap_user: Some(100),
            cap_total,
            from: Some(Timestamp(10)),
            until: Some(Timestamp(20)),
            on,
        }
    }

    #[test]
    fn what_a_change_adds() {
        use AddedGiving::{Nothing, Unbounded, UpTo};
        for (row, (before, after, expected)) in [
            (None, rule(5, Some(50), true), UpTo(50)),
            (None, rule(1, None, true), Unbounded),
            (None, rule(1_000_000_000, None, false), Nothing),
            (Some(rule(5, None, false)), rule(5, None, true), Unbounded),
            (Some(rule(5, Some(50), true)), rule(5, Some(80), true), UpTo(30)),
            (Some(rule(5, Some(50), true)), rule(50, Some(50), true), Nothing),
            (Some(rule(5, Some(50), true)), rule(5, None, true), Unbounded),
            (Some(rule(5, None, true)), rule(5, Some(50), true), Nothing),
            (Some(rule(5, None, true)), rule(4, None, true), Nothing),
            (Some(rule(5, None, true)), rule(6, None, true), Unbounded),
            (Some(rule(5, None, true)), RuleTerms { times: 2, ..rule(5, None, true) }, Unbounded),
            (Some(rule(5, None, true)), RuleTerms { cap_user: None, ..rule(5, None, true) }, Unbounded),
            (
                Some(rule(5, None, true)),
                RuleTerms { until: Some(Timestamp(21)), ..rule(5, None, true) },
                Unbounded,
            ),
            (
                Some(rule(5, None, true)),
                RuleTerms { from: Some(Timestamp(9)), ..rule(5, None, true) },
                Unbounded,
            ),
            (Some(rule(5, None, true)), RuleTerms { from: None, ..rule(5, None, true) }, Unbounded),
            (
                Some(rule(5, None, true)),
                RuleTerms { from: Some(Timestamp(11)), until: Some(Timestamp(19)), ..rule(5, None, true) },
                Nothing,
            ),
            (Some(rule(5, None, true)), rule(5, None, false), Nothing),
        ]
        .into_iter()
        .enumerate()
        {
            assert_eq!(after.added_giving(before.as_ref()), expected, "row {row}");
        }
    }
}
