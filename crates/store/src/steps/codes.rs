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
use domain::account::{CodeHolder, CodeVerdict, LiveCode, SendHistory, decide_send, verify};
use domain::time::Timestamp;

use crate::db::Judged;
use crate::failure::Result;
use crate::model::{CodeIssue, CodeTry};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

/// The one subject of what the whole site sends.
const SITE: &[u8] = b"site";

/// Keeps a new code in place of the holder's old one, if the caps allow. Answers whether the phone has an account.
pub(crate) async fn issue(tx: &Tx<'_>, step: &CodeIssue) -> Result<bool> {
    // Two requests at the same moment would both count the same history.
    tx.exclusive("codes of the site").await?;
    tx.exclusive(&format!("code sent from {}", step.network)).await?;
    tx.exclusive(&format!("code sent to {:02x?}", step.phone)).await?;
    let network = step.network.as_bytes();
    let phone_from = [&step.phone[..], network].concat();
    let history = SendHistory {
        last_sent: find_last_sent(tx, step).await?,
        owner_today: count_sent_today(tx, step, "owner", &step.phone).await?,
        phone_today: count_sent_today(tx, step, "phone", &step.phone).await?,
        phone_from_network_today: count_sent_today(tx, step, "phone_from", &phone_from).await?,
        network_today: count_sent_today(tx, step, "ip", network).await?,
        site_today: count_sent_today(tx, step, "site", SITE).await?,
    };
    let owned = step.holder.owns_phone(step.purpose);
    decide_send(owned, history, step.caps, step.now)?;
    tx.execute(
        "INSERT INTO codes (phone_index, purpose, holder, hash, sent) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (phone_index, purpose, holder) DO UPDATE SET hash = excluded.hash, sent = excluded.sent",
        params![step.phone, step.purpose.name(), step.holder.key(), step.code, step.now],
    )
    .await?;
    tx.execute(
        "DELETE FROM code_tries WHERE phone_index = $1 AND purpose = $2 AND holder = $3",
        params![step.phone, step.purpose.name(), step.holder.key()],
    )
    .await?;
    if owned {
        count_send(tx, step, "owner", &step.phone).await?;
    } else {
        count_send(tx, step, "phone", &step.phone).await?;
        count_send(tx, step, "phone_from", &phone_from).await?;
        count_send(tx, step, "ip", network).await?;
    }
    count_send(tx, step, "site", SITE).await?;
    let accounts = tx.count("SELECT COUNT(*) FROM users WHERE phone_index = $1", params![step.phone]).await?;
    Ok(accounts > 0)
}

async fn find_last_sent(tx: &Tx<'_>, step: &CodeIssue) -> Result<Option<Timestamp>> {
    tx.one(
        "SELECT sent FROM codes WHERE phone_index = $1 AND purpose = $2 AND holder = $3",
        params![step.phone, step.purpose.name(), step.holder.key()],
        Row::time,
    )
    .await
}

async fn count_sent_today(tx: &Tx<'_>, step: &CodeIssue, kind: &str, subject: &[u8]) -> Result<i64> {
    let sent = tx
        .one(
            "SELECT sent FROM send_counts WHERE day = $1 AND kind = $2 AND subject = $3",
            params![step.day, kind, subject],
            Row::int,
        )
        .await?;
    Ok(sent.unwrap_or(0))
}

async fn count_send(tx: &Tx<'_>, step: &CodeIssue, kind: &str, subject: &[u8]) -> Result<()> {
    tx.execute(
        "INSERT INTO send_counts (day, kind, subject, sent) VALUES ($1, $2, $3, 1)
         ON CONFLICT (day, kind, subject) DO UPDATE SET sent = send_counts.sent + 1",
        params![step.day, kind, subject],
    )
    .await?;
    Ok(())
}

/// Judges a try and carries the verdict out.
pub(crate) async fn spend(tx: &Tx<'_>, try_: &CodeTry) -> Result<Judged<()>> {
    let verdict = judge(tx, try_).await?;
    carry_out(tx, try_, verdict).await
}

/// Locks the code and judges a try, without changing anything yet.
pub(crate) async fn judge(tx: &Tx<'_>, try_: &CodeTry) -> Result<CodeVerdict> {
    let live = tx
        .one(
            "SELECT hash, sent FROM codes WHERE phone_index = $1 AND purpose = $2 AND holder = $3 FOR UPDATE",
            params![try_.phone, try_.purpose.name(), try_.holder.key()],
            |row| Ok((row.opt_hash()?, row.time()?)),
        )
        .await?;
    let Some((Some(hash), sent)) = live else { return Ok(CodeVerdict::NoTriesLeft) };
    let (tries_from_here, tries) = tries_before(tx, try_).await?;
    Ok(verify(LiveCode { hash: &hash, sent, tries_from_here, tries }, &try_.code, try_.now))
}

/// Wrong tries at the live code: from where this one comes, and from everywhere.
async fn tries_before(tx: &Tx<'_>, try_: &CodeTry) -> Result<(u32, u32)> {
    let counted = tx
        .all(
            "SELECT source, tries FROM code_tries WHERE phone_index = $1 AND purpose = $2 AND holder = $3",
            params![try_.phone, try_.purpose.name(), try_.holder.key()],
            |row| Ok((row.bytes()?, row.int()?)),
        )
        .await?;
    let here = source(try_);
    let from_here = counted.iter().find(|(source, _)| *source == here).map_or(0, |(_, tries)| *tries);
    let all: i64 = counted.iter().map(|(_, tries)| tries).sum();
    let small = |tries| u32::try_from(tries).unwrap_or(u32::MAX);
    Ok((small(from_here), small(all)))
}

/// Where a try comes from. A code that is one's own is tried from one place.
fn source(try_: &CodeTry) -> Vec<u8> {
    match try_.holder {
        CodeHolder::Strangers => try_.network.clone().into_bytes(),
        CodeHolder::Device(_) | CodeHolder::User(_) => try_.holder.key(),
    }
}

/// Does to the code what the verdict says.
pub(crate) async fn carry_out(tx: &Tx<'_>, try_: &CodeTry, verdict: CodeVerdict) -> Result<Judged<()>> {
    match verdict {
        CodeVerdict::Accept => {
            burn(tx, try_).await?;
            Ok(Ok(()))
        }
        CodeVerdict::Wrong { tries_left } => {
            count_try(tx, try_).await?;
            Ok(Err(Rejection::CodeWrong { at: try_.at, tries_left }))
        }
        CodeVerdict::NoTriesLeft => Ok(Err(Rejection::CodeSpent { at: try_.at })),
        CodeVerdict::Expired => {
            burn(tx, try_).await?;
            Ok(Err(Rejection::CodeSpent { at: try_.at }))
        }
    }
}

async fn burn(tx: &Tx<'_>, try_: &CodeTry) -> Result<()> {
    tx.execute(
        "UPDATE codes SET hash = NULL WHERE phone_index = $1 AND purpose = $2 AND holder = $3",
        params![try_.phone, try_.purpose.name(), try_.holder.key()],
    )
    .await?;
    Ok(())
}

async fn count_try(tx: &Tx<'_>, try_: &CodeTry) -> Result<()> {
    tx.execute(
        "INSERT INTO code_tries (phone_index, purpose, holder, source, tries) VALUES ($1, $2, $3, $4, 1)
         ON CONFLICT (phone_index, purpose, holder, source) DO UPDATE SET tries = code_tries.tries + 1",
        params![try_.phone, try_.purpose.name(), try_.holder.key(), source(try_)],
    )
    .await?;
    Ok(())
}
