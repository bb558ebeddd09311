//! Stock for a company's own backends, and for staff: pools, holds, many commands at once.
//!
//! Every write carries an id of the caller's own and is safe to repeat with it. A pool's name is one part of an address:
//! its slashes are percent-encoded.

pub mod batch;
pub mod changes;
pub mod events;
pub mod holds;
pub mod pools;
mod wire;
