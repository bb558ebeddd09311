//! The digest that chains the blocks of a log: each names the block before it, so that two histories with the same numbers
//! and terms are told apart.

use std::fmt;

use sha2::{Digest, Sha256};

/// What is hashed first, so that a digest of something else is never one of a block.
const DOMAIN: &[u8] = b"windfall block 1";

/// SHA-256 over the digest before, the numbers of the first and last event, the term and the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlockDigest(pub [u8; 32]);

impl BlockDigest {
    /// Before the first block.
    pub const START: Self = Self([0; 32]);

    /// The digest of the block that follows the one with this digest.
    pub fn next(self, term: u32, first_seq: u64, last_seq: u64, bytes: &[u8]) -> Self {
        let mut hash = Sha256::new_with_prefix(DOMAIN);
        hash.update(self.0);
        hash.update(first_seq.to_be_bytes());
        hash.update(last_seq.to_be_bytes());
        hash.update(term.to_be_bytes());
        hash.update(bytes);
        Self(hash.finalize().into())
    }
}

/// The first eight bytes, which are enough to tell two apart.
impl fmt::Debug for BlockDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..8].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It is kept in logs and databases: another value would be another history.
    #[test]
    fn a_digest_stays_as_it_is_and_hangs_on_everything() {
        let digest = BlockDigest::START.next(3, 5, 8, b"bytes");
        assert_eq!(format!("{digest:?}"), "b5c54644413dd258");
        for (other, what) in [
            (digest.next(3, 5, 8, b"bytes"), "the digest before"),
            (BlockDigest::START.next(4, 5, 8, b"bytes"), "the term"),
            (BlockDigest::START.next(3, 6, 8, b"bytes"), "the first number"),
            (BlockDigest::START.next(3, 5, 9, b"bytes"), "the last number"),
            (BlockDigest::START.next(3, 5, 8, b"other"), "the bytes"),
        ] {
            assert_ne!(other, digest, "{what}");
        }
    }
}
