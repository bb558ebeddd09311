//! What is given for an order, of the shop or of a sale, as its buyer sees it.

use domain::fulfilment::{FulfilmentState, PrizeKind};
use domain::ids::FulfilmentId;
use store::model::FulfilmentRow;

use crate::failure::Result;
use crate::fulfilment::Missing;
use crate::fulfilment::redeem_codes::code_of;
use crate::world::World;

/// One thing that is given for an order.
#[derive(Clone, Debug)]
pub struct ThingView {
    pub row: FulfilmentRow,
    /// In the clear, for its buyer alone.
    pub code: Option<String>,
    /// What it waits for that nobody has brought yet.
    pub waits_for: Option<&'static str>,
}

/// In their order. `own` shows codes in the clear.
pub(crate) async fn thing_views(world: &World, ids: &[FulfilmentId], own: bool) -> Result<Vec<ThingView>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = world.db.fulfilments_of(ids.to_vec()).await?;
    let missing = Missing::of(world, &rows).await?;
    let mut things = Vec::with_capacity(rows.len());
    for row in rows {
        let given = row.standing.kind == PrizeKind::Code && row.standing.state == FulfilmentState::Given;
        let code = if own && given { code_of(world, row.id).await? } else { None };
        let waits_for = missing.waits_for(&row);
        things.push(ThingView { row, code, waits_for });
    }
    Ok(things)
}
