//! The units of an offer in the ledger: the pool `shop/<offer>`.

use domain::Rejection;
use domain::ids::{OfferId, ShopOrderId, UserId};
use domain::ledger::{
    Act, Command, Effect, HoldRefusal, Key, Line, Note, Owner, PoolId, PoolName, PoolRefusal, PoolView,
    Quantity, Refusal, Text,
};
use domain::time::MINUTE_MS;
use store::model::OfferRow;

use crate::failure::{Fault, Result};
use crate::inventory::pool_rejection;
use crate::ports::StockAnswer;
use crate::world::World;

/// How long units are held for somebody who is about to pay.
const HOLD_MS: i64 = 2 * MINUTE_MS;

fn name(offer: OfferId) -> Result<PoolName, Fault> {
    PoolName::new(&format!("shop/{offer}")).ok_or_else(|| Fault::new("an offer without a pool's name"))
}

pub(crate) fn pool(offer: OfferId) -> Result<PoolId, Fault> {
    Ok(name(offer)?.pool())
}

/// The pool as it is; nothing before it was opened.
pub(crate) async fn view(world: &World, offer: OfferId) -> Result<Option<PoolView>> {
    world.ledger.stock.pool(pool(offer)?).await
}

/// Opens the pool if it is not there, and gives it the offer's limit if it has another.
pub(crate) async fn laid_out(world: &World, offer: &OfferRow) -> Result<()> {
    let (id, limit) = (offer.id, offer.terms.limit);
    let (pool, note) = (pool(id)?, Note::default());
    let command = match world.ledger.stock.pool(pool).await? {
        None => Command::direct(
            Key::of("shop", id.0, "open"),
            note,
            Act::PoolOpen { pool, name: name(id)?, round: 1, total: 0, owner_max: limit },
        ),
        Some(view) if view.owner_max != limit => {
            let key = Key::of("shop", id.0, &format!("limit {}", offer.edition));
            Command::direct(key, note, Act::PoolLimit { pool, owner_max: limit })
        }
        Some(_) => return Ok(()),
    };
    match ask(world, id, command).await? {
        // Somebody else did it a moment ago.
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => Ok(()),
        StockAnswer::Refused(Refusal::Conflict | Refusal::Pool(PoolRefusal::RoundStale { .. })) => Ok(()),
        StockAnswer::Refused(refusal) => Err(to_rejection(&refusal, "the offer")?.into()),
    }
}

/// Holds so many units for somebody, under an id. Answers whether they are held, or were and are not any more.
pub(crate) async fn hold(
    world: &World,
    (offer, called): (OfferId, &str),
    user: UserId,
    quantity: u32,
    id: &str,
) -> Result<ShelfHold> {
    let text = |text: &str| Text::new(text).ok_or_else(|| Fault::new("an id that is none"));
    let quantity = Quantity::new(quantity.into()).ok_or_else(|| Fault::new("a hold of nothing"))?;
    let command = Command::Reserve {
        key: key(id),
        id: text(id)?,
        caller: 0,
        owner: Some(Owner::new(text(&user.to_string())?)),
        lines: vec![Line { pool: pool(offer)?, quantity }],
        ttl_ms: HOLD_MS,
        gates: Vec::new(),
    };
    match ask(world, offer, command).await? {
        StockAnswer::Accepted(_) => Ok(ShelfHold::Now),
        StockAnswer::Replayed(Effect::Hold(view)) => Ok(match view.state {
            domain::ledger::HoldState::Held => ShelfHold::Now,
            domain::ledger::HoldState::Confirmed => ShelfHold::Confirmed,
            domain::ledger::HoldState::Cancelled | domain::ledger::HoldState::Expired => ShelfHold::Over,
        }),
        StockAnswer::Refused(Refusal::Hold(HoldRefusal::AlreadyCancelled | HoldRefusal::Expired)) => {
            Ok(ShelfHold::Over)
        }
        StockAnswer::Refused(refusal) => Err(to_rejection(&refusal, called)?.into()),
        StockAnswer::Replayed(_) => Err(Fault::new("a hold was answered with something else").into()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShelfHold {
    Now,
    Confirmed,
    /// Lapsed or cancelled.
    Over,
}

/// Takes what is held. Answers whether it is taken now.
pub(crate) async fn confirm(world: &World, offer: OfferId, id: &str) -> Result<bool> {
    let command = Command::Confirm { hold: key(id), take: domain::ledger::Take::All };
    match ask(world, offer, command).await? {
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => Ok(true),
        StockAnswer::Refused(Refusal::Hold(
            HoldRefusal::Expired | HoldRefusal::AlreadyCancelled | HoldRefusal::Unknown,
        )) => Ok(false),
        StockAnswer::Refused(refusal) => Err(to_rejection(&refusal, "the offer")?.into()),
    }
}

/// What has become of an id that nobody is to hold units under any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CancelOutcome {
    Gone,
    /// Somebody has taken the units under it before.
    Taken,
}

/// Spends an id: nothing is held under it from here on.
pub(crate) async fn spend(world: &World, offer: OfferId, id: &str) -> Result<CancelOutcome> {
    let text = Text::new(id).ok_or_else(|| Fault::new("an id that is none"))?;
    match ask(world, offer, Command::Cancel { hold: key(id), id: text, caller: 0 }).await? {
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => Ok(CancelOutcome::Gone),
        StockAnswer::Refused(Refusal::Hold(HoldRefusal::AlreadyCancelled | HoldRefusal::Expired)) => {
            Ok(CancelOutcome::Gone)
        }
        StockAnswer::Refused(Refusal::Hold(HoldRefusal::AlreadyConfirmed)) => Ok(CancelOutcome::Taken),
        StockAnswer::Refused(Refusal::Hold(HoldRefusal::TombstonesFull { .. })) => {
            Err(Rejection::Overloaded { retry_after_s: 1 }.into())
        }
        StockAnswer::Refused(refusal) => Err(to_rejection(&refusal, "the offer")?.into()),
    }
}

/// Units that an order had, back on the shelf: once, however often it is asked.
pub(crate) async fn back(world: &World, offer: OfferId, order: ShopOrderId, units: u32) -> Result<()> {
    let note = Note::new(&format!("not given: {order}")).ok_or_else(|| Fault::new("no note"))?;
    let key = Key::of("shop", offer.0, &format!("back {order}"));
    let command = Command::direct(key, note, Act::PoolAdjust { pool: pool(offer)?, delta: i64::from(units) });
    match ask(world, offer, command).await? {
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => Ok(()),
        StockAnswer::Refused(refusal) => Err(to_rejection(&refusal, "the offer")?.into()),
    }
}

/// Lets go what was held for nothing. It would lapse by itself, so nobody has to know if this fails.
pub(crate) async fn let_go(world: &World, offer: OfferId, id: &str) {
    let Some(text) = Text::new(id) else { return };
    let _ = ask(world, offer, Command::Cancel { hold: key(id), id: text, caller: 0 }).await;
}

pub(crate) async fn ask(world: &World, offer: OfferId, command: Command) -> Result<StockAnswer> {
    let mut answers = world.ledger.stock.ask(offer.0, vec![command]).await?;
    Ok(answers.pop().ok_or_else(|| Fault::new("a command without an answer"))?)
}

fn key(id: &str) -> Key {
    Key::of("shop order", 0, id)
}

/// What a refusal of the ledger is called in the shop.
pub(crate) fn to_rejection(refusal: &Refusal, called: &str) -> Result<Rejection, Fault> {
    Ok(match refusal {
        Refusal::Conflict => Rejection::IdConflict,
        Refusal::ClockBehind { .. } => Rejection::clock_behind(),
        Refusal::Pool(PoolRefusal::Unknown { .. } | PoolRefusal::Closed { .. }) => {
            Rejection::SoldOut { pool: called.to_owned(), left: 0 }
        }
        Refusal::Pool(refusal) => pool_rejection(refusal, |_| called.to_owned()),
        Refusal::Hold(_) | Refusal::Play(_) | Refusal::NothingDue => {
            return Err(Fault::new(format!("the shop was refused as {}", refusal.name())));
        }
    })
}
