//! Raffles: what waits, the roll, the beacon's value, the drawing.

mod drawing;
mod queries;
mod roll;

pub(crate) use drawing::{beacon_set, count_given, draw, winners};
pub(crate) use queries::{due, entrants, find, list};
pub(crate) use roll::{piece, publish, set_piece};
