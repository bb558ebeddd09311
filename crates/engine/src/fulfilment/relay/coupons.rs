//! Coupons that were won: the company's own system issues them, and reports back with a `fulfil` key.
//!
//! A coupon is told to every subscription that asks for `coupon.due` by name, under the win's id in every attempt: whoever
//! issues coupons issues one per id. Once all have taken it the prize is handed over.

use std::collections::HashMap;
use std::time::Duration;

use async_trait::async_trait;
use domain::fulfilment::FulfilmentSource;
use domain::ids::FulfilmentId;
use domain::webhook::EventKind;
use serde_json::json;
use store::model::{FulfilMessage, LaneFence, Message, ShopOrderRow, WebhookRow};
use tokio::time::Instant;

use crate::failure::Result;
use crate::fulfilment::relay::prizes::title;
use crate::relay::delivering::Delivering;
use crate::relay::envelope::{ExternalIds, render};
use crate::relay::handlers::body;
use crate::relay::{Handler, HandlerOutcome, LaneLimits, by_user};
use crate::world::World;

const BATCH: u32 = 500;
/// Coupons under way at once.
const AT_ONCE: usize = 32;
/// No request of a batch begins later than this.
const BEGIN_WITHIN: Duration = Duration::from_secs(10);

const KIND: &str = EventKind::CouponDue.name();

#[derive(Debug)]
pub(crate) struct Coupons;

#[async_trait]
impl Handler for Coupons {
    fn name(&self) -> &'static str {
        "coupons"
    }

    fn reaches_outside(&self) -> bool {
        true
    }

    fn limits(&self) -> LaneLimits {
        LaneLimits { batch: BATCH, at_once: AT_ONCE }
    }

    /// Nobody to tell is no failure: the lane rests until somebody subscribes, and no attempt is counted.
    async fn lanes(&self, world: &World) -> Result<Vec<String>> {
        let lane = self.name().to_owned();
        Ok(if subscribers(world).await?.is_empty() { Vec::new() } else { vec![lane] })
    }

    async fn handle(&self, world: &World, _: &LaneFence, batch: &[Message]) -> Result<Vec<HandlerOutcome>> {
        let hooks = subscribers(world).await?;
        if hooks.is_empty() {
            return Ok(vec![HandlerOutcome::Kept; batch.len()]);
        }
        let (whose, bought) = (ExternalIds::of(world, batch).await?, bought(world, batch).await?);
        let names = names(world, batch).await?;
        let receivers: Result<Vec<Delivering<'_>>> =
            hooks.iter().map(|hook| Delivering::to(world, hook)).collect();
        let receivers = receivers?;
        let until = Instant::now() + BEGIN_WITHIN;
        let handled = by_user(batch, AT_ONCE, |message| {
            let (receivers, whose, bought, names) = (&receivers, &whose, &bought, &names);
            async move {
                match due(message, whose, bought, names) {
                    Ok(_) if Instant::now() >= until => HandlerOutcome::Kept,
                    Ok(body) => one(receivers, message, &body).await,
                    Err(handled) => handled,
                }
            }
        })
        .await;
        for receiver in receivers {
            receiver.finish().await?;
        }
        Ok(handled)
    }
}

/// Whoever has promised to issue coupons.
pub(crate) async fn subscribers(world: &World) -> Result<Vec<WebhookRow>> {
    let mut hooks = world.db.webhook_list().await?;
    hooks.retain(|hook| hook.off.is_none() && hook.wants.wants(EventKind::CouponDue));
    Ok(hooks)
}

/// Those who have it already get it again when another failed: the id says so.
async fn one(receivers: &[Delivering<'_>], message: &Message, body: &str) -> HandlerOutcome {
    for receiver in receivers {
        let handled = receiver.attempt(message, KIND, body).await;
        if handled != HandlerOutcome::Done {
            return handled;
        }
    }
    HandlerOutcome::HandedOver
}

/// The orders of those coupons that were bought.
async fn bought(world: &World, batch: &[Message]) -> Result<HashMap<i64, ShopOrderRow>> {
    let is_bought = |message: &&Message| {
        body::<FulfilMessage>(message)
            .is_ok_and(|body| matches!(body.source, FulfilmentSource::ShopOrder { .. }))
    };
    let things: Vec<i64> = batch.iter().filter(is_bought).map(|message| message.subject).collect();
    if things.is_empty() {
        return Ok(HashMap::new());
    }
    let orders = world.db.orders_of(things.iter().copied().map(FulfilmentId).collect()).await?;
    Ok(things.into_iter().zip(orders).filter_map(|(thing, order)| Some((thing, order?))).collect())
}

/// What those that were won are called.
async fn names(world: &World, batch: &[Message]) -> Result<HashMap<i64, String>> {
    let mut names = HashMap::new();
    for message in batch {
        let Ok(FulfilMessage { source: FulfilmentSource::Win { activity, prize }, .. }) = body(message)
        else {
            continue;
        };
        if let Some(title) = title(world, activity, prize).await? {
            names.insert(message.subject, title.name);
        }
    }
    Ok(names)
}

fn due(
    message: &Message,
    whose: &ExternalIds,
    bought: &HashMap<i64, ShopOrderRow>,
    names: &HashMap<i64, String>,
) -> Result<String, HandlerOutcome> {
    let FulfilMessage { source, redriven, .. } = body(message)?;
    let dead = |why: &str| HandlerOutcome::Dead(why.to_owned());
    let win_id = message.subject.to_string();
    let data = match source {
        FulfilmentSource::Win { activity, prize } => json!({
            "win_id": win_id,
            "activity_id": activity.to_string(),
            "prize_id": prize.number(),
            "name": names.get(&message.subject),
            "redriven": redriven,
        }),
        // Neither an activity nor a prize: an offer, as it was called when it was bought.
        FulfilmentSource::ShopOrder { .. } => {
            let order = bought.get(&message.subject).ok_or_else(|| dead("a thing of no order"))?;
            json!({
                "win_id": win_id,
                "source": "shop",
                "order_id": order.id.to_string(),
                "offer_id": order.offer.to_string(),
                "name": order.name,
                "redriven": redriven,
            })
        }
        FulfilmentSource::Order { .. } => return Err(dead("a sale has no coupons")),
    };
    render(message, KIND, data, whose).ok_or_else(|| HandlerOutcome::Dead("unwritable".to_owned()))
}
