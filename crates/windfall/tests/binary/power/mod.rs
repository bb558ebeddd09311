//! Nobody mints value, pays money out or stops everything alone.

mod audit_trail;
mod doors;
mod erasure;
mod given;
mod keys;
mod minting;
mod offers;
mod refunds;
