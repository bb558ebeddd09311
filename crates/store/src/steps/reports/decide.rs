//! What moderators do with a case: read a reported message, and decide. Each has its line in the audit log.

use domain::Rejection;
use domain::community::{DISCLOSED_EITHER_SIDE, ReportCase, ReportState, ReportSubject, may_judge};
use domain::ids::UserId;
use domain::rejection::MissingThing;
use serde_json::json;

use crate::failure::Result;
use crate::model::{AuditStamp, DisclosedMessages, PrivateMessageRow, ReportDecide, ReportDisclose};
use crate::tx::Tx;
use crate::{audit, params};

const NOT_THERE: Rejection = Rejection::NotFound { what: MissingThing::Report };

struct LockedCase {
    subject: ReportSubject,
    subject_id: i64,
    n: i64,
    case: ReportCase,
}

pub(super) async fn decide(tx: &Tx<'_>, step: &ReportDecide) -> Result<()> {
    let found = lock(tx, step.case, &step.signed).await?;
    let to = if step.upheld { ReportState::Upheld } else { ReportState::Dismissed };
    // Decided the same way already: again is the same.
    if found.case.state == to {
        return Ok(());
    }
    may_judge(&found.case, step.signed.responsible)?;
    let sql = "UPDATE report_cases SET state = $2, decided_ms = $3 WHERE id = $1";
    tx.execute(sql, params![step.case, to.name(), step.signed.at]).await?;
    let (before, after) = (json!({ "state": found.case.state }), json!({ "state": to }));
    let (action, subject) = (format!("report.{}", to.name()), format!("report:{}", step.case));
    audit::write(tx, &step.signed, &action, &subject, &before, &after).await
}

/// The reported message and those on either side of it, and no other; the audit log says who read them.
pub(super) async fn disclose(tx: &Tx<'_>, step: &ReportDisclose) -> Result<DisclosedMessages> {
    let found = lock(tx, step.case, &step.signed).await?;
    if found.subject != ReportSubject::Message {
        return Err(NOT_THERE.into());
    }
    may_judge(&found.case, step.signed.responsible)?;
    let messages = tx
        .all(
            "SELECT n, sender_id, sealed, sent_ms FROM private_messages
             WHERE conversation_id = $1 AND n BETWEEN $2 AND $3 ORDER BY n",
            params![found.subject_id, found.n - DISCLOSED_EITHER_SIDE, found.n + DISCLOSED_EITHER_SIDE],
            |row| {
                let (n, sender) = (row.int()?, UserId(row.int()?));
                Ok(PrivateMessageRow { n, sender, sealed: row.opt_bytes()?, sent: row.time()? })
            },
        )
        .await?;
    let subject = format!("report:{}", step.case);
    let (before, after) = (json!({ "messages": 0 }), json!({ "messages": messages.len() }));
    audit::write(tx, &step.signed, "report.disclose", &subject, &before, &after).await?;
    Ok(DisclosedMessages { reported: found.n, messages })
}

async fn lock(tx: &Tx<'_>, case: i64, signed: &AuditStamp) -> Result<LockedCase> {
    let moderator = signed.responsible.map_or(0, |moderator| moderator.0);
    let sql = "SELECT subject, subject_id, n, author_id, state FROM report_cases WHERE id = $1 FOR UPDATE";
    let found = tx
        .one(sql, params![case], |row| {
            let (subject, subject_id) = (row.named(ReportSubject::parse)?, row.int()?);
            let (n, author) = (row.int()?, UserId(row.int()?));
            let state = row.named(ReportState::parse)?;
            let case = ReportCase { author, is_reported_by_moderator: false, state };
            Ok(LockedCase { subject, subject_id, n, case })
        })
        .await?;
    let mut found = found.ok_or(NOT_THERE)?;
    let sql = "SELECT COUNT(*) FROM reports WHERE case_id = $1 AND user_id = $2";
    found.case.is_reported_by_moderator = tx.count(sql, params![case, moderator]).await? > 0;
    Ok(found)
}
