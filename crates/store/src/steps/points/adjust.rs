//! What staff do to an account, with its line in the audit log.

use domain::points::Move;
use serde_json::json;

use super::post::post;
use crate::failure::Result;
use crate::model::{AuditStamp, ByHand, CreateOutcome, PointsAdjust, PostedEntry, Posting};
use crate::row::Row;
use crate::steps::{daily_sums, users};
use crate::tx::Tx;
use crate::{audit, once, params};

/// The row under a key is the same for good; the answer under an idempotency key for as long as answers are kept. What a
/// second person was asked for under that key is never posted by the first, whatever day it is.
pub(super) async fn adjust(tx: &Tx<'_>, step: &PointsAdjust) -> Result<ByHand> {
    let replayed = once::replay(tx, step.once.as_ref()).await?.is_some();
    users::lock(tx, step.posting.user).await?;
    if !is_posted(tx, &step.posting).await? && (replayed || !count(tx, step).await?) {
        return Ok(ByHand::NeedsASecond);
    }
    let posted = post_audited(tx, &step.posting, &step.signed).await?;
    if !replayed {
        let CreateOutcome { .. } = once::record(tx, step.once.as_ref(), posted.n, step.signed.at).await?;
    }
    Ok(ByHand::Posted(posted))
}

async fn is_posted(tx: &Tx<'_>, posting: &Posting) -> Result<bool> {
    let sql = "SELECT n FROM points_rows WHERE user_id = $1 AND idem_key = $2";
    Ok(tx.one(sql, params![posting.user, &posting.key], Row::int).await?.is_some())
}

/// Adds it to the day of the person who answers for it, if the day has room.
async fn count(tx: &Tx<'_>, step: &PointsAdjust) -> Result<bool> {
    let more = match step.posting.asked {
        Move::Credit { amount, .. } | Move::Spend { amount } => amount.get(),
        Move::Reverse { n } => {
            let sql = "SELECT delta FROM points_rows WHERE user_id = $1 AND n = $2";
            tx.one(sql, params![step.posting.user, n], Row::int).await?.map_or(0, i64::abs)
        }
    };
    daily_sums::count(tx, &step.signed, daily_sums::POINTS, step.alone, more).await
}

/// A posting to somebody who is there. A repetition writes no second line.
pub(crate) async fn post_audited(tx: &Tx<'_>, posting: &Posting, signed: &AuditStamp) -> Result<PostedEntry> {
    users::lock(tx, posting.user).await?;
    let posted = post(tx, posting).await?;
    if !posted.replayed {
        let action = match posting.asked {
            Move::Credit { .. } | Move::Spend { .. } => "points.adjust",
            Move::Reverse { .. } => "points.reverse",
        };
        let PostedEntry { n, delta, balance, .. } = posted;
        let before = json!({ "balance": balance - delta });
        let after = json!({ "balance": balance, "row": n });
        audit::write(tx, signed, action, &audit::user_subject(posting.user), &before, &after).await?;
    }
    Ok(posted)
}
