//! Coupons that were won: the company's own system issues them, and reports back with a `fulfil` key.
//!
//! A coupon is told to every subscription that asks for `coupon.due` by name, under the win's id in every attempt: whoever
//! issues coupons issues one per id. Once all have taken it the prize is handed over.

use std::time::Duration;

use async_trait::async_trait;
use domain::webhook::EventKind;
use serde_json::json;
use tokio::time::Instant;

use super::super::{Handled, Handler, Limits, by_user};
use super::body;
use super::delivering::Delivering;
use super::told::{Whose, written};
use crate::failure::Outcome;
use crate::ports::{FulfilBody, LaneFence, Message, WebhookRow};
use crate::world::World;

const BATCH: u32 = 500;
/// Coupons under way at once.
const AT_ONCE: usize = 32;
/// No request of a batch begins later than this.
const BEGIN_WITHIN: Duration = Duration::from_secs(10);

const KIND: &str = EventKind::CouponDue.name();

#[derive(Debug)]
pub(super) struct Coupons;

#[async_trait]
impl Handler for Coupons {
    fn name(&self) -> &'static str {
        "coupons"
    }

    fn limits(&self) -> Limits {
        Limits { batch: BATCH, at_once: AT_ONCE }
    }

    /// Nobody to tell is no failure: the lane rests until somebody subscribes, and no attempt is counted.
    async fn lanes(&self, world: &World) -> Outcome<Vec<String>> {
        let lane = self.name().to_owned();
        Ok(if subscribers(world).await?.is_empty() { Vec::new() } else { vec![lane] })
    }

    async fn handle(&self, world: &World, _: &LaneFence, batch: &[Message]) -> Outcome<Vec<Handled>> {
        let hooks = subscribers(world).await?;
        if hooks.is_empty() {
            return Ok(vec![Handled::Kept; batch.len()]);
        }
        let whose = Whose::of(world, batch).await?;
        let receivers: Outcome<Vec<Delivering<'_>>> =
            hooks.iter().map(|hook| Delivering::to(world, hook)).collect();
        let receivers = receivers?;
        let until = Instant::now() + BEGIN_WITHIN;
        let handled = by_user(batch, AT_ONCE, |message| {
            let (receivers, whose) = (&receivers, &whose);
            async move {
                match due(message, whose) {
                    Ok(_) if Instant::now() >= until => Handled::Kept,
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
pub(crate) async fn subscribers(world: &World) -> Outcome<Vec<WebhookRow>> {
    let mut hooks = world.webhooks.webhook_list().await?;
    hooks.retain(|hook| hook.off.is_none() && hook.wants.wants(EventKind::CouponDue));
    Ok(hooks)
}

/// Those who have it already get it again when another failed: the id says so.
async fn one(receivers: &[Delivering<'_>], message: &Message, body: &str) -> Handled {
    for receiver in receivers {
        let handled = receiver.attempt(message, KIND, body).await;
        if handled != Handled::Done {
            return handled;
        }
    }
    Handled::HandedOver
}

fn due(message: &Message, whose: &Whose) -> Result<String, Handled> {
    let FulfilBody { activity, prize, shop, .. } = body(message)?;
    if shop {
        // Bought: there is neither an activity nor a prize.
        let data = json!({ "win_id": message.subject.to_string(), "source": "shop" });
        return written(message, KIND, data, whose).ok_or_else(|| Handled::Dead("unwritable".to_owned()));
    }
    let data = json!({
        "win_id": message.subject.to_string(),
        "activity_id": activity.to_string(),
        "prize_id": prize,
    });
    written(message, KIND, data, whose).ok_or_else(|| Handled::Dead("unwritable".to_owned()))
}
