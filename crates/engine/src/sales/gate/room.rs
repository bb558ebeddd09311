//! Waiting for one's turn.

use std::sync::Arc;

use domain::Rejection;
use domain::activity::sale_pool;
use domain::ids::ActivityId;
use domain::sale::place::Place;
use domain::sale::room::{Conditions, Health, Line, QueuePosition, ask_again_ms};
use domain::time::{MINUTE_MS, SECOND_MS, Timestamp};

use crate::failure::Result;
use crate::sales::gate::Buyer;
use crate::sales::gate::pace::{Asks, count};
use crate::sales::gate::rooms::RoomKept;
use crate::sales::gate::sale::Sale;
use crate::world::World;

/// How long before the start one may take a place.
const OPENS_BEFORE_MS: i64 = 10 * MINUTE_MS;

/// Where somebody stands, as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomTold {
    pub state: RoomState,
    /// Units that are free.
    pub units_left: u64,
    /// When to ask again; whoever follows the stream need not.
    pub ask_again_ms: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoomState {
    Waiting {
        /// To be kept, and shown should the server ask for it.
        place: String,
        number: i64,
        ahead: u64,
        /// How long it will take, as things are.
        wait_ms: Option<i64>,
    },
    /// Their turn: ask for a token.
    Admitted { place: String, number: i64, until: Timestamp },
    /// Nothing is left, and nothing is held that could come back.
    SoldOut,
    /// Their turn is over, or they never had a place.
    Left,
}

/// A place in the line, or the one they have; `shown` is one that they kept.
pub async fn room_join(
    world: &World,
    buyer: Buyer,
    sale: ActivityId,
    shown: Option<&str>,
) -> Result<RoomTold> {
    count(world, buyer, Asks::Gate).await?;
    let sale = Sale::find(world, sale).await?;
    sale.is_on(world.now(), OPENS_BEFORE_MS)?;
    sale.lets_in(world, buyer.user).await?;
    let shown = match shown {
        Some(text) => {
            Some(Place::check(&world.sales.gate.key, text, (buyer.user, sale.id(), sale.round()))?.number)
        }
        None => None,
    };
    let kept = ticked(world, &sale).await?;
    // Nobody begins to wait for what is gone.
    if kept.line().gone && kept.look(buyer.user, world.now()) == QueuePosition::Nowhere {
        return Err(sale.sold_out().into());
    }
    let standing = kept.join(world, buyer.user, shown).await?;
    Ok(told(world, buyer, &sale, standing, &kept.line()))
}

/// Where one stands now.
pub async fn room_look(world: &World, buyer: Buyer, sale: ActivityId) -> Result<RoomTold> {
    let sale = Sale::find(world, sale).await?;
    let kept = ticked(world, &sale).await?;
    let standing = kept.look(buyer.user, world.now());
    if standing == QueuePosition::Nowhere {
        return Err(Rejection::PlaceNeeded.into());
    }
    Ok(told(world, buyer, &sale, standing, &kept.line()))
}

/// A room that is being followed.
#[derive(Clone, Debug)]
pub struct RoomFollowed {
    sale: Sale,
    kept: Arc<RoomKept>,
}

pub async fn room_follow(world: &World, sale: ActivityId) -> Result<RoomFollowed> {
    let sale = Sale::find(world, sale).await?;
    let kept = ticked(world, &sale).await?;
    Ok(RoomFollowed { sale, kept })
}

impl RoomFollowed {
    /// The line, which is the same for all who follow it.
    pub fn line(&self) -> Arc<Line> {
        self.kept.line()
    }

    /// What one of them is told of it; following is being there.
    pub fn told(&self, world: &World, buyer: Buyer) -> RoomTold {
        let standing = self.kept.look(buyer.user, world.now());
        told(world, buyer, &self.sale, standing, &self.kept.line())
    }
}

/// The room of a sale that has one, after whoever may come in by now has come in.
pub(crate) async fn ticked(world: &World, sale: &Sale) -> Result<Arc<RoomKept>> {
    let plan = sale.plan().and_then(|plan| plan.gate.room).ok_or(Rejection::NoRoom)?;
    let kept = world.sales.gate.rooms.open((sale.id(), sale.round()), world.now())?;
    kept.tick(world, || conditions(world, sale, plan.per_second)).await;
    Ok(kept)
}

/// A ledger that does not answer lets nobody in.
async fn conditions(world: &World, sale: &Sale, per_second: u32) -> Conditions {
    let version = world.sales.gate.units_version(sale.id());
    let looked = world.ledger.stock.pool(sale_pool(sale.id()).pool()).await;
    let now = world.now();
    let health = match (&looked, world.ledger.stock.trouble()) {
        (Err(_), _) | (_, Some(_)) => Health::Stuck,
        (Ok(_), None) if world.caches.crowd.is_here(now) => Health::Busy,
        (Ok(_), None) => Health::Good,
    };
    let (free, held) = match looked {
        Ok(pool) => pool.map_or((0, 0), |pool| (pool.available, pool.held)),
        // Nobody is told that it is gone because the ledger is busy.
        Err(_) => (0, 1),
    };
    if health != Health::Stuck {
        world.sales.gate.units_seen(sale.id(), version, free, now);
    }
    Conditions { open: sale.is_on(now, 0).is_ok(), per_second, free, held, health }
}

fn told(world: &World, buyer: Buyer, sale: &Sale, standing: QueuePosition, line: &Line) -> RoomTold {
    let place = |number| {
        let place = Place { user: buyer.user, sale: sale.id(), round: sale.round(), number };
        place.text(&world.sales.gate.key)
    };
    let (state, ask_again_ms) = match standing {
        QueuePosition::Admitted { number, until } => {
            (RoomState::Admitted { place: place(number), number, until }, until.since_ms(world.now()))
        }
        QueuePosition::Waiting { number, .. } if line.gone => {
            (RoomState::SoldOut, ask_again_ms(None, number))
        }
        QueuePosition::Waiting { number, ahead } => {
            let wait_ms = line.wait_ms(ahead);
            let state = RoomState::Waiting { place: place(number), number, ahead, wait_ms };
            (state, ask_again_ms(wait_ms, number))
        }
        QueuePosition::Nowhere => (RoomState::Left, SECOND_MS),
    };
    RoomTold { state, units_left: line.free, ask_again_ms }
}

/// What somebody hears who asks for a token before it is their turn.
pub(crate) fn not_yet(line: &Line, number: i64, ahead: u64) -> Rejection {
    let ask_again = ask_again_ms(line.wait_ms(ahead), number);
    Rejection::NotYourTurn { ahead, retry_after_s: (ask_again + SECOND_MS - 1) / SECOND_MS }
}
