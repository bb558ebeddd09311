//! How much waits, and for how long, by handler; also in lanes of prizes that nobody carries out yet.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::fulfilment::PrizeKind;
use domain::time::SECOND_MS;

use crate::failure::Result;
use crate::relay::Handler;
use crate::world::World;

pub(crate) async fn figures(world: &World, handlers: &[Arc<dyn Handler>]) -> Result<()> {
    let mut told = BTreeSet::new();
    for handler in handlers {
        let lanes = handler.lanes(world).await?;
        // One that has no lane now may have left messages in the one of its name.
        if !lanes.is_empty() {
            told.insert(handler.name());
        }
        tell(world, handler.name(), lanes).await?;
    }
    for lane in PrizeKind::ALL.into_iter().filter_map(PrizeKind::lane) {
        let unattended = if told.insert(lane) { tell(world, lane, vec![lane.to_owned()]).await? } else { 0 };
        #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
        metrics::gauge!("windfall_outbox_unattended", "lane" => lane).set(unattended as f64);
    }
    Ok(())
}

/// Answers how many wait.
async fn tell(world: &World, name: &'static str, lanes: Vec<String>) -> Result<u64> {
    let now = world.now();
    let (mut waiting, mut age_ms) = (0, 0);
    for lane in lanes {
        let figures = world.db.lane_figures(lane, now).await?;
        waiting += figures.waiting;
        age_ms = age_ms.max(figures.oldest_due.map_or(0, |due| now.since_ms(due)));
    }
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    {
        metrics::gauge!("windfall_outbox_waiting", "lane" => name).set(waiting as f64);
        metrics::gauge!("windfall_outbox_age_seconds", "lane" => name).set(age_ms as f64 / SECOND_MS as f64);
    }
    Ok(waiting)
}
