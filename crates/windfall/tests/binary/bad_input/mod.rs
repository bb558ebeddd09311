//! Requests that cannot be meant: a named refusal each, in both languages, and nothing half-written.

mod rows;
mod stock_rows;
mod suite;
mod tree_rows;
