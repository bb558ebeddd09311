//! Raffles: what waits, the roll, the beacon's value, the drawing.

mod drawing;
mod look;
mod roll;

pub(crate) use drawing::{beacon_set, draw, given, winners};
pub(crate) use look::{due, entrants, find, list};
pub(crate) use roll::{piece, piece_put, publish};
