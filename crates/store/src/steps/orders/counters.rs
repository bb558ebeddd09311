//! Orders and payments by the state they came to, counted where their rows are written.

use domain::sale::{OrderState, PaymentState};

use crate::tx::Tx;

pub(crate) fn count_orders(tx: &Tx<'_>, state: OrderState, orders: u64) {
    tx.count_on_commit("windfall_orders_total", ("came", state.name()), orders);
}

pub(super) fn count_payment(tx: &Tx<'_>, state: PaymentState) {
    tx.count_on_commit("windfall_payments_total", ("came", state.name()), 1);
}
