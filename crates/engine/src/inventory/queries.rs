//! Looking at pools and holds.
//!
//! Counters and states come from the ledger itself, after everything that was asked before. Lists, movements and lives
//! come from the database, which follows the ledger by a moment.

use domain::Rejection;
use domain::ledger::{HoldState, PoolId};
use domain::page::{Page, PageRequest};
use domain::rejection::FieldProblem;
use store::model::{Delta, HoldSearch, LifeChange, LifeStep, Movement, PoolSearch};

use crate::failure::Result;
use crate::inventory::answer::{NamedHold, PoolCounters, find_pool_name, name_hold};
use crate::inventory::ask::{find_pool, hold_key, strip_owner_prefix, text, under};
use crate::world::World;

/// The longest text to search by, in bytes: no name is longer.
const SEARCH_MAX: usize = domain::ledger::POOL_NAME_MAX;

/// A hold with all that is known about it.
#[derive(Clone, Debug)]
pub struct HoldStory {
    pub hold: NamedHold,
    pub owner: Option<String>,
    pub life: Vec<(LifeStep, Vec<HoldMove>)>,
}

/// How one pool's counters changed by a step of a hold's life.
#[derive(Clone, Debug)]
pub struct HoldMove {
    /// Nothing for a moment after a restart.
    pub pool: Option<String>,
    pub delta: Delta,
}

/// The ledger's id of a pool that may or may not be there.
pub fn pool_id(name: &str) -> Result<PoolId, Rejection> {
    find_pool(name, &mut Vec::new())
}

/// The counters as they are now.
pub async fn pool_find(world: &World, name: &str) -> Result<PoolCounters> {
    let view = world.ledger.stock.pool(pool_id(name)?).await?;
    let view = view.ok_or_else(|| Rejection::PoolUnknown { pool: name.to_owned() })?;
    Ok(PoolCounters { name: name.to_owned(), view })
}

/// Pools whose name begins with `under` and has `text` in it, the newest first.
pub async fn pool_list(
    world: &World,
    beginning: &str,
    text: &str,
    page: PageRequest,
) -> Result<Page<PoolCounters>> {
    for (field, given) in [("under", beginning), ("q", text)] {
        if given.len() > SEARCH_MAX {
            let problem = FieldProblem::TooLong { max: SEARCH_MAX as u64 };
            return Err(Rejection::invalid(field, problem).into());
        }
    }
    let search = PoolSearch { under: under(beginning), text: text.to_owned() };
    let found = world.db.pool_list(search, page).await?;
    Ok(found.map(|pool| {
        let name = strip_owner_prefix(&pool.name).unwrap_or(&pool.name).to_owned();
        PoolCounters { name, view: pool.view }
    }))
}

/// What changed a pool, the newest first.
pub async fn movements(world: &World, name: &str, page: PageRequest) -> Result<Page<Movement>> {
    let pool = pool_find(world, name).await?.view.pool;
    world.db.movements(Some(pool), page).await
}

/// How a list of holds is narrowed; every part given must fit.
#[derive(Clone, Debug, Default)]
pub struct HoldFilter<'a> {
    pub state: Option<&'a str>,
    pub owner: Option<&'a str>,
    pub pool: Option<&'a str>,
}

/// Holds with their owners, the newest first.
pub async fn hold_list(
    world: &World,
    filter: HoldFilter<'_>,
    page: PageRequest,
) -> Result<Page<(NamedHold, Option<String>)>> {
    let unknown = || Rejection::invalid("state", FieldProblem::NotOneOf { allowed: HoldState::NAMES });
    let state = filter.state.map(|name| HoldState::parse(name).ok_or_else(unknown)).transpose()?;
    let owner = filter.owner.map(|owner| text("owner", owner)).transpose()?;
    let search = HoldSearch {
        under: under(""),
        state,
        owner: owner.map(|owner| owner.as_str().to_owned()),
        pool: filter.pool.map(pool_id).transpose()?,
    };
    let Page { items, next } = world.db.hold_list(search, page).await?;
    let mut all = Vec::with_capacity(items.len());
    for hold in items {
        all.push((name_hold(world, hold.id, hold.view).await?, hold.owner));
    }
    Ok(Page { items: all, next })
}

pub async fn hold_find(world: &World, id: &str) -> Result<HoldStory> {
    let key = hold_key(id);
    let view = world.ledger.stock.hold(key).await?.ok_or(Rejection::HoldUnknown)?;
    let owner = world.db.hold_find(key).await?.hold.and_then(|hold| hold.owner);
    let life = load_moves(world, world.db.hold_life(key).await?).await?;
    Ok(HoldStory { hold: name_hold(world, id.to_owned(), view).await?, owner, life })
}

/// Each step with what it moved. An extension moves nothing, and there may be many.
async fn load_moves(world: &World, life: Vec<LifeStep>) -> Result<Vec<(LifeStep, Vec<HoldMove>)>> {
    let moves = |step: &&LifeStep| match step.what {
        LifeChange::Reserved { .. } | LifeChange::Confirmed | LifeChange::Cancelled | LifeChange::Expired => {
            true
        }
        LifeChange::Extended { .. } | LifeChange::Spent => false,
    };
    let events: Vec<u64> = life.iter().filter(moves).map(|step| step.seq).collect();
    let made = life.first().map_or(0, |step| step.seq);
    let mut all: Vec<(LifeStep, Vec<HoldMove>)> = life.into_iter().map(|step| (step, Vec::new())).collect();
    for movement in world.db.hold_movements(made, events).await? {
        let pool = find_pool_name(world, movement.pool).await?;
        if let Some((_, moves)) = all.iter_mut().find(|(step, _)| step.seq == movement.seq) {
            moves.push(HoldMove { pool, delta: movement.delta });
        }
    }
    Ok(all)
}
