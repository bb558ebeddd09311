//! Activities, players and tickets in the projection.

mod columns;
pub(super) mod find;
pub(super) mod load;
pub(super) mod sheet;
pub(super) mod write;
