//! What staff do to an account, with its line in the audit log.

use domain::points::Move;
use engine::Outcome;
use engine::ports::{Made, PointsAdjust, Posted, Posting, Signed};
use serde_json::json;

use super::post::post;
use crate::steps::users;
use crate::tx::Tx;
use crate::{audit, once};

/// The row under a key is the same for good; the answer under an idempotency key for as long as answers are kept.
pub(super) async fn adjust(tx: &Tx<'_>, step: &PointsAdjust) -> Outcome<Posted> {
    let replayed = once::replay(tx, step.once.as_ref()).await?.is_some();
    let posted = signed_post(tx, &step.posting, &step.signed).await?;
    if !replayed {
        let Made { .. } = once::record(tx, step.once.as_ref(), posted.n, step.signed.at).await?;
    }
    Ok(posted)
}

/// A posting to somebody who is there. A repetition writes no second line.
pub(crate) async fn signed_post(tx: &Tx<'_>, posting: &Posting, signed: &Signed) -> Outcome<Posted> {
    users::lock(tx, posting.user).await?;
    let posted = post(tx, posting).await?;
    if !posted.replayed {
        let action = match posting.asked {
            Move::Credit { .. } | Move::Spend { .. } => "points.adjust",
            Move::Reverse { .. } => "points.reverse",
        };
        let Posted { n, delta, balance, .. } = posted;
        let before = json!({ "balance": balance - delta });
        let after = json!({ "balance": balance, "row": n });
        audit::write(tx, signed, action, &audit::user_subject(posting.user), &before, &after).await?;
    }
    Ok(posted)
}
