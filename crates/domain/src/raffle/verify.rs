//! Drawing again what was published, and naming the first thing that does not agree.

use sha2::{Digest, Sha256};

use super::draw::{Beacon, BeaconRefusal, Winner, draw};
use super::roll::Roll;

/// What the organiser said: two hashes before the drawing, the winners after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedRaffle {
    /// SHA-256 of the secret.
    pub commitment: [u8; 32],
    pub roll_hash: [u8; 32],
    pub winners: Vec<Winner>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RaffleMismatch {
    #[error("the secret is not the one that was committed to")]
    Secret,
    #[error("the roll is not the one that was published")]
    Roll,
    #[error(transparent)]
    Beacon(#[from] BeaconRefusal),
    /// The first winner that differs, counted from 0 over all prizes; `None` on the side that has none there.
    #[error("winner {at}: {} was drawn, and {} was published", describe_winner(*drawn), describe_winner(*published))]
    Winner { at: usize, drawn: Option<Winner>, published: Option<Winner> },
}

fn describe_winner(winner: Option<Winner>) -> String {
    winner.map_or("nobody".to_owned(), |Winner { prize, place, seat }| {
        format!("player {seat} for prize {prize}, place {place},")
    })
}

impl RaffleMismatch {
    /// The stable name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Secret => "secret_mismatch",
            Self::Roll => "roll_mismatch",
            Self::Beacon(refusal) => refusal.name(),
            Self::Winner { .. } => "winner_mismatch",
        }
    }
}

/// How many winners reproduce, when all do.
pub fn verify(
    published: &PublishedRaffle,
    secret: &[u8; 32],
    roll: &Roll,
    beacon: Option<&Beacon>,
) -> Result<usize, RaffleMismatch> {
    let commitment: [u8; 32] = Sha256::digest(secret).into();
    if commitment != published.commitment {
        return Err(RaffleMismatch::Secret);
    }
    if *roll.hash() != published.roll_hash {
        return Err(RaffleMismatch::Roll);
    }
    let drawn = draw(secret, roll, beacon)?;
    let count = drawn.len().max(published.winners.len());
    for at in 0..count {
        let (drawn, published) = (drawn.get(at).copied(), published.winners.get(at).copied());
        if drawn != published {
            return Err(RaffleMismatch::Winner { at, drawn, published });
        }
    }
    Ok(count)
}
