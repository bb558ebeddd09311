//! Orders of sales beside the holds that they are. Both are rows of the database, written in one transaction; so on any
//! consistent view of it they agree, and the ledger need not be asked.
//!
//! Money moves an order on its own way, and that way is not judged here: only what its hold alone says.

use super::difference::{BookRow, Difference, What};
use crate::ids::OrderId;
use crate::ledger::HoldState;
use crate::sale::OrderState;

/// An order's hold, and the state of its row if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderBook {
    /// The event that made the hold.
    pub made_seq: u64,
    pub order: OrderId,
    pub hold: HoldState,
    pub row: Option<OrderState>,
}

/// What an order is by its hold, before money does anything.
pub const fn order_by_hold(hold: HoldState) -> OrderState {
    match hold {
        // Whoever confirmed it is about to write that it is paid.
        HoldState::Held | HoldState::Confirmed => OrderState::Unpaid,
        HoldState::Cancelled => OrderState::Cancelled,
        HoldState::Expired => OrderState::Expired,
    }
}

pub fn compare_order(book: &OrderBook) -> Option<Difference> {
    let by_hold = order_by_hold(book.hold);
    let (what, database) = match book.row {
        None => (What::OrderMissing, None),
        Some(state) if state.can_be_paid() && state != by_hold => (What::OrderState, Some(state)),
        Some(_) => return None,
    };
    Some(Difference {
        what,
        row: BookRow::Order { order: book.order },
        ledger: Some(by_hold.name().to_owned()),
        database: database.map(|state| state.name().to_owned()),
    })
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn an_order_is_there_and_as_its_hold_says_until_money_came() {
        use HoldState as H;
        use OrderState as O;
        for (hold, by_hold, others) in [
            (H::Held, O::Unpaid, [O::Cancelled, O::Expired]),
            (H::Confirmed, O::Unpaid, [O::Cancelled, O::Expired]),
            (H::Cancelled, O::Cancelled, [O::Unpaid, O::Expired]),
            (H::Expired, O::Expired, [O::Unpaid, O::Cancelled]),
        ] {
            let told = |row| {
                let found = compare_order(&OrderBook { made_seq: 9, order: OrderId(7), hold, row });
                found.map_or_else(String::new, |found| found.to_string())
            };
            assert_eq!(
                told(None),
                format!("order_missing of order 7: the ledger says {}, the database nothing", by_hold.name())
            );
            for state in O::ALL {
                let expected = if others.contains(&state) {
                    let (ledger, database) = (by_hold.name(), state.name());
                    format!("order_state of order 7: the ledger says {ledger}, the database {database}")
                } else {
                    String::new()
                };
                assert_eq!(told(Some(state)), expected, "{hold:?}");
            }
        }
    }
}
