//! The drawing: secret, roll and beacon's value to winners.

use std::collections::{HashMap, HashSet};

use domain::activity::Plan;
use domain::ids::UserId;
use domain::lottery::random::DrawSecret;
use domain::lottery::strategy::PrizeId;
use domain::player_number::PlayerNumber;
use domain::raffle::{self, Beacon, Roll, Winner};
use store::model::{Actor, JobRun, RAFFLE_ROWS_MAX, RaffleDraw, RaffleRound, RaffleRow, RaffleWin};

use crate::activity_cache::forget_published;
use crate::failure::{Fault, Result};
use crate::ports::SealContext;
use crate::world::World;

/// Answers whether the winners are there by our doing.
pub async fn draw(world: &World, run: &JobRun, round: RaffleRound) -> Result<bool> {
    let Some(row) = world.db.raffle_find(round).await? else { return Ok(false) };
    let prizes = prizes(world, &row).await?;
    let (bytes, secret) = (roll_bytes(world, &row).await?, secret(world, &row)?);
    let (hash, value) = (row.roll_hash, row.value.clone().map(|value| value.value));
    let beacon = value.as_ref().map(|value| Beacon::of(value.as_bytes()));
    let drawn = tokio::task::spawn_blocking(move || {
        let roll = Roll::decode(&bytes).map_err(|refusal| Fault::caused("reading a roll", refusal))?;
        if *roll.hash() != hash {
            return Err(Fault::new("the roll is not the one that was published"));
        }
        raffle::draw(secret.reveal(), &roll, beacon.as_ref())
            .map_err(|refusal| Fault::caused("drawing a raffle", refusal))
    });
    let drawn = drawn.await.map_err(|error| Fault::caused("drawing a raffle", error))??;
    let users = users(world, round, &drawn).await?;
    let named = |winner| name_winner(world, &prizes, &users, winner);
    let winners = drawn.into_iter().map(named).collect::<Result<_, _>>()?;
    let step = RaffleDraw { round, beacon_value: value, winners };
    let signed = world.audit_stamp(Actor::System, "", &run.run.to_string());
    let done = world.db.raffle_draw(run.fence.clone(), step, signed).await?;
    forget_published(world, round.0);
    Ok(done)
}

/// The accounts of those who won. The roll does not know them: it is public.
async fn users(world: &World, round: RaffleRound, drawn: &[Winner]) -> Result<HashMap<PlayerNumber, UserId>> {
    let won: HashSet<PlayerNumber> = drawn.iter().map(|winner| winner.seat).collect();
    let (mut users, mut after) = (HashMap::with_capacity(won.len()), UserId(0));
    while users.len() < won.len() {
        let page = world.db.raffle_entrants(round, after, RAFFLE_ROWS_MAX).await?;
        let Some((last, _)) = page.last() else { break };
        after = *last;
        let winning = page.into_iter().filter(|(_, entrant)| won.contains(&entrant.seat));
        users.extend(winning.map(|(user, entrant)| (entrant.seat, user)));
    }
    Ok(users)
}

/// Who it is, the prize by its id, and an id for the win.
fn name_winner(
    world: &World,
    prizes: &[PrizeId],
    users: &HashMap<PlayerNumber, UserId>,
    winner: Winner,
) -> Result<RaffleWin, Fault> {
    let at = usize::try_from(winner.prize).map_err(|error| Fault::caused("a prize", error))?;
    let prize = prizes.get(at).ok_or_else(|| Fault::new("a prize that is not on the roll was won"))?;
    let user = users.get(&winner.seat).ok_or_else(|| Fault::new("somebody won who did not enter"))?;
    Ok(RaffleWin { winner, user: *user, prize: *prize, win: world.next_id() })
}

/// In the order of the roll.
async fn prizes(world: &World, row: &RaffleRow) -> Result<Vec<PrizeId>> {
    let (activity, version) = (row.round.0, row.version);
    let found = world.db.version_find(activity, version).await?;
    match found.map(|found| found.content.plan) {
        Some(Plan::Raffle(prizes)) => Ok(prizes.into_iter().map(|prize| prize.id).collect()),
        Some(Plan::Instant(_) | Plan::Sale(_)) | None => {
            Err(Fault::new(format!("activity {activity} is no raffle in version {version}")).into())
        }
    }
}

async fn roll_bytes(world: &World, row: &RaffleRow) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(row.roll_bytes).unwrap_or(0));
    for number in 0.. {
        match world.db.roll_piece(row.round, number).await? {
            Some(piece) => bytes.extend(piece),
            None => break,
        }
    }
    Ok(bytes)
}

pub(crate) fn secret(world: &World, row: &RaffleRow) -> Result<DrawSecret> {
    let (activity, round) = row.round;
    let of = || format!("the secret of activity {activity}, round {round}");
    let plain = world
        .outside
        .vault
        .open(SealContext::Secret, &row.sealed_secret)
        .map_err(|fault| Fault::caused(of(), fault))?;
    let bytes: [u8; 32] = plain.as_slice().try_into().map_err(|error| Fault::caused(of(), error))?;
    let secret = DrawSecret::new(bytes);
    if row.commitment.is_of(&secret) {
        Ok(secret)
    } else {
        Err(Fault::new(format!("{} is not the one that was committed to", of())).into())
    }
}
