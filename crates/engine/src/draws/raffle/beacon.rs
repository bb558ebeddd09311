//! The beacon's value, told by an operator once it is public.

use domain::Rejection;
use domain::ids::ActivityId;
use domain::raffle::BEACON_VALUE_BYTES_MAX;
use domain::rejection::FieldProblem;
use store::model::{AuditStamp, BeaconSet};

use crate::draws::raffle::queries::{RaffleView, raffle, raffle_round_get};
use crate::failure::Result;
use crate::world::World;

/// Byte by byte as it was made public: nothing is trimmed, since everything counts.
pub async fn beacon_set(
    world: &World,
    signed: AuditStamp,
    activity: ActivityId,
    round: Option<u32>,
    value: String,
) -> Result<RaffleView> {
    let (_, round) = raffle_round_get(world, activity, round).await?;
    let problem = match value.len() {
        0 => Some(FieldProblem::TooShort { min: 1 }),
        long if long > BEACON_VALUE_BYTES_MAX => {
            Some(FieldProblem::TooLong { max: BEACON_VALUE_BYTES_MAX as u64 })
        }
        // Not every database keeps it.
        _ => value.contains('\0').then_some(FieldProblem::Malformed),
    };
    if let Some(problem) = problem {
        return Err(Rejection::invalid("value", problem).into());
    }
    world.db.beacon_set(BeaconSet { round: (activity, round), value, signed }).await?;
    raffle(world, activity, Some(round)).await
}
