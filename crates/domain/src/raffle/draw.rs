//! The drawing: prize by prize, unit by unit, each time among those who have not won yet.

use sha2::{Digest, Sha256};

use super::random::{Source, choose};
use super::roll::Roll;
use super::weights::Weights;
use crate::player_number::PlayerNumber;

/// Bytes of a beacon's value as it was made public.
pub const BEACON_VALUE_BYTES_MAX: usize = 1_000;

/// The public value that was named in advance, in 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beacon([u8; 32]);

impl Beacon {
    /// SHA-256 of the value as it was made public, byte by byte. Hashed whatever its length, so there is nothing to
    /// decide about a value that happens to have 32 bytes.
    pub fn of(value: &[u8]) -> Self {
        Self(Sha256::digest(value).into())
    }

    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The roll says whether there is a beacon; nobody chooses afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BeaconRefusal {
    #[error("the roll names a beacon and its value is missing")]
    Missing,
    #[error("the roll names no beacon and there is a value")]
    Unexpected,
}

impl BeaconRefusal {
    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Missing => "beacon_missing",
            Self::Unexpected => "beacon_unexpected",
        }
    }
}

/// One unit of a prize and who has it. Prizes and places count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Winner {
    pub prize: u32,
    pub place: u32,
    pub seat: PlayerNumber,
}

/// All winners, in the order in which they were drawn. When there are more units than persons, the last units have none.
pub fn draw(secret: &[u8; 32], roll: &Roll, beacon: Option<&Beacon>) -> Result<Vec<Winner>, BeaconRefusal> {
    match (roll.beacon(), beacon) {
        (Some(_), None) => return Err(BeaconRefusal::Missing),
        (None, Some(_)) => return Err(BeaconRefusal::Unexpected),
        (Some(_), Some(_)) | (None, None) => {}
    }
    let source = Source::new(secret, roll, beacon);
    let mut weights = Weights::new(roll.entrants().iter().map(|entrant| u64::from(entrant.entries)));
    let mut winners = Vec::new();
    for (prize, units) in (0u32..).zip(roll.prizes()) {
        for place in 0..*units {
            if weights.total() == 0 {
                return Ok(winners);
            }
            let entry = choose(weights.total(), |counter| source.number(prize, place, counter));
            let owner = weights.owner(entry);
            let entrant = roll.entrants()[owner];
            weights.remove(owner, u64::from(entrant.entries));
            winners.push(Winner { prize, place, seat: entrant.seat });
        }
    }
    Ok(winners)
}
