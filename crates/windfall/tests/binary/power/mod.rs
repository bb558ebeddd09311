//! Nobody mints value, pays money out or stops everything alone.

mod audit_trail;
mod doors;
mod erasure;
pub mod fixtures;
mod keys;
mod minting;
mod offers;
mod refunds;
