//! Redeem codes that were won, taken from their pools.
//!
//! A code is kept under the prize it is for, so that the same prize takes the same code however often the message comes.
//! Where none is left the message waits: more may be imported.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::ids::{CodePoolId, FulfilmentId};
use store::model::{FulfilBody, LaneFence, Message, Taken};

use crate::failure::{Fault, Result};
use crate::relay::handlers::body;
use crate::relay::{Handled, Handler, Limits};
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

    fn goes_outside(&self) -> bool {
        false
    }

    fn limits(&self) -> Limits {
        Limits { batch: BATCH, at_once: 1 }
    }

    async fn handle(&self, world: &World, _: &LaneFence, batch: &[Message]) -> Result<Vec<Handled>> {
        let mut all = vec![Handled::Kept; batch.len()];
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
                    *place = handled(taken);
                }
            }
        }
        Ok(all)
    }
}

fn pool(message: &Message) -> Result<CodePoolId, Handled> {
    let FulfilBody { pool, .. } = body(message)?;
    pool.ok_or_else(|| Handled::Dead("a code of no pool".to_owned()))
}

fn handled(taken: Taken) -> Handled {
    match taken {
        Taken::Code(_) => Handled::Done,
        // Nobody failed: it waits, however long that takes.
        Taken::Quarantined => Handled::Kept,
        Taken::NoneLeft => Handled::Again("no code is left in the pool".to_owned()),
    }
}
