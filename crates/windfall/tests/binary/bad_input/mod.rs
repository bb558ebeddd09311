//! Requests that cannot be meant: a named refusal each, in both languages, and nothing half-written.

mod activity_rows;
mod code_rows;
mod community_rows;
mod fulfilment_rows;
mod gate_rows;
mod grant_rows;
mod order_rows;
mod points_rows;
mod rows;
mod sale_rows;
mod shop_rows;
mod statistics_rows;
mod stock_rows;
mod suite;
mod tree_rows;
mod webhook_rows;
