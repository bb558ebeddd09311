//! What the clock asks for, found and carried out under the job's fence.

use domain::activity::{Action, due as due_step};
use domain::ids::ActivityId;
use domain::time::Timestamp;

use super::state::{lock, subject, tell_moved};
use crate::failure::Result;
use crate::model::{AuditStamp, Fence};
use crate::steps::jobs::pass_fence;
use crate::tx::Tx;
use crate::{audit, params};

/// In the order of ids. What was handled is not due any more, and the next page starts after the last id, so a walk
/// over all of it ends whatever happens to single ones.
pub(crate) async fn due(tx: &Tx<'_>, (now, after, limit): &(Timestamp, i64, u32)) -> Result<Vec<ActivityId>> {
    tx.all(
        "SELECT id FROM activities WHERE id > $1 AND (carry = 1 OR look_at <= $2) ORDER BY id LIMIT $3",
        params![*after, *now, *limit],
        |row| row.int().map(ActivityId),
    )
    .await
}

/// Looks again under the lock: what was due may have been done by somebody, or be due no more under a newer version.
pub(crate) async fn tick(tx: &Tx<'_>, (fence, id, signed): &(Fence, ActivityId, AuditStamp)) -> Result<bool> {
    pass_fence(tx, fence).await?;
    let mut standing = lock(tx, *id).await?;
    let Some(live) = standing.live_version(tx).await? else { return Ok(false) };
    let window = live.content.configuration.window();
    let Some(action) = due_step(standing.life.state, window, signed.at) else { return Ok(false) };
    let (was, before) = (standing.life, standing.told());
    standing.life = standing.life.at(window, signed.at);
    // The ledger keeps to the window by itself: it has to hear of an end, and not of a start.
    standing.carry |= action != Action::Start;
    standing.save(tx, Some(&live), signed.at).await?;
    let name = format!("activity.{}", action.name());
    audit::write(tx, signed, &name, &subject(*id), &before, &standing.told()).await?;
    tell_moved(tx, was, &standing, signed).await?;
    Ok(true)
}
