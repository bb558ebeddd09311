//! Search: the index follows the rows, and pages show what their reader may see.

mod finding;
mod fixtures;
mod index;
mod sight;
