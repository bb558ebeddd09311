//! The ledger's projection: rows derived from the journal, exactly once, and a ledger started from them.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `project` | the step: skip what is there, refuse a gap and an old term, fold, write, move the position |
//! | `sheet` | a batch folded in memory, so that each row is written once however often it changed |
//! | `directives` | what directives change in a sheet |
//! | `write` | a sheet's rows as statements |
//! | `orders` | holds of sales as orders |
//! | `position` | how far the projection has come |
//! | `holds`, `listing` | what can be asked: an id, a hold and its life, pools, movements |
//! | `books` | what the auditor asks: rows by their keys or in their own order, and sums of movements |
//! | `order_books` | orders beside their holds, read for the auditor and corrected |
//! | `correct`, `ended` | rows brought in line with the ledger, at one position |
//! | `load` | everything a ledger needs to go on |
//!
//! A batch costs one statement per hold and line, and one per pool and owner, whatever the number of changes.
//! Counters change by deltas only; the database refuses a round that does not add up.

mod books;
mod correct;
mod directives;
mod ended;
mod expired;
mod holds;
mod listing;
mod load;
mod order_books;
mod orders;
pub(crate) mod play;
mod position;
mod project;
mod sheet;
mod write;

mod columns;

pub(crate) use books::{
    holds as book_holds, open_after, owners as book_owners, rounds as book_rounds, rounds_after, rounds_moved,
};
pub(crate) use correct::correct;
pub(crate) use holds::{find_hold, find_id, life, list as list_holds};
pub(crate) use listing::{list_movements, list_movements_of_hold, list_pools, pool};
pub(crate) use load::load;
pub(crate) use order_books::{orders as book_orders, orders_after};
pub(crate) use play::books::plays as book_plays;
pub(crate) use position::read as position;
pub use project::project;
