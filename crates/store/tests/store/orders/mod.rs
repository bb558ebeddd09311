//! Orders of sales.

mod given;
mod holds;
mod hours;
mod limits;
mod payments;
mod things;
