//! Reading what one has just done. Lists and proofs are the database's, which follows the ledger by a moment; whoever asks
//! for their own right after a draw waits for that moment, and no longer than a bound.

use std::time::Duration;

use domain::Rejection;
use domain::ids::{ActivityId, UserId};
use tokio::time::Instant;

use crate::failure::Result;
use crate::world::World;

/// Between two looks at how far the rows are.
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// The rows have the player's last ticket of the current round. Answers whether they have, within the bound.
pub(crate) async fn own_ticket(world: &World, activity: ActivityId, user: UserId) -> Result<bool> {
    match world.ledger.stock.player(activity, user).await? {
        Some(player) => Ok(wait_until_reached(world, player.last).await),
        None => Ok(true),
    }
}

/// The rows have everything that anybody was told of. Answers whether they have, within the bound.
pub(crate) async fn everything(world: &World) -> bool {
    wait_until_reached(world, world.ledger.auditor.figures().told).await
}

/// The same where a "no" is about to be told: rows that are behind would deny what was acknowledged.
pub(crate) async fn for_certain(world: &World) -> Result<()> {
    certain(everything(world).await)
}

/// The same for a list. While the ledger is well it is as new as the rows are, which follow by a moment; but where they do
/// not follow, a list would leave out what was acknowledged for as long as that lasts.
pub(crate) async fn for_a_list(world: &World) -> Result<()> {
    let complete = everything(world).await;
    certain(
        complete
            || (world.ledger.stock.trouble().is_none() && world.ledger.auditor.figures().trouble.is_none()),
    )
}

fn certain(complete: bool) -> Result<()> {
    if complete { Ok(()) } else { Err(Rejection::RowsBehind { retry_after_s: 1 }.into()) }
}

async fn wait_until_reached(world: &World, seq: u64) -> bool {
    let until = Instant::now() + world.settings.rows_wait;
    loop {
        let figures = world.ledger.auditor.figures();
        if figures.projected >= seq {
            return true;
        }
        if figures.trouble.is_some() || Instant::now() >= until {
            return false;
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}
