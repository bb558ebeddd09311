//! Orders of sales.

mod given;
mod holds;
mod limits;
mod payments;
mod things;
