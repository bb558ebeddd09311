//! Who carries messages out: a file in the feature it belongs to, and a line in the list.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use store::model::Message;

use crate::failure::Failure;
use crate::relay::{Handler, HandlerOutcome};
use crate::{community, fulfilment, points, sales, search, shop, webhooks};

/// Every handler there is.
pub fn handlers() -> Vec<Arc<dyn Handler>> {
    vec![
        Arc::new(points::behaviours_relay::Behaviours),
        Arc::new(points::chances_relay::Chances),
        Arc::new(fulfilment::relay::codes::Codes),
        Arc::new(fulfilment::relay::coupons::Coupons),
        Arc::new(webhooks::events::Events),
        Arc::new(webhooks::hooks::Hooks::default()),
        Arc::new(community::notifications_relay::Notifications),
        Arc::new(sales::relay::orders::Orders),
        Arc::new(points::relay::Points),
        Arc::new(sales::relay::refunds::Refunds),
        Arc::new(fulfilment::relay::returns::Returns),
        Arc::new(sales::relay::sandbox::Sandbox),
        Arc::new(search::index_relay::SearchIndex),
        Arc::new(shop::relay::Shop),
        Arc::new(fulfilment::relay::take_back::TakeBack),
        Arc::new(community::timelines::fan_out_relay::FanOuts),
    ]
}

/// The handlers whose messages wait for a look after a restore, by name.
pub fn list_outside_lanes() -> Vec<&'static str> {
    handlers().iter().filter(|handler| handler.reaches_outside()).map(|handler| handler.name()).collect()
}

/// What a message says. One that cannot be read is never going to be.
pub(crate) fn body<T: DeserializeOwned>(message: &Message) -> Result<T, HandlerOutcome> {
    serde_json::from_str(&message.body).map_err(|error| HandlerOutcome::Dead(format!("unreadable: {error}")))
}

/// What a failure means for a message: too busy is nobody's fault and is not counted; everything else is worth another try.
pub(crate) fn later(failure: Failure) -> HandlerOutcome {
    match failure {
        Failure::Rejected(rejection) if rejection.is_transient() => HandlerOutcome::Kept,
        Failure::Rejected(rejection) => HandlerOutcome::Again(rejection.code().to_owned()),
        Failure::Fault(fault) => HandlerOutcome::Again(fault.story()),
    }
}
