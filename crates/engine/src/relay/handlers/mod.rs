//! Who carries messages out: one file each, and a line in the list.

mod chances;
mod codes;
pub(crate) mod coupons;
mod delivering;
mod events;
mod hooks;
mod orders;
mod points;
mod prizes;
mod refunds;
mod returns;
mod sandbox;
mod shop;
mod take_back;
mod told;

use std::sync::Arc;

use serde::de::DeserializeOwned;
use store::model::Message;

use super::{Handled, Handler};
use crate::failure::Failure;

/// Every handler there is.
pub fn handlers() -> Vec<Arc<dyn Handler>> {
    vec![
        Arc::new(chances::Chances),
        Arc::new(codes::Codes),
        Arc::new(coupons::Coupons),
        Arc::new(events::Events),
        Arc::new(hooks::Hooks::default()),
        Arc::new(orders::Orders),
        Arc::new(points::Points),
        Arc::new(refunds::Refunds),
        Arc::new(returns::Returns),
        Arc::new(sandbox::Sandbox),
        Arc::new(shop::Shop),
        Arc::new(take_back::TakeBack),
    ]
}

/// The handlers whose messages wait for a look after a restore, by name.
pub fn list_outside_lanes() -> Vec<&'static str> {
    handlers().iter().filter(|handler| handler.goes_outside()).map(|handler| handler.name()).collect()
}

/// What a message says. One that cannot be read is never going to be.
fn body<T: DeserializeOwned>(message: &Message) -> Result<T, Handled> {
    serde_json::from_str(&message.body).map_err(|error| Handled::Dead(format!("unreadable: {error}")))
}

/// What a failure means for a message: too busy is nobody's fault and is not counted; everything else is worth another try.
fn later(failure: Failure) -> Handled {
    match failure {
        Failure::Rejected(rejection) if rejection.passes() => Handled::Kept,
        Failure::Rejected(rejection) => Handled::Again(rejection.code().to_owned()),
        Failure::Fault(fault) => Handled::Again(fault.story()),
    }
}
