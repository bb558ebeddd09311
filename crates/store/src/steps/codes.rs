//! Verification codes: kept, counted, spent.
//!
//! A try is judged by `domain` on the locked row and carried out in the same transaction as what it allows,
//! so of two tries with the same right code one wins. A wrong try must be counted although its caller is
//! refused: steps that take a code answer [`Judged`], and their refusals are committed.
//!
//! A right code is spent whatever follows, even when the rest of the step is refused (the phone is taken,
//! the account banned): one code buys one answer, so nobody can ask about a phone more often than they can
//! prove that it is theirs.

use domain::Rejection;
use domain::account::{LiveCode, SendHistory, Verdict, decide_send, verify};
use domain::time::Timestamp;
use engine::Outcome;
use engine::ports::{CodeIssue, CodeTry};

use crate::db::Judged;
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

/// The one subject of what the whole site sends.
const SITE: &[u8] = b"site";

/// Keeps a new code in place of the old one, if the caps allow. Answers whether the phone has an account.
pub(crate) async fn issue(tx: &Tx<'_>, step: &CodeIssue) -> Outcome<bool> {
    // Two requests at the same moment would both count the same history.
    tx.exclusive("codes of the site").await?;
    tx.exclusive(&format!("code sent from {}", step.network)).await?;
    tx.exclusive(&format!("code sent to {:02x?}", step.phone)).await?;
    let history = SendHistory {
        last_sent: last_sent(tx, step).await?,
        phone_today: sent_today(tx, step, "phone", &step.phone).await?,
        ip_today: sent_today(tx, step, "ip", step.network.as_bytes()).await?,
        site_today: sent_today(tx, step, "site", SITE).await?,
    };
    decide_send(history, step.caps, step.now)?;
    tx.execute(
        "INSERT INTO codes (phone_index, purpose, hash, sent, tries) VALUES ($1, $2, $3, $4, 0)
         ON CONFLICT (phone_index, purpose)
         DO UPDATE SET hash = excluded.hash, sent = excluded.sent, tries = 0",
        params![step.phone, step.purpose.name(), step.code, step.now],
    )
    .await?;
    count_send(tx, step, "phone", &step.phone).await?;
    count_send(tx, step, "ip", step.network.as_bytes()).await?;
    count_send(tx, step, "site", SITE).await?;
    let accounts = tx.count("SELECT COUNT(*) FROM users WHERE phone_index = $1", params![step.phone]).await?;
    Ok(accounts > 0)
}

async fn last_sent(tx: &Tx<'_>, step: &CodeIssue) -> Outcome<Option<Timestamp>> {
    tx.one(
        "SELECT sent FROM codes WHERE phone_index = $1 AND purpose = $2",
        params![step.phone, step.purpose.name()],
        Row::time,
    )
    .await
}

async fn sent_today(tx: &Tx<'_>, step: &CodeIssue, kind: &str, subject: &[u8]) -> Outcome<i64> {
    let sent = tx
        .one(
            "SELECT sent FROM send_counts WHERE day = $1 AND kind = $2 AND subject = $3",
            params![step.day, kind, subject],
            Row::int,
        )
        .await?;
    Ok(sent.unwrap_or(0))
}

async fn count_send(tx: &Tx<'_>, step: &CodeIssue, kind: &str, subject: &[u8]) -> Outcome<()> {
    tx.execute(
        "INSERT INTO send_counts (day, kind, subject, sent) VALUES ($1, $2, $3, 1)
         ON CONFLICT (day, kind, subject) DO UPDATE SET sent = send_counts.sent + 1",
        params![step.day, kind, subject],
    )
    .await?;
    Ok(())
}

/// Judges a try and carries the verdict out.
pub(crate) async fn spend(tx: &Tx<'_>, try_: &CodeTry) -> Outcome<Judged<()>> {
    let verdict = judge(tx, try_).await?;
    carry_out(tx, try_, verdict).await
}

/// Locks the code and judges a try, without changing anything yet.
pub(crate) async fn judge(tx: &Tx<'_>, try_: &CodeTry) -> Outcome<Verdict> {
    let live = tx
        .one(
            "SELECT hash, sent, tries FROM codes WHERE phone_index = $1 AND purpose = $2 FOR UPDATE",
            params![try_.phone, try_.purpose.name()],
            |row| Ok((row.opt_hash()?, row.time()?, row.int()?)),
        )
        .await?;
    let Some((Some(hash), sent, tries)) = live else { return Ok(Verdict::Spent) };
    let tries = u32::try_from(tries).unwrap_or(u32::MAX);
    Ok(verify(LiveCode { hash: &hash, sent, tries }, &try_.code, try_.now))
}

/// Does to the code what the verdict says.
pub(crate) async fn carry_out(tx: &Tx<'_>, try_: &CodeTry, verdict: Verdict) -> Outcome<Judged<()>> {
    let (sql, judged) = match verdict {
        Verdict::Accept => (BURN, Ok(())),
        Verdict::Wrong { tries_left } => {
            let sql = if tries_left == 0 { BURN } else { COUNT };
            (sql, Err(Rejection::CodeWrong { at: try_.at, tries_left }))
        }
        Verdict::Spent => (BURN, Err(Rejection::CodeSpent { at: try_.at })),
    };
    tx.execute(sql, params![try_.phone, try_.purpose.name()]).await?;
    Ok(judged)
}

const BURN: &str = "UPDATE codes SET hash = NULL WHERE phone_index = $1 AND purpose = $2";
const COUNT: &str = "UPDATE codes SET tries = tries + 1 WHERE phone_index = $1 AND purpose = $2";
