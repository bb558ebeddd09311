//! What a kind of behaviour is worth.
//!
//! What a rule is about (behaviour, campaign, what it gives, period, zone) stays for good: places are counted by it. How
//! much, how often and when can be changed, each time as a new edition.

use super::behaviour::BehaviourKind;
use crate::Rejection;
use crate::account::name::short_text;
use crate::activity::{ZONE_MAX, names_a_zone};
use crate::ids::ActivityId;
use crate::points::{AMOUNT_MAX, Expiry};
use crate::rejection::FieldProblem;
use crate::time::Timestamp;

pub const RULE_NAME_MAX: usize = 80;
/// Grants of one user in one period at most.
pub const TIMES_MAX: u32 = 1_000;
/// Chances that one grant may give: they are taken back one by one.
pub const GRANT_CHANCES_MAX: i64 = 100;
/// The highest cap, in points or chances.
pub const CAP_MAX: i64 = 1_000_000_000_000;

/// What one grant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantKind {
    Chances {
        activity: ActivityId,
    },
    /// Without an expiry of its own the site's policy holds.
    Points {
        expiry: Option<Expiry>,
    },
}

impl GrantKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chances { .. } => "chances",
            Self::Points { .. } => "points",
        }
    }

    fn most(self) -> i64 {
        match self {
            Self::Chances { .. } => GRANT_CHANCES_MAX,
            Self::Points { .. } => AMOUNT_MAX,
        }
    }
}

crate::names! {
    /// Within what a user's grants are counted.
    pub enum Period {
        Once = "once",
        Day = "day",
        Month = "month",
        /// Every behaviour is a period of its own.
        Each = "each",
    }
}

impl Period {
    /// Which period it is: on a day of the rule's zone, as yyyymmdd, and for a behaviour of this key.
    pub fn slot(self, day: i64, key: &str) -> String {
        match self {
            Self::Once => String::new(),
            Self::Day => day.to_string(),
            Self::Month => (day / 100).to_string(),
            Self::Each => key.to_owned(),
        }
    }
}

/// A rule as it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleTerms {
    pub name: String,
    /// Of one activity, or of the whole site.
    pub campaign: Option<ActivityId>,
    pub behaviour: BehaviourKind,
    pub gives: GrantKind,
    /// Points or chances of one grant.
    pub amount: i64,
    pub period: Period,
    /// The name of a time zone; the caller has looked it up.
    pub zone: String,
    pub times: u32,
    /// Points or chances in all, to one user and to everybody.
    pub cap_user: Option<i64>,
    pub cap_total: Option<i64>,
    pub from: Option<Timestamp>,
    /// The first moment at which it gives nothing any more.
    pub until: Option<Timestamp>,
    pub on: bool,
}

/// A rule as somebody wrote it.
#[derive(Clone, Debug)]
pub struct RuleDraft {
    pub name: String,
    pub campaign: Option<ActivityId>,
    pub behaviour: String,
    pub gives: GrantKind,
    pub amount: i64,
    pub period: Period,
    pub zone: String,
    pub times: i64,
    pub cap_user: Option<i64>,
    pub cap_total: Option<i64>,
    pub from: Option<Timestamp>,
    pub until: Option<Timestamp>,
    pub on: bool,
}

/// What is left out stays; an inner nothing takes a cap or an end of the window away.
#[derive(Clone, Debug, Default)]
pub struct RuleChange {
    pub name: Option<String>,
    pub amount: Option<i64>,
    pub times: Option<i64>,
    pub cap_user: Option<Option<i64>>,
    pub cap_total: Option<Option<i64>>,
    pub from: Option<Option<Timestamp>>,
    pub until: Option<Option<Timestamp>>,
    pub on: Option<bool>,
}

impl RuleDraft {
    pub fn check(self) -> Result<RuleTerms, Rejection> {
        let zone = short_text("zone", &self.zone, 1, ZONE_MAX)?;
        if !names_a_zone(&zone) {
            return Err(Rejection::invalid("zone", FieldProblem::ZONE));
        }
        let behaviour = BehaviourKind::parse("behaviour", &self.behaviour)?;
        let times = times(self.times)?;
        let terms = RuleTerms {
            name: self.name,
            campaign: self.campaign,
            behaviour,
            gives: self.gives,
            amount: self.amount,
            period: self.period,
            zone,
            times,
            cap_user: self.cap_user,
            cap_total: self.cap_total,
            from: self.from,
            until: self.until,
            on: self.on,
        };
        terms.sound()
    }
}

impl RuleTerms {
    /// The rule after a change, or what is wrong with it.
    pub fn changed(&self, change: &RuleChange) -> Result<Self, Rejection> {
        let changed = Self {
            name: change.name.clone().unwrap_or_else(|| self.name.clone()),
            amount: change.amount.unwrap_or(self.amount),
            times: change.times.map(times).transpose()?.unwrap_or(self.times),
            cap_user: change.cap_user.unwrap_or(self.cap_user),
            cap_total: change.cap_total.unwrap_or(self.cap_total),
            from: change.from.unwrap_or(self.from),
            until: change.until.unwrap_or(self.until),
            on: change.on.unwrap_or(self.on),
            ..self.clone()
        };
        changed.sound()
    }

    fn sound(mut self) -> Result<Self, Rejection> {
        self.name = short_text("name", &self.name, 1, RULE_NAME_MAX)?;
        within("amount", self.amount, (1, self.gives.most()))?;
        // A grant that would pass a cap is not made: below one grant's worth a rule would never give anything.
        for (field, cap) in [("cap_user", self.cap_user), ("cap_total", self.cap_total)] {
            cap.map(|cap| within(field, cap, (self.amount, CAP_MAX))).transpose()?;
        }
        if let (Some(from), Some(until)) = (self.from, self.until)
            && from >= until
        {
            return Err(Rejection::invalid("until", FieldProblem::NotAfter { at: from }));
        }
        Ok(self)
    }
}

fn times(times: i64) -> Result<u32, Rejection> {
    within("times", times, (1, i64::from(TIMES_MAX)))?;
    let out = FieldProblem::OutOfRange { min: 1, max: i64::from(TIMES_MAX) };
    u32::try_from(times).map_err(|_| Rejection::invalid("times", out))
}

fn within(field: &str, number: i64, (min, max): (i64, i64)) -> Result<(), Rejection> {
    if (min..=max).contains(&number) {
        return Ok(());
    }
    Err(Rejection::invalid(field, FieldProblem::OutOfRange { min, max }))
}
