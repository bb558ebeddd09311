//! Whether a rule gives for a behaviour.

use super::rule::RuleTerms;
use crate::time::Timestamp;

/// What a rule has given so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GrantCounts {
    /// Grants to this user in this period, reversed ones among them.
    pub in_period: u32,
    /// Points or chances to this user, and to everybody.
    pub user: i64,
    pub total: i64,
}

crate::names! {
    /// Why a rule that is on gives nothing.
    pub enum GrantRefusal {
        /// It happened before the rule's window, or after it.
        NotYet = "not_yet",
        Over = "over",
        /// The user has all that one period gives.
        TimesReached = "times_reached",
        /// With this grant the user, or everybody together, would have more than there is.
        CapUser = "cap_user",
        CapTotal = "cap_total",
    }
}

/// The place that the grant takes in its period, counted from 1. The window is asked about when it happened.
pub fn decide(rule: &RuleTerms, at: Timestamp, counted: GrantCounts) -> Result<u32, GrantRefusal> {
    if rule.from.is_some_and(|from| at < from) {
        return Err(GrantRefusal::NotYet);
    }
    if rule.until.is_some_and(|until| at >= until) {
        return Err(GrantRefusal::Over);
    }
    if counted.in_period >= rule.times {
        return Err(GrantRefusal::TimesReached);
    }
    let room = |cap: Option<i64>, given: i64| cap.is_none_or(|cap| given.saturating_add(rule.amount) <= cap);
    if !room(rule.cap_user, counted.user) {
        return Err(GrantRefusal::CapUser);
    }
    if !room(rule.cap_total, counted.total) {
        return Err(GrantRefusal::CapTotal);
    }
    Ok(counted.in_period + 1)
}
