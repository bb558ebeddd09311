//! Raffles: enter now, winners drawn at a set time, and anybody can draw them again.
//!
//! Before the drawing two hashes are published: that of the secret, and that of the [`Roll`], which fixes who entered how
//! often, the prizes, and which public beacon will be used, if any. [`draw`] takes the secret, the roll and the
//! beacon's value to the winners; [`verify`] does it again and compares. The layouts are in `docs/raffle.md`.
//!
//! What always holds:
//! - The same secret, roll and beacon give the same winners.
//! - A person wins at most once. Each is chosen with a probability of exactly their entries among the entries of those
//!   who have not won yet: integers without bias, no floating point.
//! - A winner costs a logarithm of the number of entrants.
//!
//! Deliberately absent: where the secret is kept and when it is revealed, and how the beacon's value is fetched.

mod draw;
mod random;
mod roll;
#[cfg(test)]
mod tests;
mod verify;
mod weights;

pub use draw::{BEACON_VALUE_BYTES_MAX, Beacon, BeaconRefusal, Winner, draw};
pub use roll::{
    BEACON_NAME_BYTES_MAX, ENTRANTS_MAX, ENTRIES_MAX, Entrant, PRIZES_MAX, Roll, RollRefusal, WINNERS_MAX,
};
pub use verify::{PublishedRaffle, RaffleMismatch, verify};
