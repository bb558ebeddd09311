//! Counts are united with those that are kept. Whoever adds them holds one lock, because two who add the first count of a day
//! at once have no row to lock.

use domain::ids::ActivityId;
use domain::statistics::DistinctCount;

use crate::failure::{Fault, Result};
use crate::model::{Fence, VISITS_ADDED_MAX, VisitPlace, VisitSubject, VisitsAdd};
use crate::params;
use crate::row::Row;
use crate::steps::jobs::pass_fence;
use crate::tx::Tx;

/// What whoever adds to statistics holds.
pub(super) async fn lock(tx: &Tx<'_>, fence: Option<&Fence>) -> Result<()> {
    if let Some(fence) = fence {
        pass_fence(tx, fence).await?;
    }
    tx.exclusive("statistics").await
}

/// The activity, 0 for the site, and the round.
pub(super) const fn key_of(subject: VisitSubject) -> (ActivityId, u32) {
    match subject {
        VisitSubject::Site => (ActivityId(0), 0),
        VisitSubject::Round(activity, round) => (activity, round),
    }
}

pub(super) fn read_count(row: &mut Row) -> Result<DistinctCount, Fault> {
    DistinctCount::from_bytes(&row.bytes()?).ok_or_else(|| Fault::new("a count of visits that is none"))
}

pub(super) async fn add_visits(tx: &Tx<'_>, step: &VisitsAdd) -> Result<()> {
    lock(tx, step.fence.as_ref()).await?;
    for (place, counted) in step.counts.iter().take(VISITS_ADDED_MAX) {
        add_one(tx, *place, counted).await?;
    }
    Ok(())
}

async fn add_one(
    tx: &Tx<'_>,
    VisitPlace { subject, step, day }: VisitPlace,
    counted: &DistinctCount,
) -> Result<()> {
    let (activity, round) = key_of(subject);
    let kept = tx
        .one(
            "SELECT counted FROM visit_counts WHERE activity_id = $1 AND round = $2 AND step = $3 AND day = $4",
            params![activity, round, step.name(), day.days()],
            read_count,
        )
        .await?;
    let mut united = kept.unwrap_or_default();
    if united.merge(counted) {
        tx.execute(
            "INSERT INTO visit_counts (activity_id, round, step, day, counted) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (activity_id, step, round, day) DO UPDATE SET counted = excluded.counted",
            params![activity, round, step.name(), day.days(), united.to_bytes()],
        )
        .await?;
    }
    Ok(())
}
