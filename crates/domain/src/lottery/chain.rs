//! A chain of records, so that none can be changed, dropped or slipped in afterwards.
//!
//! ```text
//! link 0 := SHA-256( 'W' 'C' 0 ‖ activity 8 ‖ round 4 ‖ strategy version 4 ‖ commitment 32 ‖ strategy hash 32 )
//! link k := SHA-256( 'W' 'C' 1 ‖ link k−1, 32 ‖ k, 8 ‖ record )
//! ```
//!
//! There is one chain per (activity, round, strategy version), and it hangs on what was published before the first draw.
//! A receipt is a record's place in it: whoever has one can tell later whether their draw is still where it was.

use sha2::{Digest, Sha256};

use super::publish::StrategyHash;
use super::random::Commitment;
use super::sha;
use crate::ids::ActivityId;

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ChainLink(pub [u8; 32]);

impl std::fmt::Debug for ChainLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Link(")?;
        self.0[..4].iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str("…)")
    }
}

/// What the public knows before the first draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedChain {
    pub activity: ActivityId,
    pub round: u32,
    pub version: u32,
    pub commitment: Commitment,
    pub strategy: StrategyHash,
}

/// The place of a ticket's record in its chain: what its player is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// From 1.
    pub place: u64,
    pub link: ChainLink,
}

impl PublishedChain {
    /// Where the chain begins.
    pub fn link(&self) -> ChainLink {
        let mut hash = Sha256::new_with_prefix([b'W', b'C', 0]);
        hash.update(self.activity.0.to_be_bytes());
        hash.update(self.round.to_be_bytes());
        hash.update(self.version.to_be_bytes());
        hash.update(self.commitment.0);
        hash.update(self.strategy.0);
        ChainLink(hash.finalize().into())
    }

    /// Before the first record.
    pub fn begin(&self) -> Receipt {
        Receipt { place: 0, link: self.link() }
    }
}

impl Receipt {
    /// The next record's place.
    #[must_use]
    pub fn next(&self, record: &[u8]) -> Self {
        let place = self.place + 1;
        Self { place, link: chain_next(&self.link, place, record) }
    }
}

pub fn chain_next(before: &ChainLink, place: u64, record: &[u8]) -> ChainLink {
    ChainLink(sha::hash(&[b"WC\x01", &before.0, &place.to_be_bytes(), record]))
}
