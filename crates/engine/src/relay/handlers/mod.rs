//! Who carries messages out: one file each, and a line in the list.

mod chances;
mod codes;
pub(crate) mod coupons;
mod delivering;
mod events;
mod hooks;
mod points;
mod returns;
mod shop;
mod take_back;
mod told;

use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::{Handled, Handler};
use crate::ports::Message;

/// Every handler there is.
pub fn handlers() -> Vec<Arc<dyn Handler>> {
    vec![
        Arc::new(chances::Chances),
        Arc::new(codes::Codes),
        Arc::new(coupons::Coupons),
        Arc::new(events::Events),
        Arc::new(hooks::Hooks::default()),
        Arc::new(points::Points),
        Arc::new(returns::Returns),
        Arc::new(shop::Shop),
        Arc::new(take_back::TakeBack),
    ]
}

/// What a message says. One that cannot be read is never going to be.
fn body<T: DeserializeOwned>(message: &Message) -> Result<T, Handled> {
    serde_json::from_str(&message.body).map_err(|error| Handled::Dead(format!("unreadable: {error}")))
}
