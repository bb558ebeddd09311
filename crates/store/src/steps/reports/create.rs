//! Reporting. The first report of a thing begins its case; one after the decision opens it again.

use domain::Rejection;
use domain::community::{PostState, REPORTS_DAILY_MAX, ReportState, ReportSubject};
use domain::ids::UserId;
use domain::rejection::MissingThing;
use domain::time::DAY_MS;

use crate::failure::{Fault, Result};
use crate::model::ReportCreate;
use crate::params;
use crate::row::Row;
use crate::steps::community::lock_writer;
use crate::tx::Tx;

/// What is reported: the case's key and whose it is.
struct Reported {
    id: i64,
    n: i64,
    author: UserId,
}

/// Answers whether this person had not reported it before. Again is the same.
pub(super) async fn create(tx: &Tx<'_>, step: &ReportCreate) -> Result<bool> {
    lock_writer(tx, step.reporter, step.now).await?;
    let found = find_reported(tx, step).await?;
    if found.author == step.reporter {
        return Err(Rejection::Yourself.into());
    }
    check_sight(tx, step, found.author).await?;
    let case = lock_case(tx, step, &found).await?;
    let sql = "SELECT COUNT(*) FROM reports WHERE user_id = $1 AND case_id = $2";
    if tx.count(sql, params![step.reporter, case]).await? > 0 {
        return Ok(false);
    }
    let sql = "SELECT COUNT(*) FROM reports WHERE user_id = $1 AND made_ms > $2";
    if tx.count(sql, params![step.reporter, step.now - DAY_MS]).await? >= i64::from(REPORTS_DAILY_MAX) {
        return Err(Rejection::DailyCap { max: REPORTS_DAILY_MAX }.into());
    }
    let sql = "INSERT INTO reports (user_id, case_id, reason, text, made_ms) VALUES ($1, $2, $3, $4, $5)";
    tx.execute(sql, params![step.reporter, case, step.reason.name(), &step.text, step.now]).await?;
    tx.execute(
        "UPDATE report_cases SET reports = CASE WHEN state = 'open' THEN reports + 1 ELSE 1 END,
                state = 'open', newest_ms = $2, decided_ms = NULL
         WHERE id = $1",
        params![case, step.now],
    )
    .await?;
    Ok(true)
}

/// The case of a thing, locked; a new one has no reports yet.
async fn lock_case(tx: &Tx<'_>, step: &ReportCreate, found: &Reported) -> Result<i64> {
    tx.execute(
        "INSERT INTO report_cases (id, subject, subject_id, n, author_id, state, reports, newest_ms)
         VALUES ($1, $2, $3, $4, $5, $6, 0, $7) ON CONFLICT (subject, subject_id, n) DO NOTHING",
        params![
            step.case,
            step.subject.name(),
            found.id,
            found.n,
            found.author,
            ReportState::Open.name(),
            step.now,
        ],
    )
    .await?;
    let sql = "SELECT id FROM report_cases WHERE subject = $1 AND subject_id = $2 AND n = $3 FOR UPDATE";
    let case = tx.one(sql, params![step.subject.name(), found.id, found.n], Row::int).await?;
    Ok(case.ok_or_else(|| Fault::new("a case that was just made is gone"))?)
}

/// Whoever was blocked by its author cannot read it. A message stays with both.
async fn check_sight(tx: &Tx<'_>, step: &ReportCreate, author: UserId) -> Result<()> {
    let what = match step.subject {
        ReportSubject::Post => MissingThing::Post,
        ReportSubject::Comment => MissingThing::Comment,
        ReportSubject::Person => MissingThing::User,
        ReportSubject::Message => return Ok(()),
    };
    let sql = "SELECT COUNT(*) FROM blocks WHERE user_id = $1 AND blocked_id = $2";
    let blocked = tx.count(sql, params![author, step.reporter]).await? > 0;
    if blocked { Err(Rejection::NotFound { what }.into()) } else { Ok(()) }
}

/// Only what can be read can be reported: a message by one of its two people.
async fn find_reported(tx: &Tx<'_>, step: &ReportCreate) -> Result<Reported> {
    let (id, reporter) = (step.id, step.reporter);
    let of = |author: Option<i64>, what| match author {
        Some(author) => Ok(Reported { id, n: 0, author: UserId(author) }),
        None => Err(Rejection::NotFound { what }.into()),
    };
    let visible = PostState::Visible.name();
    match step.subject {
        ReportSubject::Post => {
            let sql = "SELECT author_id FROM posts WHERE id = $1 AND state = $2";
            of(tx.one(sql, params![id, visible], Row::int).await?, MissingThing::Post)
        }
        ReportSubject::Comment => {
            let sql = "SELECT author_id FROM comments WHERE id = $1 AND state = $2";
            of(tx.one(sql, params![id, visible], Row::int).await?, MissingThing::Comment)
        }
        ReportSubject::Person => {
            let sql = "SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL";
            of(tx.one(sql, params![id], Row::int).await?, MissingThing::User)
        }
        ReportSubject::Message => {
            let sql = "SELECT m.conversation_id, m.sender_id FROM conversation_sides s
                       JOIN private_messages m ON m.conversation_id = s.conversation_id AND m.n >= s.from_n
                       WHERE s.user_id = $1 AND s.other_id = $2 AND m.n = $3 AND m.sealed IS NOT NULL";
            let read = |row: &mut Row| Ok((row.int()?, UserId(row.int()?)));
            let found = tx.one(sql, params![reporter, id, step.n], read).await?;
            let missing = Rejection::NotFound { what: MissingThing::Message };
            let (conversation, author) = found.ok_or(missing)?;
            Ok(Reported { id: conversation, n: step.n, author })
        }
    }
}
