//! Codes that were promised: units of running and approved activities that can still be won or bought, and prizes that wait
//! for a code. Held against what a pool has, it says whether somebody will win a code that is not there.

use std::collections::HashMap;

use domain::activity::{Content, Plan, PoolUse};
use domain::fulfilment::{FulfilmentState, PrizeKind};
use domain::ids::{ActivityId, CodePoolId};
use store::model::AttentionCounts;

use crate::failure::Result;
use crate::world::World;

/// Activities that are looked at; beyond it the sum is too small, and nothing else.
const ACTIVITIES_MAX: usize = 5_000;
const PAGE: u32 = 500;

/// A part of a version whose units are codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodePart {
    pub part: PoolUse,
    /// What the prize, or what is sold, is called.
    pub name: String,
    pub pool: CodePoolId,
    /// None where it never runs out.
    pub units: Option<u64>,
}

/// What a version promises, against what its pool of codes has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeShortage {
    pub part: CodePart,
    pub pool_name: String,
    pub left: u64,
    /// By everything that is published already, this activity included.
    pub promised: u64,
    /// What this version promises beyond that.
    pub more: u64,
}

/// The parts of a version that give codes.
pub fn code_parts(content: &Content) -> Vec<CodePart> {
    if let Plan::Sale(sale) = &content.plan {
        let part =
            |pool| CodePart { part: PoolUse::Sale, name: sale.name.clone(), pool, units: Some(sale.units) };
        return sale.item.pool().map(part).into_iter().collect();
    }
    let stock = content.stock();
    let units = |prize| match &content.plan {
        Plan::Raffle(prizes) => {
            prizes.iter().find(|known| known.id == prize).map(|known| u64::from(known.units))
        }
        Plan::Instant(_) | Plan::Sale(_) => {
            stock.iter().find(|(part, _)| *part == PoolUse::Prize(prize)).map(|(_, units)| *units)
        }
    };
    let codes = content.cards.iter().filter(|card| card.gift.kind() == PrizeKind::Code);
    let part = |card: &domain::activity::Card| {
        let name = content.prize_name(card.prize).unwrap_or_default().to_owned();
        Some(CodePart { part: PoolUse::Prize(card.prize), name, pool: card.pool?, units: units(card.prize) })
    };
    codes.filter_map(part).collect()
}

/// By pool: what can still be won or bought, and what waits.
pub async fn count_promises(world: &World, counts: &AttentionCounts) -> Result<HashMap<CodePoolId, u64>> {
    let mut promised: HashMap<CodePoolId, u64> = HashMap::new();
    let mut add = |pool: CodePoolId, units: u64| {
        let sum = promised.entry(pool).or_default();
        *sum = sum.saturating_add(units);
    };
    let mut after = i64::MIN;
    let mut seen = 0;
    loop {
        let open = world.db.activities_open(after, PAGE).await?;
        for id in &open {
            for (pool, units) in open_units(world, *id).await? {
                add(pool, units);
            }
        }
        seen += open.len();
        match open.last() {
            Some(last) if open.len() == PAGE as usize && seen < ACTIVITIES_MAX => after = last.0,
            Some(_) | None => break,
        }
    }
    // What was won is not free any more, and still needs its code.
    for fact in &counts.prizes {
        let waits = matches!(fact.state, FulfilmentState::Ready | FulfilmentState::Waiting);
        if let (PrizeKind::Code, true, Some(pool)) = (fact.kind, waits, fact.pool) {
            add(pool, fact.count);
        }
    }
    Ok(promised)
}

/// Of one pool.
pub async fn count_promised(world: &World, pool: CodePoolId) -> Result<u64> {
    let promised = count_promises(world, &world.db.attention_count().await?).await?;
    Ok(promised.get(&pool).copied().unwrap_or(0))
}

/// Units of an activity that can still be had, by the pool that their codes come from.
async fn open_units(world: &World, id: ActivityId) -> Result<Vec<(CodePoolId, u64)>> {
    let Some(published) = world.caches.activities.find(world, id).await? else { return Ok(Vec::new()) };
    let mut units = Vec::new();
    for CodePart { part, pool, units: written, .. } in code_parts(&published.content) {
        let view = world.ledger.stock.pool(part.pool_name(id).pool()).await?;
        // The prizes of a raffle are given out by its drawing, and have no pool in the ledger.
        let left = view.map(|view| view.available.saturating_add(view.held)).or(written);
        units.extend(left.map(|left| (pool, left)));
    }
    Ok(units)
}

/// The parts of a version for which there are not enough codes. `before` is the version in place, whose units are promised
/// already.
pub async fn find_shortages(
    world: &World,
    content: &Content,
    before: Option<&Content>,
) -> Result<Vec<CodeShortage>> {
    let parts = code_parts(content);
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let promised = count_promises(world, &world.db.attention_count().await?).await?;
    let was = before.map(code_parts).unwrap_or_default();
    let mut short = Vec::new();
    for part in parts {
        let Some(units) = part.units else { continue };
        let Some(pool) = world.db.code_pool(part.pool).await? else { continue };
        let known = was.iter().find(|known| known.part == part.part && known.pool == part.pool);
        let more = units.saturating_sub(known.and_then(|known| known.units).unwrap_or(0));
        let already = promised.get(&part.pool).copied().unwrap_or(0);
        if already.saturating_add(more) > pool.left() {
            let (left, pool_name) = (pool.left(), pool.name);
            short.push(CodeShortage { part, pool_name, left, promised: already, more });
        }
    }
    Ok(short)
}
