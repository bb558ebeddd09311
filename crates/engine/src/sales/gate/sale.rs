//! A sale as it is now, and whether somebody may take part.

use std::sync::Arc;

use domain::Rejection;
use domain::activity::{Plan, Window, sale_pool};
use domain::ids::{ActivityId, UserId};
use domain::ledger::play::check_running;
use domain::rejection::MissingThing;
use domain::sale::SalePlan;
use domain::sale::sold_out::SoldOutAdvice;
use domain::time::Timestamp;

use crate::activity_cache::PublishedActivity;
use crate::draws::standing;
use crate::failure::Result;
use crate::sales::queries::plan_of;
use crate::world::World;

/// What is published of a sale.
#[derive(Clone, Debug)]
pub(crate) struct Sale {
    pub live: Arc<PublishedActivity>,
}

impl Sale {
    pub async fn find(world: &World, id: ActivityId) -> Result<Self> {
        let live = world.caches.activities.find(world, id).await?;
        let sale = live.filter(|live| matches!(live.content.plan, Plan::Sale(_)));
        Ok(Self { live: sale.ok_or(Rejection::NotFound { what: MissingThing::Activity })? })
    }

    pub fn id(&self) -> ActivityId {
        self.live.activity
    }

    pub fn round(&self) -> u32 {
        self.live.life.round
    }

    /// Only sales are found.
    pub fn plan(&self) -> Option<&SalePlan> {
        plan_of(&self.live)
    }

    /// Whether it runs by the clock; whether everything is halted is asked elsewhere. The ledger judges again, exactly,
    /// when something is bought. `early_ms` before the start is early enough.
    pub fn check_running(&self, now: Timestamp, early_ms: i64) -> Result<(), Rejection> {
        let window = self.live.content.configuration.window();
        let state = self.live.life.at(window, now).state.in_ledger().ok_or(Rejection::NotRunning)?;
        let early = Window { from: window.from - early_ms, ..window };
        check_running(state, early, false, now).map_err(|why| why.rejection(window.from))
    }

    /// Whether they may take part at all: the block list, and the rule tree if there is one.
    pub async fn lets_in(&self, world: &World, user: UserId) -> Result<()> {
        if standing(world, &self.live, user).await?.blocked {
            return Err(Rejection::NotEligible.into());
        }
        Ok(())
    }

    /// Refuses when nothing is left, as far as is known here; at most one of those who ask at once looks at the ledger.
    pub async fn has_units(&self, world: &World) -> Result<()> {
        match world.sales.gate.flags.says(self.id(), world.now()) {
            SoldOutAdvice::Unknown => Ok(()),
            SoldOutAdvice::Gone => Err(self.sold_out().into()),
            SoldOutAdvice::Look { version } => {
                let pool = world.ledger.stock.pool(sale_pool(self.id()).pool()).await?;
                let free = pool.map_or(0, |pool| pool.available);
                world.sales.gate.flags.seen(self.id(), version, free, world.now());
                if free == 0 { Err(self.sold_out().into()) } else { Ok(()) }
            }
        }
    }

    pub fn sold_out(&self) -> Rejection {
        sold_out_rejection(&self.live)
    }
}

/// A sale of which it is known here and now that nothing is left: whoever tries hears [`sold_out_rejection`], whoever they are.
pub fn find_sold_out(world: &World, sale: ActivityId) -> Option<Arc<PublishedActivity>> {
    let live = world.caches.activities.kept(sale)?;
    world.sales.gate.flags.is_gone(sale, world.now()).then_some(live)
}

/// What they hear.
pub fn sold_out_rejection(live: &PublishedActivity) -> Rejection {
    let pool = plan_of(live).map_or_else(String::new, |plan| plan.name.clone());
    Rejection::SoldOut { pool, left: 0 }
}
