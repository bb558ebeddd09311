//! Grants by rule: the rules, what people did, and what they were given for it.

use domain::access::DailyAllowance;
use domain::grants::{Behaviour, GrantKind, GrantRefusal, RuleChange, RuleTerms};
use domain::ids::{ActivityId, ApprovalId, GrantId, GrantRuleId, UserId};
use domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::{AuditStamp, Once, SecondPerson};

/// Rules in one installation.
pub const GRANT_RULES_MAX: u32 = 1_000;
/// Rules of one behaviour that are on: each is locked and asked when it happens.
pub const RULES_OF_BEHAVIOUR_MAX: u32 = 20;

/// The kind of messages that carry a grant out: their subject is a grant.
pub const GRANT: &str = "grant";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantRuleRow {
    pub id: GrantRuleId,
    pub terms: RuleTerms,
    /// Counted from 1; every change is one more.
    pub edition: u32,
    pub made: Timestamp,
    /// Points or chances so far, reversed ones among them.
    pub given: i64,
    /// The request that a second person has to approve before it gives anything.
    pub waits: Option<ApprovalId>,
}

/// What one person may let rules give in a day, and what it takes to ask a second one.
#[derive(Clone, Copy, Debug)]
pub struct GivingCaps {
    pub points: DailyAllowance,
    pub chances: DailyAllowance,
    pub second: SecondPerson,
}

#[derive(Clone, Debug)]
pub struct GrantRuleMake {
    pub id: GrantRuleId,
    pub terms: RuleTerms,
    pub caps: GivingCaps,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug)]
pub struct GrantRuleEdit {
    pub id: GrantRuleId,
    /// The edition that was looked at; another one by now is refused.
    pub edition: u32,
    pub change: RuleChange,
    pub caps: GivingCaps,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantRow {
    pub id: GrantId,
    pub rule: GrantRuleId,
    /// What the rule is called now.
    pub rule_name: String,
    pub user: UserId,
    pub period: String,
    /// The place in the period, counted from 1.
    pub n: u32,
    /// Kind and key of what it was made of.
    pub behaviour: (String, String),
    pub gives: GrantedReward,
    /// When that happened.
    pub at: Timestamp,
    pub made: Timestamp,
    pub reversed: Option<GrantReversal>,
    /// Why it was not carried out, while its message is among the dead letters.
    pub failed: Option<String>,
    /// When it was given; nothing while its message is under way.
    pub given: Option<Timestamp>,
}

impl GrantRow {
    /// `reversed`, `failed`, `given`, or `ready`: its message is under way to whoever gives it.
    pub fn state(&self) -> &'static str {
        match (&self.reversed, &self.failed, self.given) {
            (Some(_), _, _) => "reversed",
            (None, Some(_), _) => "failed",
            (None, None, Some(_)) => "given",
            (None, None, None) => "ready",
        }
    }
}

/// What was granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantedReward {
    Chances { activity: ActivityId, chances: u32 },
    Points { points: i64, expires: Timestamp },
}

impl GrantedReward {
    pub fn name(self) -> &'static str {
        match self {
            Self::Chances { activity, .. } => GrantKind::Chances { activity }.name(),
            Self::Points { .. } => GrantKind::Points { expiry: None }.name(),
        }
    }

    pub fn amount(self) -> i64 {
        match self {
            Self::Chances { chances, .. } => chances.into(),
            Self::Points { points, .. } => points,
        }
    }

    /// The queue of whoever carries it out.
    pub fn lane(self) -> &'static str {
        self.name()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantReversal {
    pub at: Timestamp,
    /// Points or chances that could be taken back. Points always all of them: what was spent is owed.
    pub taken: i64,
    pub reason: String,
}

/// What a message says that carries a grant out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantMessage {
    /// Of chances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activity: Option<ActivityId>,
    pub amount: i64,
    /// Of points; the greatest number is never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
    /// For the statement: what the rule is called.
    pub reason: String,
}

/// What a message says of something that Windfall saw somebody do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BehaviourMessage {
    pub behaviour: String,
    pub key: String,
    pub object: String,
    /// The date that it counts for, as yyyymmdd, where that is fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<i64>,
}

/// The keys under which a grant of points is posted, and taken back.
pub fn grant_key(id: GrantId) -> String {
    format!("grant:{id}")
}

pub fn grant_back_key(id: GrantId) -> String {
    format!("grant-back:{id}")
}

/// Something happened.
#[derive(Clone, Debug)]
pub struct BehaviourRecord {
    pub behaviour: Behaviour,
    /// For the grants that come of it, one for each rule of its kind.
    pub ids: Vec<GrantId>,
    /// What to ask of the calendar: the day in a rule's zone as yyyymmdd, and when points expire.
    pub calendar: Calendar,
    pub now: Timestamp,
    /// Told by a person: it has a line in the audit log. What a backend tells is its own record.
    pub told_by: Option<AuditStamp>,
}

/// The calendar, which the database does not know.
#[derive(Clone, Copy)]
pub struct Calendar {
    pub day: fn(zone: &str, at: Timestamp) -> Option<i64>,
    /// When points expire that came at a moment, by a rule's own policy in its zone.
    pub expires: fn(policy: domain::points::Expiry, zone: &str, at: Timestamp) -> Option<Timestamp>,
    /// The same by the site's policy, at the moment of the record.
    pub site_expires: Timestamp,
}

impl std::fmt::Debug for Calendar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Calendar").field("site_expires", &self.site_expires).finish_non_exhaustive()
    }
}

/// What came of a behaviour, now or when it was first told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BehaviourResult {
    /// It was known before.
    pub repeated: bool,
    /// It was taken back, and what it gave with it.
    pub undone: bool,
    /// Whether its id is spent. Without a rule of its kind that is on, nothing is kept, and it can be told again.
    pub kept: bool,
    pub grants: Vec<GrantRow>,
    /// Rules that gave nothing, and why.
    pub passed: Vec<(GrantRuleId, GrantRefusal)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recording {
    Done(BehaviourResult),
    /// Nothing was written: there are more rules than ids. So many are needed.
    MoreIds(usize),
}

/// Takes a grant back. What the ledger took of chances was taken before; points go here.
#[derive(Clone, Debug)]
pub struct GrantReverse {
    pub id: GrantId,
    /// Of chances, how many.
    pub chances_taken: i64,
    pub signed: AuditStamp,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GrantSearch {
    pub user: Option<UserId>,
    pub rule: Option<GrantRuleId>,
}

/// Asks what somebody can do for a grant.
#[derive(Clone, Copy, Debug)]
pub struct TasksFind {
    pub user: UserId,
    pub calendar: Calendar,
    /// The day in the site's zone, which check-ins count by.
    pub site_day: i64,
    /// What was given before is not shown.
    pub since: Timestamp,
    pub now: Timestamp,
}

/// A rule, and how far somebody has come with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRow {
    pub rule: GrantRuleRow,
    /// Grants of this period, those that were taken back among them.
    pub done: u32,
    /// The next time is worth something.
    pub is_open: bool,
    /// Points or chances so far, without what was taken back.
    pub earned: i64,
}
