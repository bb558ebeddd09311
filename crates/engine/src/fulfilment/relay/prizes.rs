//! What a prize is called and is, for those who hear of it. The ledger and the rows know prizes by number only.

use domain::ids::ActivityId;
use domain::lottery::strategy::PrizeId;
use domain::webhook::EventKind;
use serde_json::Value as Json;

use crate::activity_cache::Title;
use crate::failure::Result;
use crate::world::World;

/// A prize by name and kind, as the version in place has it; nothing where that has no such prize.
pub(crate) async fn title(world: &World, activity: ActivityId, prize: PrizeId) -> Result<Option<Title>> {
    let Some(live) = world.caches.activities.find(world, activity).await? else { return Ok(None) };
    let titles = world.caches.activities.titles(world, activity, live.version).await?;
    Ok(titles.get(prize).cloned())
}

/// Adds them to what is told of a win.
pub(crate) async fn name_prize(world: &World, kind: EventKind, data: &mut Json) -> Result<()> {
    let named = kind.fields().iter().flat_map(|group| group.iter()).any(|field| field.name == "prize_name");
    let activity = data["activity_id"].as_str().and_then(|id| id.parse::<ActivityId>().ok());
    let prize = data["prize_id"].as_u64().and_then(|id| u16::try_from(id).ok()).and_then(PrizeId::new);
    let Some((activity, prize)) = activity.zip(prize).filter(|_| named) else { return Ok(()) };
    if let Some(title) = title(world, activity, prize).await? {
        data["prize_kind"] = title.gift.kind().name().into();
        data["prize_name"] = title.name.into();
    }
    Ok(())
}
