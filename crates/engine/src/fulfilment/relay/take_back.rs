//! Chances of prizes that were voided after they had been given, taken back by the ledger as far as they are not used.
//!
//! How many is written down before the ledger is asked, and the ledger is asked for that number under a key that names
//! it. So a message that comes twice takes once, and what a player used in between lowers the number and not the rest.

use async_trait::async_trait;
use domain::ids::FulfilmentId;
use domain::ledger::{Act, Command, Key, Note, PlayRefusal, Refusal};
use store::model::{FulfilMessage, LaneFence, Message, TAKE_BACK};

use crate::failure::{Fault, Result};
use crate::ports::StockAnswer;
use crate::relay::handlers::body;
use crate::relay::{Handler, HandlerOutcome, LaneLimits};
use crate::world::World;

const BATCH: u32 = 100;

#[derive(Debug)]
pub(crate) struct TakeBack;

#[async_trait]
impl Handler for TakeBack {
    fn name(&self) -> &'static str {
        TAKE_BACK
    }

    fn reaches_outside(&self) -> bool {
        false
    }

    fn limits(&self) -> LaneLimits {
        LaneLimits { batch: BATCH, at_once: 1 }
    }

    async fn handle(&self, world: &World, _: &LaneFence, batch: &[Message]) -> Result<Vec<HandlerOutcome>> {
        let mut all = Vec::with_capacity(batch.len());
        for message in batch {
            all.push(one(world, message).await?);
        }
        Ok(all)
    }
}

async fn one(world: &World, message: &Message) -> Result<HandlerOutcome> {
    let FulfilMessage { source, amount, .. } = match body(message) {
        Ok(body) => body,
        Err(unreadable) => return Ok(unreadable),
    };
    let Some(activity) = source.activity() else {
        return Ok(HandlerOutcome::Dead("chances of no activity".to_owned()));
    };
    let Some(user) = message.user else { return Ok(HandlerOutcome::Dead("nobody's chances".to_owned())) };
    let id = FulfilmentId(message.subject);
    let unused = if is_of_this_round(world, activity, id).await? {
        world.ledger.stock.player(activity, user).await?.map_or(0, |player| player.account.bonus)
    } else {
        0
    };
    let most = u32::try_from(amount).unwrap_or(u32::MAX).min(unused);
    let chances = world.db.taken_back_set(id, None, most).await?;
    if chances == 0 {
        return Ok(HandlerOutcome::Done);
    }
    let note = Note::new(&format!("voided: {id}")).ok_or_else(|| Fault::new("no note"))?;
    let key = Key::of("voided", activity.0, &format!("{id} {chances}"));
    let revoke = Command::direct(key, note, Act::Revoke { activity, user, chances });
    let answer = world.ledger.stock.ask(activity.0, vec![revoke]).await?.pop();
    Ok(match answer.ok_or_else(|| Fault::new("chances without an answer"))? {
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => HandlerOutcome::Done,
        StockAnswer::Refused(Refusal::Play(PlayRefusal::RevokeOutOfRange { has })) => {
            world.db.taken_back_set(id, Some(chances), has.min(chances)).await?;
            HandlerOutcome::Again("some were used in between".to_owned())
        }
        // Closed: nobody uses them any more.
        StockAnswer::Refused(_) => {
            world.db.taken_back_set(id, Some(chances), 0).await?;
            HandlerOutcome::Done
        }
    })
}

/// What was granted in an earlier round is gone with it; chances of a later one are another grant's.
async fn is_of_this_round(
    world: &World,
    activity: domain::ids::ActivityId,
    id: FulfilmentId,
) -> Result<bool> {
    let win = world.db.wins_after(activity, id.0 - 1, 1).await?.pop().filter(|win| win.id == id.0);
    let round = world.ledger.stock.round(activity).await?;
    Ok(win.zip(round).is_some_and(|(win, (view, _))| win.round == view.round))
}
