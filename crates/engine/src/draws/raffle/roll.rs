//! The roll of a closed round, made and published.

use std::collections::HashSet;

use domain::activity::{KindSettings, Plan};
use domain::ids::UserId;
use domain::raffle::{ENTRANTS_MAX, Entrant, Roll};
use store::model::{Actor, JobRun, RAFFLE_ROWS_MAX, RaffleRound, RollPiece, RollPublish};

use crate::failure::{Fault, Result};
use crate::world::World;

/// Bytes of the roll that are written at a time: a short transaction.
const PIECE_BYTES: usize = 192 * 1024;

/// Answers whether it is public now by our doing. It is not when somebody changed the block list meanwhile: the next run
/// begins anew.
pub async fn publish(world: &World, run: &JobRun, round: RaffleRound, version: u32) -> Result<bool> {
    let (activity, number) = round;
    let unfit = || Fault::new(format!("activity {activity} is no raffle in version {version}"));
    let row = world.db.version_find(activity, version).await?.ok_or_else(unfit)?;
    let KindSettings::Raffle { draw_at, beacon } = row.content.configuration.kind().clone() else {
        return Err(unfit().into());
    };
    let Plan::Raffle(prizes) = &row.content.plan else { return Err(unfit().into()) };
    let units = prizes.iter().map(|prize| prize.units).collect();
    let (block_changes, entrants) = entrants(world, round).await?;
    let entries = entrants.iter().map(|entrant| u64::from(entrant.entries)).sum();
    let named = beacon.clone();
    // Sorting and hashing millions of lines is nothing for a thread that others wait for.
    let made = tokio::task::spawn_blocking(move || {
        Roll::new(activity, number, named, units, entrants)
            .map(|roll| (*roll.hash(), roll.entrants().len(), roll.encode()))
    });
    let made = made.await.map_err(|error| Fault::caused("making a roll", error))?;
    let (hash, entrants, bytes) = made.map_err(|refusal| {
        Fault::caused(format!("activity {activity}, round {number} has no roll"), refusal)
    })?;
    let mut pieces = 0;
    for piece in bytes.chunks(PIECE_BYTES) {
        let piece = RollPiece { round, number: pieces, bytes: piece.to_vec() };
        if !world.db.roll_piece_set(run.fence.clone(), piece).await? {
            return Ok(false);
        }
        pieces += 1;
    }
    let step = RollPublish {
        round,
        version,
        draw_at,
        beacon,
        hash,
        pieces,
        bytes: bytes.len() as u64,
        entrants: u32::try_from(entrants).map_err(|error| Fault::caused("entrants", error))?,
        entries,
        block_changes,
    };
    let signed = world.audit_stamp(Actor::System, "", &run.run.to_string());
    world.db.roll_publish(run.fence.clone(), step, signed).await
}

/// Everybody who entered and is not on the block list, and how often the list was changed.
async fn entrants(world: &World, round: RaffleRound) -> Result<(u64, Vec<Entrant>)> {
    let (changes, blocked) = world.db.block_list_load(round.0).await?;
    let blocked: HashSet<UserId> = blocked.into_iter().collect();
    let (mut entrants, mut after) = (Vec::new(), UserId(0));
    loop {
        let page = world.db.raffle_entrants(round, after, RAFFLE_ROWS_MAX).await?;
        let Some(last) = page.last() else { return Ok((changes, entrants)) };
        after = last.0;
        let allowed = page.into_iter().filter(|(user, _)| !blocked.contains(user));
        entrants.extend(allowed.map(|(_, entrant)| entrant));
        if entrants.len() > ENTRANTS_MAX {
            let (activity, round) = round;
            return Err(Fault::new(format!("activity {activity}, round {round}: too many for a roll")).into());
        }
    }
}
