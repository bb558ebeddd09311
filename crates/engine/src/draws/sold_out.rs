//! Which prizes nobody can win just now because none is left or an operator withdrew it. How many are left is not told:
//! only that it is none.

use std::sync::Arc;

use domain::activity::PoolUse;
use domain::lottery::strategy::PrizeId;
use domain::time::SECOND_MS;
use futures::future::try_join_all;

use crate::activity_cache::PublishedActivity;
use crate::failure::Result;
use crate::world::World;

/// How old it may be.
const GONE_KEPT_MS: i64 = SECOND_MS;
/// Pools that are asked for at once.
const POOLS_AT_ONCE: usize = 64;

pub async fn list_sold_out(world: &World, live: &PublishedActivity) -> Result<Arc<Vec<PrizeId>>> {
    world.caches.activities.gone.find(live.activity, world.now(), GONE_KEPT_MS, read(world, live)).await
}

async fn read(world: &World, live: &PublishedActivity) -> Result<Vec<PrizeId>> {
    let prize = |(part, _): (PoolUse, u64)| match part {
        PoolUse::Prize(prize) => Some(prize),
        PoolUse::Entries | PoolUse::Sale => None,
    };
    let counted: Vec<PrizeId> = live.content.stock().into_iter().filter_map(prize).collect();
    let stored = world.db.round_find((live.activity, live.life.round)).await?;
    let tally = stored.map(|stored| stored.come_to.tally);
    let mut gone: Vec<PrizeId> = live.content.cards.iter().map(|card| card.prize).collect();
    gone.retain(|prize| tally.as_ref().is_some_and(|tally| tally.prize(*prize).withdrawn));
    for some in counted.chunks(POOLS_AT_ONCE) {
        let pool =
            |prize: &PrizeId| world.ledger.stock.pool(PoolUse::Prize(*prize).pool_name(live.activity).pool());
        let pools = try_join_all(some.iter().map(pool)).await?;
        // A pool that is not there yet is one that nothing was taken from.
        let empty = |(prize, pool): (&PrizeId, Option<domain::ledger::PoolView>)| {
            pool.is_some_and(|pool| pool.available == 0).then_some(*prize)
        };
        gone.extend(some.iter().zip(pools).filter_map(empty));
    }
    Ok(gone)
}
