//! Reports: what people bring before the moderators, and what those do with it.

use domain::Rejection;
use domain::community::{ReportReason, ReportSubject, parse_report_text};
use domain::ids::UserId;
use domain::rejection::FieldProblem;
use store::model::{
    AuditStamp, FeedPage, ReportCaseRow, ReportCreate, ReportDecide, ReportDisclose, ReportsFind,
};

use super::messages::{PrivateMessage, open};
use crate::failure::Result;
use crate::world::World;

/// What somebody reports.
#[derive(Clone, Debug)]
pub struct ReportWritten {
    pub subject: ReportSubject,
    /// Of a message: who wrote it.
    pub id: i64,
    /// Of a message: its number.
    pub n: i64,
    pub reason: String,
    pub text: String,
}

/// A reported message among those that were sent around it.
#[derive(Clone, Debug)]
pub struct DisclosedConversation {
    pub reported: i64,
    pub messages: Vec<PrivateMessage>,
}

/// Reports something that the reporter can read. The same again is the same.
pub async fn report_create(world: &World, reporter: UserId, written: ReportWritten) -> Result<()> {
    let ReportWritten { subject, id, n, reason, text } = written;
    let unknown = || Rejection::invalid("reason", FieldProblem::NotOneOf { allowed: ReportReason::NAMES });
    let reason = ReportReason::parse(&reason).ok_or_else(unknown)?;
    let text = parse_report_text(reason, &text)?;
    let n = if subject == ReportSubject::Message { n } else { 0 };
    let (case, now) = (world.next_id(), world.now());
    world.db.report_create(ReportCreate { case, reporter, subject, id, n, reason, text, now }).await.map(drop)
}

pub async fn report_list(world: &World, find: ReportsFind) -> Result<FeedPage<ReportCaseRow>> {
    world.db.reports_find(find).await
}

/// Decides a case. What becomes of the thing is an act of its own.
pub async fn report_decide(world: &World, case: i64, upheld: bool, signed: AuditStamp) -> Result<()> {
    world.db.report_decide(ReportDecide { case, upheld, signed }).await
}

/// A reported message and five on either side, for moderators; the audit log says who read them.
pub async fn report_disclose(world: &World, case: i64, signed: AuditStamp) -> Result<DisclosedConversation> {
    let found = world.db.report_disclose(ReportDisclose { case, signed }).await?;
    let messages: Result<Vec<PrivateMessage>> =
        found.messages.into_iter().map(|row| open(world, row)).collect();
    Ok(DisclosedConversation { reported: found.reported, messages: messages? })
}
