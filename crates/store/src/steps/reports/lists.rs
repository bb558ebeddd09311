//! The queue of the moderators: cases with the beginning of what was reported and the newest reports.

use domain::community::post::excerpt;
use domain::community::{CommentSubject, PostState, ReportReason, ReportState, ReportSubject};
use domain::ids::UserId;

use crate::failure::{Fault, Result};
use crate::model::{
    FeedPage, PersonCard, REPORTS_SHOWN_MAX, ReportCaseRow, ReportOrder, ReportRow, ReportsFind, ThreadId,
};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

macro_rules! case_sql {
    ($key:literal) => {
        concat!(
            "SELECT c.id, c.subject, c.subject_id, u.id, u.name, u.avatar, u.level, c.state, c.reports, c.newest_ms,
                    c.decided_ms
             FROM report_cases c JOIN users u ON u.id = c.author_id
             WHERE c.state = $1 AND (c.",
            $key,
            ", c.id) < ($2, $3) ORDER BY c.",
            $key,
            " DESC, c.id DESC LIMIT $4"
        )
    };
}

const NEWEST: &str = case_sql!("newest_ms");
const MOST: &str = case_sql!("reports");

pub(super) async fn find(tx: &Tx<'_>, step: &ReportsFind) -> Result<FeedPage<ReportCaseRow>> {
    let before = step.page.before();
    let sql = match step.order {
        ReportOrder::Newest => NEWEST,
        ReportOrder::Most => MOST,
    };
    let rows =
        tx.all(sql, params![step.state.name(), before.time, before.id, step.page.fetch()], read).await?;
    let mut page = FeedPage::cut(rows, step.page, |row| row.key(step.order));
    for row in &mut page.items {
        add_subject(tx, row).await?;
        let sql = "SELECT reason, text, made_ms FROM reports WHERE case_id = $1
                   ORDER BY made_ms DESC, user_id DESC LIMIT $2";
        row.shown = tx
            .all(sql, params![row.id, REPORTS_SHOWN_MAX], |row| {
                let reason = row.named(ReportReason::parse)?;
                Ok(ReportRow { reason, text: row.text()?, made: row.time()? })
            })
            .await?;
    }
    Ok(page)
}

/// Cases that wait.
pub(super) async fn count_open(tx: &Tx<'_>, (): &()) -> Result<i64> {
    tx.count("SELECT COUNT(*) FROM report_cases WHERE state = 'open'", params![]).await
}

fn read(row: &mut Row) -> Result<ReportCaseRow, Fault> {
    let (id, subject, subject_id) = (row.int()?, row.named(ReportSubject::parse)?, row.int()?);
    let author =
        PersonCard { id: UserId(row.int()?), name: row.text()?, avatar: row.text()?, level: row.int()? };
    Ok(ReportCaseRow {
        id,
        subject,
        subject_id,
        author,
        state: row.named(ReportState::parse)?,
        reports: row.int()?,
        newest: row.time()?,
        decided: row.opt_time()?,
        excerpt: None,
        post_state: None,
        thread: None,
        shown: Vec::new(),
    })
}

async fn add_subject(tx: &Tx<'_>, case: &mut ReportCaseRow) -> Result<()> {
    match case.subject {
        ReportSubject::Post => {
            let sql = "SELECT title, state FROM posts WHERE id = $1";
            let read = |row: &mut Row| Ok((row.text()?, row.named(PostState::parse)?));
            if let Some((title, state)) = tx.one(sql, params![case.subject_id], read).await? {
                (case.excerpt, case.post_state) = (Some(title), Some(state));
            }
            case.thread = Some(ThreadId { subject: CommentSubject::Post, id: case.subject_id });
        }
        ReportSubject::Comment => {
            let sql = "SELECT body, state, subject, subject_id FROM comments WHERE id = $1";
            let read = |row: &mut Row| {
                let (body, state) = (row.text()?, row.named(PostState::parse)?);
                let thread = ThreadId { subject: row.named(CommentSubject::parse)?, id: row.int()? };
                Ok((body, state, thread))
            };
            if let Some((body, state, thread)) = tx.one(sql, params![case.subject_id], read).await? {
                (case.excerpt, case.post_state) = (Some(excerpt(&body)), Some(state));
                case.thread = Some(thread);
            }
        }
        ReportSubject::Person => {
            case.thread = Some(ThreadId { subject: CommentSubject::Person, id: case.subject_id });
        }
        // A message has no address of its own, and is disclosed on request only.
        ReportSubject::Message => {}
    }
    Ok(())
}
