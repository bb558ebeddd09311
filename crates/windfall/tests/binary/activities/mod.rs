//! Activities: over the API as their people meet them, and carried to the ledger under a clock that the test sets.

pub mod fixtures;
mod hole_74;
mod ledger_sync;
mod life;
mod running_view;
mod secrets;
mod switches;
mod texts;
mod versions;
pub mod world;
