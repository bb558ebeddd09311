//! Waiting for one's turn.

use std::sync::Arc;

use domain::Rejection;
use domain::activity::sale_pool;
use domain::ids::ActivityId;
use domain::sale::room::{Conditions, QueuePosition, ServerLoad, WaitingLine, ask_again_ms};
use domain::sale::room_place::RoomPlace;
use domain::time::{MINUTE_MS, SECOND_MS, Timestamp};

use crate::failure::Result;
use crate::sales::gate::Buyer;
use crate::sales::gate::pace::{Asks, count};
use crate::sales::gate::rooms::OpenRoom;
use crate::sales::gate::sale::Sale;
use crate::world::World;

/// How long before the start one may take a place.
const OPENS_BEFORE_MS: i64 = 10 * MINUTE_MS;

/// Where somebody stands, as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomView {
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
) -> Result<RoomView> {
    count(world, buyer, Asks::Gate).await?;
    let sale = Sale::find(world, sale).await?;
    sale.check_running(world.now(), OPENS_BEFORE_MS)?;
    sale.lets_in(world, buyer.user).await?;
    let shown = match shown {
        Some(text) => {
            Some(RoomPlace::check(&world.sales.gate.key, text, (buyer.user, sale.id(), sale.round()))?.number)
        }
        None => None,
    };
    let kept = room_tick(world, &sale).await?;
    // Nobody begins to wait for what is gone.
    if kept.line().gone && kept.look(buyer.user, world.now()) == QueuePosition::Nowhere {
        return Err(sale.sold_out().into());
    }
    let standing = kept.join(world, buyer.user, shown).await?;
    Ok(room_view(world, buyer, &sale, standing, &kept.line()))
}

/// Where one stands now.
pub async fn room_look(world: &World, buyer: Buyer, sale: ActivityId) -> Result<RoomView> {
    let sale = Sale::find(world, sale).await?;
    let kept = room_tick(world, &sale).await?;
    let standing = kept.look(buyer.user, world.now());
    if standing == QueuePosition::Nowhere {
        return Err(Rejection::PlaceNeeded.into());
    }
    Ok(room_view(world, buyer, &sale, standing, &kept.line()))
}

/// A room that is being followed.
#[derive(Clone, Debug)]
pub struct RoomSubscription {
    sale: Sale,
    kept: Arc<OpenRoom>,
}

pub async fn room_follow(world: &World, sale: ActivityId) -> Result<RoomSubscription> {
    let sale = Sale::find(world, sale).await?;
    let kept = room_tick(world, &sale).await?;
    Ok(RoomSubscription { sale, kept })
}

impl RoomSubscription {
    /// The line, which is the same for all who follow it.
    pub fn line(&self) -> Arc<WaitingLine> {
        self.kept.line()
    }

    /// What one of them is told of it; following is being there.
    pub fn told(&self, world: &World, buyer: Buyer) -> RoomView {
        let standing = self.kept.look(buyer.user, world.now());
        room_view(world, buyer, &self.sale, standing, &self.kept.line())
    }
}

/// The room of a sale that has one, after whoever may come in by now has come in.
pub(crate) async fn room_tick(world: &World, sale: &Sale) -> Result<Arc<OpenRoom>> {
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
        (Err(_), _) | (_, Some(_)) => ServerLoad::Stuck,
        (Ok(_), None) if world.caches.crowd.is_here(now) => ServerLoad::Busy,
        (Ok(_), None) => ServerLoad::Good,
    };
    let (free, held) = match looked {
        Ok(pool) => pool.map_or((0, 0), |pool| (pool.available, pool.held)),
        // Nobody is told that it is gone because the ledger is busy.
        Err(_) => (0, 1),
    };
    if health != ServerLoad::Stuck {
        world.sales.gate.record_units(sale.id(), version, free, now);
    }
    Conditions { open: sale.check_running(now, 0).is_ok(), per_second, free, held, health }
}

fn room_view(
    world: &World,
    buyer: Buyer,
    sale: &Sale,
    standing: QueuePosition,
    line: &WaitingLine,
) -> RoomView {
    let place = |number| {
        let place = RoomPlace { user: buyer.user, sale: sale.id(), round: sale.round(), number };
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
    RoomView { state, units_left: line.free, ask_again_ms }
}

/// What somebody hears who asks for a token before it is their turn.
pub(crate) fn not_yet(line: &WaitingLine, number: i64, ahead: u64) -> Rejection {
    let ask_again = ask_again_ms(line.wait_ms(ahead), number);
    Rejection::NotYourTurn { ahead, retry_after_s: (ask_again + SECOND_MS - 1) / SECOND_MS }
}
