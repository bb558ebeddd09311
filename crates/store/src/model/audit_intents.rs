//! The audit log's part in what the ledger carries out at somebody's word.
//!
//! A command of the ledger is no part of a transaction of the database. So its line is written first, as an intent, and moves
//! into the audit log once the ledger has answered. What a crash leaves in between is found by the job `audit_trail`, which asks
//! the ledger's rows whether the command was carried out.

use domain::access::{DailyAllowance, Handout};
use domain::ledger::Key;
use domain::time::Timestamp;
use serde_json::Value as Json;

use super::AuditStamp;

/// A line of the audit log about a command that the ledger has not answered yet.
#[derive(Clone, Debug)]
pub struct AuditIntent {
    /// Of the command.
    pub key: Key,
    pub action: &'static str,
    pub subject: String,
    pub before: Json,
    /// What is told if nobody hears the ledger's answer.
    pub after: Json,
    /// What it puts out by hand, and what one person may in a day.
    pub handout: Option<(Handout, DailyAllowance)>,
    pub signed: AuditStamp,
}

/// What came of an intent.
#[derive(Clone, Debug)]
pub struct IntentClose {
    /// The line's id.
    pub audit_id: i64,
    pub end: IntentEnd,
}

#[derive(Clone, Debug)]
pub enum IntentEnd {
    /// It was carried out; what the ledger said is told instead of what was meant, where it is known.
    Told { before: Option<Json>, after: Option<Json> },
    /// It was refused, or done before: there is nothing to tell.
    Dropped,
}

/// An intent that nobody has closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntentRow {
    pub audit_id: i64,
    pub key: Key,
    pub made: Timestamp,
}

/// A line of the audit log about something that is no transaction of the database.
#[derive(Clone, Debug)]
pub struct AuditLine {
    pub action: &'static str,
    pub subject: String,
    pub before: Json,
    pub after: Json,
    pub signed: AuditStamp,
}
