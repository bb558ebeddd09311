//! Orders of sales: those that nothing is held for, money that came, money that goes back, and what is given. Orders that
//! hold units are begun by the ledger's projection.

mod address;
mod columns;
mod counters;
mod editions;
mod events;
mod hours;
mod methods;
mod open;
mod pay;
mod queries;
mod refund;
mod things;

pub(crate) use counters::count_orders;
pub(crate) use events::{order_data, tell_orders, tell_shipped};
pub(crate) use refund::apply_refund;
pub(crate) use things::mark_given;
