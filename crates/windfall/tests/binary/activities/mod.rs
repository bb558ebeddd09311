//! Activities: over the API as their people meet them, and carried to the ledger under a clock that the test sets.

mod carrying;
pub mod given;
mod life;
mod secrets;
mod switches;
mod versions;
pub mod world;
