//! Units of prizes that nobody will have, back to their pools.
//!
//! A restock under a key made of the prize: the ledger counts it once. What has no pool (an unlimited prize, a raffle's)
//! has nothing to return to.

use async_trait::async_trait;
use domain::activity::PoolUse;
use domain::fulfilment::FulfilmentSource;
use domain::ids::ActivityId;
use domain::ledger::{Act, Command, Key, Note, PoolRefusal, Refusal};
use store::model::{FulfilMessage, LaneFence, Message};

use crate::activity_cache::forget_published;
use crate::failure::{Fault, Result};
use crate::ports::StockAnswer;
use crate::relay::handlers::body;
use crate::relay::{Handler, HandlerOutcome, LaneLimits};
use crate::world::World;

const BATCH: u32 = 200;

#[derive(Debug)]
pub(crate) struct Returns;

#[async_trait]
impl Handler for Returns {
    fn name(&self) -> &'static str {
        store::model::RETURNS
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
            all.push(match read(message) {
                Ok((activity, command)) => one(world, activity, command).await?,
                Err(handled) => handled,
            });
        }
        Ok(all)
    }
}

fn read(message: &Message) -> Result<(ActivityId, Command), HandlerOutcome> {
    let dead = |why: &str| HandlerOutcome::Dead(why.to_owned());
    let FulfilMessage { source: FulfilmentSource::Win { activity, prize }, .. } = body(message)? else {
        return Err(dead("only a prize has a unit that goes back"));
    };
    let note = Note::new(&format!("not given: {}", message.subject)).ok_or_else(|| dead("no note"))?;
    let key = Key::of("not given", activity.0, &message.subject.to_string());
    let pool = PoolUse::Prize(prize).pool_name(activity).pool();
    Ok((activity, Command::direct(key, note, Act::PoolAdjust { pool, delta: 1 })))
}

async fn one(world: &World, activity: ActivityId, command: Command) -> Result<HandlerOutcome> {
    let answer = world.ledger.stock.ask(activity.0, vec![command]).await?.pop();
    Ok(match answer.ok_or_else(|| Fault::new("a return without an answer"))? {
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => {
            forget_published(world, activity);
            HandlerOutcome::Done
        }
        StockAnswer::Refused(Refusal::Pool(PoolRefusal::Unknown { .. })) => HandlerOutcome::Done,
        StockAnswer::Refused(refusal) => {
            HandlerOutcome::Dead(format!("the ledger refuses: {}", refusal.name()))
        }
    })
}
