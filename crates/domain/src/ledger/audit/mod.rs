//! Holding the ledger against its rows: what memory says piece by piece, and what differs.
//!
//! [`piece`] reads a bounded part of the ledger's memory. [`compare`] takes what the ledger says and what the database
//! says of the same thing *at the same position* and names every difference with its exact row. Both are pure: who
//! brings the two to one position, and what is done about a difference, is not decided here.

mod compare;
mod difference;
mod order;
mod piece;
mod play;

pub use compare::{HoldRow, compare_hold, compare_moved, compare_owners, compare_round};
pub use difference::{BookRow, Difference, What};
pub use order::{OrderBook, compare_order, order_by_hold};
pub use piece::{Owners, Piece, RoundBook};
pub use play::{DrawnSums, PlayBook, PlayRows, PlayWhole, PlayerSums, RowSums, compare_play};
