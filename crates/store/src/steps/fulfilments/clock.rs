//! The steps that the clock asks for: what waits for its time is granted, what nobody claimed in time goes back.

use domain::fulfilment::FulfilmentStep;
use domain::time::Timestamp;

use super::columns::{fulfilment_sql, read};
use super::step::take;
use crate::failure::{Fault, Result};
use crate::model::{Fence, StepDetails};
use crate::params;
use crate::steps::jobs::pass_fence;
use crate::tx::Tx;

pub(super) async fn clock(
    tx: &Tx<'_>,
    (fence, step, now, limit): &(Fence, FulfilmentStep, Timestamp, u32),
) -> Result<u64> {
    pass_fence(tx, fence).await?;
    let sql = match step {
        FulfilmentStep::Due => fulfilment_sql!(
            "WHERE state = 'waiting' AND due_ms IS NOT NULL AND due_ms <= $1 ORDER BY due_ms, id LIMIT $2 FOR UPDATE"
        ),
        FulfilmentStep::Lapse => fulfilment_sql!(
            "WHERE state = 'claimable' AND claim_until_ms IS NOT NULL AND claim_until_ms <= $1
             ORDER BY claim_until_ms, id LIMIT $2 FOR UPDATE"
        ),
        other => return Err(Fault::new(format!("{} is no step of the clock's", other.name())).into()),
    };
    let rows = tx.all(sql, params![*now, *limit], read).await?;
    let taken = rows.len() as u64;
    for row in rows {
        take(tx, row, *step, &StepDetails::default(), *now).await?;
    }
    Ok(taken)
}
