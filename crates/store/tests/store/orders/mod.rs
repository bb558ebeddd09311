//! Orders of sales.

mod fixtures;
mod holds;
mod hours;
mod limits;
mod payments;
mod things;
