//! Reading what one has just done. Lists and proofs are the database's, which follows the ledger by a moment; whoever asks
//! for their own right after a draw waits for that moment, and no longer than a bound.

use std::time::Duration;

use domain::ids::{ActivityId, UserId};
use tokio::time::Instant;

use crate::failure::Outcome;
use crate::world::World;

/// How long somebody waits for the rows of their own draw; then they are told what is there.
const CATCH_UP_MAX: Duration = Duration::from_secs(1);
/// Between two looks at how far the rows are.
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// The rows have the player's last ticket of the current round.
pub(super) async fn own_ticket(world: &World, activity: ActivityId, user: UserId) -> Outcome<()> {
    if let Some(player) = world.stock.player(activity, user).await? {
        reached(world, player.last).await;
    }
    Ok(())
}

/// The rows have everything that is durable now.
/// Answers whether they have, within the bound.
pub(crate) async fn everything(world: &World) -> bool {
    reached(world, world.auditor.figures().durable).await
}

async fn reached(world: &World, seq: u64) -> bool {
    let until = Instant::now() + CATCH_UP_MAX;
    loop {
        let figures = world.auditor.figures();
        if figures.projected >= seq {
            return true;
        }
        if figures.trouble.is_some() || Instant::now() >= until {
            return false;
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}
