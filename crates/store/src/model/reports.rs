//! Reports, and the cases that they make.

use domain::community::{FeedKey, PostState, ReportReason, ReportState, ReportSubject};
use domain::ids::UserId;
use domain::time::Timestamp;

use super::{AuditStamp, FeedRequest, PersonCard, PrivateMessageRow, ThreadId};

#[derive(Clone, Debug)]
pub struct ReportCreate {
    /// Of the case, should it begin.
    pub case: i64,
    pub reporter: UserId,
    pub subject: ReportSubject,
    /// Of a message: who wrote it.
    pub id: i64,
    /// Of a message: its number in the conversation with them.
    pub n: i64,
    pub reason: ReportReason,
    pub text: String,
    pub now: Timestamp,
}

/// How cases are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportOrder {
    Newest,
    Most,
}

#[derive(Clone, Copy, Debug)]
pub struct ReportsFind {
    pub state: ReportState,
    pub order: ReportOrder,
    pub page: FeedRequest,
}

/// Everything that was reported of one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportCaseRow {
    pub id: i64,
    pub subject: ReportSubject,
    pub subject_id: i64,
    pub author: PersonCard,
    pub state: ReportState,
    pub reports: i64,
    pub newest: Timestamp,
    pub decided: Option<Timestamp>,
    /// The beginning of what was reported; nothing of a message, which is disclosed on request only.
    pub excerpt: Option<String>,
    /// Where a post or a comment stands.
    pub post_state: Option<PostState>,
    /// Where to read it.
    pub thread: Option<ThreadId>,
    /// The newest reports, [`REPORTS_SHOWN_MAX`] at most.
    pub shown: Vec<ReportRow>,
}

/// Reports that are shown of a case.
pub const REPORTS_SHOWN_MAX: u32 = 20;

/// A report, without who made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    pub reason: ReportReason,
    pub text: String,
    pub made: Timestamp,
}

impl ReportCaseRow {
    /// Its place in a list of that order.
    pub fn key(&self, order: ReportOrder) -> FeedKey {
        let time = match order {
            ReportOrder::Newest => self.newest,
            ReportOrder::Most => Timestamp(self.reports),
        };
        FeedKey { time, id: self.id }
    }
}

#[derive(Clone, Debug)]
pub struct ReportDecide {
    pub case: i64,
    pub upheld: bool,
    pub signed: AuditStamp,
}

/// Asks for a reported message and those on either side of it.
#[derive(Clone, Debug)]
pub struct ReportDisclose {
    pub case: i64,
    pub signed: AuditStamp,
}

/// What was disclosed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisclosedMessages {
    /// The number of the reported one.
    pub reported: i64,
    /// In the order they were sent.
    pub messages: Vec<PrivateMessageRow>,
}
