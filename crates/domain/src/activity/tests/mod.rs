//! The life of an activity as a table, what the clock does to it, and its fields.

mod fields;
mod life;
