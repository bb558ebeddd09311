//! What orders are called in the ledger: one place, because flows write these names and the projection reads them.

use super::SALES_CALLER;
use crate::ids::{OrderId, UserId};
use crate::ledger::{Key, Owner, Text};

const ORDER: &str = "order ";
const OWNER: &str = "user/";

/// The id of the hold that is an order.
pub fn hold_id(order: OrderId) -> Option<Text> {
    Text::new(&format!("{ORDER}{order}"))
}

/// The order that a hold is, if it is one.
pub fn order_of(caller: i64, id: &str) -> Option<OrderId> {
    if caller != SALES_CALLER {
        return None;
    }
    id.strip_prefix(ORDER)?.parse().ok()
}

/// What the hold of an attempt is known by: what its buyer called it, so that the same request finds the same units even
/// after everything in memory is gone; or else its own number.
pub fn hold_key(order: OrderId, user: UserId, idempotency_key: Option<&str>) -> Key {
    match idempotency_key {
        Some(key) => Key::of("hold", SALES_CALLER, &format!("{OWNER}{user} {key}")),
        None => Key::of("hold", SALES_CALLER, &format!("{ORDER}{order}")),
    }
}

/// The units that are taken for an order outside its first hold: paid late, or deducted at payment.
pub fn again_id(order: OrderId) -> Option<Text> {
    Text::new(&format!("{ORDER}{order} again"))
}

pub fn again_key(order: OrderId) -> Key {
    Key::of("hold", SALES_CALLER, &format!("{ORDER}{order} again"))
}

/// Limits per user are counted for this owner.
pub fn owner(user: UserId) -> Option<Owner> {
    Text::new(&format!("{OWNER}{user}")).map(Owner::new)
}

pub fn user_of(owner: &str) -> Option<UserId> {
    owner.strip_prefix(OWNER)?.parse().ok()
}
