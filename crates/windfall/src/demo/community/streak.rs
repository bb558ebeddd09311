//! A streak to look at: the demo's player has checked in on the six days before today.

use std::sync::Arc;

use anyhow::Context;
use domain::civil_date::CivilDate;
use domain::ids::UserId;
use store::model::{CheckIn, CheckInDay, CheckInsFind};

use crate::node::Node;

/// Days in a row, up to yesterday.
const STREAK_DAYS: u32 = 6;

/// Once: somebody who has checked in before is left alone. It comes before the rules of grants, so that it is worth nothing.
pub async fn seed(node: &Node, player: UserId) -> anyhow::Result<()> {
    let world = &node.world;
    let now = world.now();
    let today = CivilDate::from_number(world.site_day(now)).context("a day of the calendar")?;
    let find = CheckInsFind { user: player, month: today.month(), today };
    if !world.db.check_ins_find(find).await?.recent.is_empty() {
        return Ok(());
    }
    for back in (1..=STREAK_DAYS).rev() {
        let day = CheckInDay {
            today: today.minus(back),
            terms: Arc::clone(&world.settings.check_in),
            points_expire: world.points_expire(now),
            now,
        };
        world.db.check_in(CheckIn { user: player, day }).await?;
    }
    Ok(())
}
