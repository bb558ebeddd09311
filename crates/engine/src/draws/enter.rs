//! Entering a raffle: entries cost chances, and each is one more line on the roll.

use domain::Rejection;
use domain::ids::{ActivityId, UserId};
use domain::ledger::Command;
use domain::ledger::play::{DRAWS_MAX, Draws};
use domain::rejection::FieldProblem;

use crate::activity_cache::Offer;
use crate::draws::admission::{live, standing_of};
use crate::draws::answer::DrawAnswer;
use crate::draws::draw::{ask_ledger, ticket_key};
use crate::failure::Result;
use crate::world::World;

/// How often it is tried again because the version, the round or the day changed meanwhile.
const TRIES_MAX: u32 = 5;

pub async fn enter(
    world: &World,
    activity: ActivityId,
    user: UserId,
    id: &str,
    entries: u32,
) -> Result<DrawAnswer> {
    world.caches.refusals.watch(activity, enter_again(world, activity, user, id, entries).await)
}

/// Tries as often as what it was asked with changes meanwhile.
async fn enter_again(
    world: &World,
    activity: ActivityId,
    user: UserId,
    id: &str,
    entries: u32,
) -> Result<DrawAnswer> {
    let range = FieldProblem::OutOfRange { min: 1, max: i64::from(DRAWS_MAX) };
    let entries = Draws::new(entries).ok_or(Rejection::invalid("entries", range))?;
    let key = ticket_key(user, id)?;
    for _ in 0..TRIES_MAX {
        let live = live(world, activity).await?;
        let Offer::Enter = live.offer else { return Err(live.offer.instead().into()) };
        // Nobody on the block list wins a raffle; nobody who is not let in enters it.
        let blocked = standing_of(world, &live, user, key).await?.blocked;
        if blocked && world.ledger.stock.ticket(key).await?.is_none() {
            return Err(Rejection::NotEligible.into());
        }
        let (round, day) = (live.life.round, live.day(world.now()));
        let command = Command::Enter { key, activity, round, user, entries, day };
        if let Some(told) = ask_ledger(world, &live, command).await? {
            return Ok(told);
        }
    }
    Err(Rejection::Overloaded { retry_after_s: 1 }.into())
}
