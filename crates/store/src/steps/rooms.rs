//! The numbers of waiting rooms.

use std::ops::Range;

use domain::ids::ActivityId;

use crate::Db;
use crate::failure::{Fault, Result};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

impl Db {
    /// So many numbers of a round, after all that were ever taken, for nobody else. What is taken and not used is lost, and
    /// does no harm; so asking again is harmless too.
    pub async fn numbers_take(&self, sale: ActivityId, round: u32, count: i64) -> Result<Range<i64>> {
        self.write((sale, round, count), |tx, step| Box::pin(take(tx, step))).await
    }
}

async fn take(tx: &Tx<'_>, (sale, round, count): &(ActivityId, u32, i64)) -> Result<Range<i64>> {
    let taken = tx
        .one(
            "INSERT INTO sale_rooms (activity_id, round, taken) VALUES ($1, $2, $3)
             ON CONFLICT (activity_id, round) DO UPDATE SET taken = sale_rooms.taken + excluded.taken
             RETURNING taken",
            params![sale.0, i64::from(*round), *count],
            Row::int,
        )
        .await?
        .ok_or_else(|| Fault::new("a room without numbers"))?;
    Ok(taken - count + 1..taken + 1)
}
