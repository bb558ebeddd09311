//! Whether a rule gives for a behaviour.

use super::rule::RuleTerms;
use crate::time::Timestamp;

/// What a rule has given so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Grants to this user in this period, reversed ones among them.
    pub in_period: u32,
    /// Points or chances to this user, and to everybody.
    pub user: i64,
    pub total: i64,
}

/// Why a rule that is on gives nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It happened before the rule's window, or after it.
    NotYet,
    Over,
    /// The user has all that one period gives.
    TimesReached,
    /// With this grant the user, or everybody together, would have more than there is.
    CapUser,
    CapTotal,
}

impl Why {
    pub const ALL: [Self; 5] = [Self::NotYet, Self::Over, Self::TimesReached, Self::CapUser, Self::CapTotal];

    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotYet => "not_yet",
            Self::Over => "over",
            Self::TimesReached => "times_reached",
            Self::CapUser => "cap_user",
            Self::CapTotal => "cap_total",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|why| why.name() == name)
    }
}

/// The place that the grant takes in its period, counted from 1. The window is asked about when it happened.
pub fn decide(rule: &RuleTerms, at: Timestamp, counted: Counted) -> Result<u32, Why> {
    if rule.from.is_some_and(|from| at < from) {
        return Err(Why::NotYet);
    }
    if rule.until.is_some_and(|until| at >= until) {
        return Err(Why::Over);
    }
    if counted.in_period >= rule.times {
        return Err(Why::TimesReached);
    }
    let room = |cap: Option<i64>, given: i64| cap.is_none_or(|cap| given.saturating_add(rule.amount) <= cap);
    if !room(rule.cap_user, counted.user) {
        return Err(Why::CapUser);
    }
    if !room(rule.cap_total, counted.total) {
        return Err(Why::CapTotal);
    }
    Ok(counted.in_period + 1)
}
