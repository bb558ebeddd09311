//! Who works on a lane.

use domain::job::Lease;
use domain::time::Timestamp;

use crate::failure::{Fault, Result};
use crate::model::{LaneClaim, LaneFence};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

/// Takes or renews; nothing while another holds it.
pub(super) async fn claim(tx: &Tx<'_>, step: &LaneClaim) -> Result<Option<LaneFence>> {
    tx.execute(
        "INSERT INTO lanes (lane, term, holder, lease_ends) VALUES ($1, 0, NULL, NULL)
         ON CONFLICT (lane) DO NOTHING",
        params![&step.lane],
    )
    .await?;
    let current = find(tx, &step.lane).await?;
    let Some(lease) = Lease::claim(current.as_ref(), &step.holder, step.now, step.lease_ms) else {
        return Ok(None);
    };
    tx.execute(
        "UPDATE lanes SET term = $2, holder = $3, lease_ends = $4 WHERE lane = $1",
        params![&step.lane, lease.term, &lease.holder, lease.ends],
    )
    .await?;
    Ok(Some(LaneFence { lane: step.lane.clone(), term: lease.term }))
}

pub(super) async fn end(tx: &Tx<'_>) -> Result<()> {
    let sql = "UPDATE lanes SET term = term + 1, holder = NULL, lease_ends = NULL WHERE holder IS NOT NULL";
    tx.execute(sql, params![]).await?;
    Ok(())
}

/// Refuses whoever does not hold the lane any more, and holds it still until the transaction ends.
pub(crate) async fn pass_fence(tx: &Tx<'_>, fence: &LaneFence) -> Result<()> {
    let held = find(tx, &fence.lane).await?.filter(|lease| !lease.holder.is_empty());
    Ok(Lease::fence(held.as_ref(), fence.term)?)
}

async fn find(tx: &Tx<'_>, lane: &str) -> Result<Option<Lease>> {
    let sql = "SELECT term, holder, lease_ends FROM lanes WHERE lane = $1 FOR UPDATE";
    tx.one(sql, params![lane], read).await
}

/// A lane that nobody holds still has a term, so that the next one is higher: its lease is long over.
fn read(row: &mut Row) -> Result<Lease, Fault> {
    let (term, holder, ends) = (row.int()?, row.opt_text()?, row.opt_time()?);
    Ok(Lease { term, holder: holder.unwrap_or_default(), ends: ends.unwrap_or(Timestamp(i64::MIN)) })
}
