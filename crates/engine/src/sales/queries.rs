//! A sale as everybody sees it: what, for how much, how many are left, and when by the server's clock.

use std::sync::Arc;

use domain::Rejection;
use domain::activity::{LifeState, Plan, PoolUse};
use domain::ids::ActivityId;
use domain::ledger::PoolView;
use domain::page::{Page, PageRequest};
use domain::rejection::MissingThing;
use domain::sale::SalePlan;
use domain::time::Timestamp;

use crate::activity_cache::PublishedActivity;
use crate::activity_cache::SaleUnits;
use crate::failure::Result;
use crate::world::World;

/// How old the number of units may be: a crowd that looks at the same time asks the ledger once.
const UNITS_KEPT_MS: i64 = 200;

#[derive(Clone, Debug)]
pub struct SaleView {
    pub live: Arc<PublishedActivity>,
    /// What is sold.
    pub plan: SalePlan,
    pub units: SaleUnits,
    /// By the server's clock, whether or not the job was here.
    pub state: LifeState,
    pub now: Timestamp,
}

pub async fn sale_look(world: &World, id: ActivityId) -> Result<SaleView> {
    sale_view(world, sale_get(world, id).await?).await
}

/// Whatever was published at some time, the newest first.
pub async fn sale_list(world: &World, page: PageRequest) -> Result<Page<SaleView>> {
    let Page { items, next } = world.db.sale_list(page).await?;
    let mut all = Vec::with_capacity(items.len());
    for row in items {
        all.push(sale_view(world, sale_get(world, row.id).await?).await?);
    }
    Ok(Page { items: all, next })
}

/// A sale that is published.
pub async fn sale_get(world: &World, id: ActivityId) -> Result<Arc<PublishedActivity>> {
    let unknown = || Rejection::NotFound { what: MissingThing::Sale };
    let live = world.caches.activities.find(world, id).await?.ok_or_else(unknown)?;
    if plan_of(&live).is_some() { Ok(live) } else { Err(unknown().into()) }
}

async fn sale_view(world: &World, live: Arc<PublishedActivity>) -> Result<SaleView> {
    let now = world.now();
    let plan = plan_of(&live).cloned().ok_or(Rejection::NotFound { what: MissingThing::Sale })?;
    let units =
        *world.caches.activities.units.find(live.activity, now, UNITS_KEPT_MS, units(world, &live)).await?;
    let state = live.life.at(live.content.configuration.window(), now).state;
    Ok(SaleView { live, plan, units, state, now })
}

/// As the ledger has them now. A pool that is not there yet is one that nothing was sold from.
pub async fn units(world: &World, live: &PublishedActivity) -> Result<SaleUnits> {
    let pool = world.ledger.stock.pool(PoolUse::Sale.pool_name(live.activity).pool()).await?;
    let announced = plan_of(live).map_or(0, |plan| plan.units);
    let of = |PoolView { total, available, held, taken, .. }: PoolView| SaleUnits {
        total,
        left: available,
        held,
        sold: taken,
    };
    Ok(pool.map_or(SaleUnits { total: announced, left: announced, held: 0, sold: 0 }, of))
}

/// What is sold; nothing of an activity of another kind.
pub fn plan_of(live: &PublishedActivity) -> Option<&SalePlan> {
    match &live.content.plan {
        Plan::Sale(plan) => Some(plan),
        Plan::Instant(_) | Plan::Raffle(_) => None,
    }
}
