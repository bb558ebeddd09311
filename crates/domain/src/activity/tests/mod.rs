//! The life of an activity as a table, what the clock does to it, its fields, its versions, and whether it can work.

mod fields;
mod life;
mod versions;
pub(crate) mod workable;

pub(crate) use fields::draft;
