//! Use cases, the ports they need, and the recurring jobs.
//!
//! A flow (one file each under [`flows`]) reads top-down: it validates, asks `domain` for a decision where
//! there is one to make, and carries it out through a port. A port method is one atomic business step
//! that may be repeated, never a `get` followed by a `set`. This crate knows no SQL and no HTTP.

pub mod attempts;
pub mod auditing;
pub mod calendar;
pub mod crowd;
pub mod flows;
pub mod gate;
pub mod jobs;
pub mod passwords;
pub mod plays;
pub mod ports;
mod recent;
pub mod relay;
pub mod resizing;
pub mod sessions;
pub mod settings;
pub mod simulation;
mod single_flight;
pub mod tokens;
pub mod verification;
pub mod world;

pub use store::failure::{self, Failure, Fault, Outcome};
pub use world::World;
