//! Redeem codes that were won, taken from their pools.
//!
//! A code is kept under the prize it is for, so that the same prize takes the same code however often the message comes.
//! Where none is left the message waits: more may be imported.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::ids::{CodePoolId, FulfilmentId};
use store::model::{CodeOutcome, FulfilMessage, LaneFence, Message};

use crate::failure::{Fault, Result};
use crate::relay::handlers::body;
use crate::relay::{Handler, HandlerOutcome, LaneLimits};
use crate::world::World;

/// Codes taken in one transaction.
const BATCH: u32 = 1_000;

#[derive(Debug)]
pub(crate) struct Codes;

#[async_trait]
impl Handler for Codes {
    fn name(&self) -> &'static str {
        "codes"
    }

    fn reaches_outside(&self) -> bool {
        false
    }

    fn limits(&self) -> LaneLimits {
        LaneLimits { batch: BATCH, at_once: 1 }
    }

    async fn handle(&self, world: &World, _: &LaneFence, batch: &[Message]) -> Result<Vec<HandlerOutcome>> {
        let mut all = vec![HandlerOutcome::Kept; batch.len()];
        let mut asked: BTreeMap<CodePoolId, Vec<(usize, FulfilmentId)>> = BTreeMap::new();
        for ((at, message), place) in batch.iter().enumerate().zip(&mut all) {
            match pool(message) {
                Ok(pool) => asked.entry(pool).or_default().push((at, FulfilmentId(message.subject))),
                Err(handled) => *place = handled,
            }
        }
        for (pool, wanted) in asked {
            let (places, ids): (Vec<usize>, Vec<FulfilmentId>) = wanted.into_iter().unzip();
            let taken = world.db.codes_take(pool, ids, world.now()).await?;
            if taken.len() != places.len() {
                return Err(Fault::new("codes without an answer").into());
            }
            for (at, taken) in places.into_iter().zip(taken) {
                if let Some(place) = all.get_mut(at) {
                    *place = to_outcome(taken);
                }
            }
        }
        Ok(all)
    }
}

fn pool(message: &Message) -> Result<CodePoolId, HandlerOutcome> {
    let FulfilMessage { pool, .. } = body(message)?;
    pool.ok_or_else(|| HandlerOutcome::Dead("a code of no pool".to_owned()))
}

fn to_outcome(taken: CodeOutcome) -> HandlerOutcome {
    match taken {
        CodeOutcome::Code(_) => HandlerOutcome::Done,
        // Nobody failed: it waits, however long that takes.
        CodeOutcome::Quarantined => HandlerOutcome::Kept,
        CodeOutcome::NoneLeft => HandlerOutcome::Again("no code is left in the pool".to_owned()),
    }
}
