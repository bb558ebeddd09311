//! The life of an activity as a table, what the clock does to it, its fields, and its versions.

mod fields;
mod life;
mod versions;

pub(super) use fields::draft;
