//! Units of prizes that nobody will have, back to their pools.
//!
//! A restock under a key made of the prize: the ledger counts it once. What has no pool (an unlimited prize, a raffle's)
//! has nothing to return to.

use async_trait::async_trait;
use domain::activity::Part;
use domain::ledger::{Command, Key, Note, Refusal};
use domain::lottery::strategy::PrizeId;
use store::model::{FulfilBody, LaneFence, Message};

use crate::activity_cache::published_changed;
use crate::failure::{Fault, Result};
use crate::ports::StockAnswer;
use crate::relay::handlers::body;
use crate::relay::{Handled, Handler, Limits};
use crate::world::World;

const BATCH: u32 = 200;

#[derive(Debug)]
pub(crate) struct Returns;

#[async_trait]
impl Handler for Returns {
    fn name(&self) -> &'static str {
        store::model::RETURNS
    }

    fn goes_outside(&self) -> bool {
        false
    }

    fn limits(&self) -> Limits {
        Limits { batch: BATCH, at_once: 1 }
    }

    async fn handle(&self, world: &World, _: &LaneFence, batch: &[Message]) -> Result<Vec<Handled>> {
        let mut all = Vec::with_capacity(batch.len());
        for message in batch {
            all.push(match read(message) {
                Ok((back, command)) => one(world, &back, command).await?,
                Err(handled) => handled,
            });
        }
        Ok(all)
    }
}

fn read(message: &Message) -> Result<(FulfilBody, Command), Handled> {
    let back: FulfilBody = body(message)?;
    let dead = |why: &str| Handled::Dead(why.to_owned());
    let prize = PrizeId::new(back.prize).ok_or_else(|| dead("no such prize"))?;
    let note = Note::new(&format!("not given: {}", message.subject)).ok_or_else(|| dead("no note"))?;
    let key = Key::of("not given", back.activity.0, &message.subject.to_string());
    let pool = Part::Prize(prize).pool_name(back.activity).pool();
    Ok((back, Command::PoolAdjust { key, pool, delta: 1, note }))
}

async fn one(world: &World, back: &FulfilBody, command: Command) -> Result<Handled> {
    let answer = world.ledger.stock.ask(back.activity.0, vec![command]).await?.pop();
    Ok(match answer.ok_or_else(|| Fault::new("a return without an answer"))? {
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => {
            published_changed(world, back.activity);
            Handled::Done
        }
        StockAnswer::Refused(Refusal::PoolUnknown { .. }) => Handled::Done,
        StockAnswer::Refused(refusal) => Handled::Dead(format!("the ledger refuses: {}", refusal.name())),
    })
}
