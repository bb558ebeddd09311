//! Buying: hold, pay, take.

use domain::Rejection;
use domain::ids::{FulfilmentId, OfferId, UserId};
use domain::page::{Page, PageRequest};
use domain::rejection::{FieldProblem, MissingThing};
use domain::shop::{ORDER_QUANTITY_MAX, ShopOrderState};
use store::model::already_given;
use store::model::{OrderPlace, PlacedOrder, ShopOrderRow, ShopOrderSearch};

use crate::failure::{Failure, Result};
use crate::fulfilment::order_things::{ThingView, thing_views};
use crate::shop::offers::{is_over, offer_on_sale};
use crate::shop::settle::settle;
use crate::shop::shelf;
use crate::shop::shelf::ShelfHold;
use crate::world::World;

/// An order as its buyer sees it.
#[derive(Clone, Debug)]
pub struct ShopOrderView {
    pub order: ShopOrderRow,
    pub things: Vec<ThingView>,
}

/// An order as staff see it.
#[derive(Clone, Debug)]
pub struct StaffShopOrder {
    pub order: ShopOrderRow,
    /// What its buyer has of it, and keeps when the points go back: `code_given`, `parcel_shipped`.
    pub already_given: Vec<String>,
}

/// Everybody's orders, the newest first.
pub async fn order_search(
    world: &World,
    search: ShopOrderSearch,
    page: PageRequest,
) -> Result<Page<StaffShopOrder>> {
    let Page { items, next } = world.db.order_search(search, page).await?;
    let things: Vec<FulfilmentId> = items.iter().flat_map(|order| order.things.iter().copied()).collect();
    let rows = if things.is_empty() { Vec::new() } else { world.db.fulfilments_of(things).await? };
    let found = items.into_iter().map(|order| {
        let own = rows.iter().filter(|row| order.things.contains(&row.id));
        StaffShopOrder { already_given: already_given(own), order }
    });
    Ok(Page { items: found.collect(), next })
}

/// Buys so many pieces under a key of the caller's. The same again is the same order; answers whether it was there before.
pub async fn buy(
    world: &World,
    user: UserId,
    offer: OfferId,
    quantity: i64,
    key: Option<String>,
) -> Result<(ShopOrderView, bool)> {
    let PlacedOrder { mut order, replayed } = place(world, user, offer, quantity, key).await?;
    if order.state == ShopOrderState::Placed {
        // Whatever goes wrong here, the relay goes on with the message.
        match settle(world, &order).await {
            Ok(settled) => order = settled,
            Err(failure) => tracing::warn!(order = order.id.0, %failure, "the relay settles the order"),
        }
    }
    Ok((shop_order_view(world, order).await?, replayed))
}

/// Holds and pays; the order is still to be settled.
pub async fn place(
    world: &World,
    user: UserId,
    offer: OfferId,
    quantity: i64,
    key: Option<String>,
) -> Result<PlacedOrder> {
    let range =
        || Rejection::invalid("quantity", FieldProblem::OutOfRange { min: 1, max: ORDER_QUANTITY_MAX });
    let quantity = u32::try_from(quantity).map_err(|_| range())?;
    let id = world.next_id();
    let key = key.unwrap_or_else(|| format!("order {id}"));
    let wanted = (offer, quantity);
    if let Some(placed) = find_placed(world, user, &key, wanted).await? {
        return Ok(placed);
    }
    match place_new(world, user, wanted, (id, key.clone())).await {
        // A request with this key may have been faster: then there is nothing left because of its order, which is the answer.
        Err(Failure::Rejected(no)) => find_placed(world, user, &key, wanted).await?.ok_or_else(|| no.into()),
        placed => placed,
    }
}

async fn place_new(
    world: &World,
    user: UserId,
    (offer, quantity): (OfferId, u32),
    (id, key): (i64, String),
) -> Result<PlacedOrder> {
    let row = offer_on_sale(world, offer).await?;
    let now = world.now();
    let cost = row.terms.sells(quantity, now)?;
    if is_over(world, &row).await? {
        count_order("refused");
        return Err(Rejection::Ended.into());
    }
    // Nothing is held for somebody who cannot pay. The transaction judges it again.
    let has = world.db.points_of(user).await?.balance_at(now);
    if has < cost {
        count_order("refused");
        return Err(Rejection::PointsShort { has: has.max(0), needs: cost }.into());
    }
    shelf::laid_out(world, &row).await?;
    let hold = match hold_units(world, (offer, &row.terms.name), user, quantity, (id, &key)).await? {
        Units::Held(hold) => hold,
        Units::Ordered(placed) => return Ok(*placed),
    };
    let (things, _) = row.terms.gives.things(quantity);
    let more = (1..things).map(|_| FulfilmentId(world.next_id()));
    let step = OrderPlace {
        ids: std::iter::once(FulfilmentId(id)).chain(more).collect(),
        message: world.next_id(),
        user,
        offer,
        quantity,
        key,
        hold: hold.clone(),
        now,
    };
    match world.db.order_place(step).await {
        Ok(placed) => {
            // Another request with this key was faster, with a hold of its own.
            if placed.order.hold != hold {
                shelf::let_go(world, offer, &hold).await;
            }
            count_order(if placed.replayed { "replayed" } else { "placed" });
            Ok(placed)
        }
        Err(failure @ Failure::Rejected(Rejection::OutcomeUnknown | Rejection::TimedOut)) => Err(failure),
        Err(failure) => {
            count_order("refused");
            shelf::let_go(world, offer, &hold).await;
            Err(failure)
        }
    }
}

/// What was bought under this key already. Another purchase under the same key is a conflict.
async fn find_placed(
    world: &World,
    user: UserId,
    key: &str,
    wanted: (OfferId, u32),
) -> Result<Option<PlacedOrder>> {
    match world.db.order_under(user, key.to_owned()).await? {
        Some(order) if (order.offer, order.quantity) != wanted => Err(Rejection::IdempotencyConflict.into()),
        Some(order) => Ok(Some(PlacedOrder { order, replayed: true })),
        None => Ok(None),
    }
}

enum Units {
    Held(String),
    /// Another request with this key was faster, and has bought.
    Ordered(Box<PlacedOrder>),
}

/// Under an id made of the user and the key, so that a repetition after a crash finds its own units; under the order's
/// where that one is over. Units that are taken under the key are those of its order, which is there before they are taken:
/// more are asked for only where there is none, so that a repetition never finds the shelf empty because of itself.
async fn hold_units(
    world: &World,
    offer: (OfferId, &str),
    user: UserId,
    quantity: u32,
    (order, key): (i64, &str),
) -> Result<Units> {
    let digest = domain::fingerprint::Fingerprint::of(&[user.to_string().as_bytes(), key.as_bytes()]);
    let first = format!("shop {}", domain::hex::hex(&digest.0[..16]));
    match shelf::hold(world, offer, user, quantity, &first).await {
        Ok(ShelfHold::Now) => return Ok(Units::Held(first)),
        // The same key with another quantity, before any order came of it.
        Ok(ShelfHold::Confirmed | ShelfHold::Over) | Err(Failure::Rejected(Rejection::IdConflict)) => {}
        Err(failure) => return Err(failure),
    }
    if let Some(placed) = find_placed(world, user, key, (offer.0, quantity)).await? {
        return Ok(Units::Ordered(Box::new(placed)));
    }
    let second = format!("shop {order}");
    match shelf::hold(world, offer, user, quantity, &second).await? {
        ShelfHold::Now => Ok(Units::Held(second)),
        ShelfHold::Confirmed | ShelfHold::Over => Err(Rejection::IdConflict.into()),
    }
}

/// What somebody bought, the newest first.
pub async fn my_orders(world: &World, user: UserId, page: PageRequest) -> Result<Page<ShopOrderView>> {
    let since = world.visible_since(user).await?;
    let Page { items, next } = world.db.order_list(user, page).await?.since(since, |order| order.made);
    let mut all = Vec::with_capacity(items.len());
    for order in items {
        all.push(shop_order_view(world, order).await?);
    }
    Ok(Page { items: all, next })
}

async fn shop_order_view(world: &World, order: ShopOrderRow) -> Result<ShopOrderView> {
    let things = thing_views(world, &order.things, true).await?;
    Ok(ShopOrderView { order, things })
}

pub(crate) fn count_order(came: &'static str) {
    metrics::counter!("windfall_shop_orders_total", "came" => came).increment(1);
}

pub(crate) fn unknown() -> Rejection {
    Rejection::NotFound { what: MissingThing::Offer }
}
