//! What a sale names that is kept elsewhere: its codes and its pictures. What is missing is told with everything else that is
//! wrong when a version is submitted.
//!
//! Deliberately absent: codes that other sales or prizes of the same pool will take. Operators are told when a pool runs low.

use domain::activity::{Plan, PoolUse};
use domain::flaw::Flaw;
use domain::ids::{ActivityId, CodePoolId};
use domain::sale::SalePlan;
use store::model::VersionRow;

use crate::failure::Result;
use crate::world::World;

pub(crate) async fn missing(world: &World, draft: &VersionRow) -> Result<Vec<Flaw>> {
    let Plan::Sale(sale) = &draft.content.plan else { return Ok(Vec::new()) };
    let mut flaws = Vec::new();
    if let Some(pool) = sale.item.pool() {
        flaws.extend(codes(world, draft.activity, sale, pool).await?);
    }
    for (at, picture) in sale.picture_ids() {
        let known = match picture {
            Some(id) => !world.db.picture_widths(id).await?.is_empty(),
            None => false,
        };
        if !known {
            let (english, chinese) = ("No such picture was uploaded.", "没有上传过这张图片。");
            flaws.push(Flaw::new(format!("sale.pictures[{at}]"), "picture_unknown", english, chinese));
        }
    }
    Ok(flaws)
}

/// There has to be a code for every unit that is still to be sold.
async fn codes(
    world: &World,
    activity: ActivityId,
    sale: &SalePlan,
    pool: CodePoolId,
) -> Result<Option<Flaw>> {
    let Some(row) = world.db.code_pool(pool).await? else {
        let (english, chinese) = ("There is no such pool of codes.", "没有这个兑换码池。");
        return Ok(Some(Flaw::new("sale.pool", "pool_unknown", english, chinese)));
    };
    let sold =
        world.ledger.stock.pool(PoolUse::Sale.pool_name(activity).pool()).await?.map_or(0, |view| view.taken);
    let (needed, left) = (sale.units.saturating_sub(sold), row.left());
    Ok((left < needed).then(|| {
        Flaw::new(
            "sale.pool",
            "pool_too_small",
            format!(
                "{needed} units are to be sold and {left} codes are left in the pool. Import more first."
            ),
            format!("待售 {needed} 件，兑换码池仅剩 {left} 个，请先导入。"),
        )
    }))
}
