//! What a visitor's cookie says: random bytes, and the proof that this site made them.
//!
//! A cookie names nobody. What is counted is a keyed hash of it, of which half is in the cookie as the proof: so reading it
//! costs one hash, nobody counts for somebody that this site did not meet, and what is kept leads back to no cookie without
//! the key.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::hex::{hex, unhex};
use crate::ids::UserId;

pub const VISITOR_RANDOM_BYTES: usize = 16;
const PROOF_BYTES: usize = 16;
const TEXT_CHARS: usize = 2 * (VISITOR_RANDOM_BYTES + PROOF_BYTES);

/// Sets what is hashed for cookies apart from what is hashed for people.
const OF_VISITOR: u8 = 1;
const OF_PERSON: u8 = 2;

/// The key under which this installation knows its visitors.
#[derive(Clone)]
pub struct VisitorKey([u8; 32]);

impl std::fmt::Debug for VisitorKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("VisitorKey")
    }
}

impl VisitorKey {
    pub const fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// What the cookie of a new visitor says.
    pub fn issue(&self, random: &[u8; VISITOR_RANDOM_BYTES]) -> String {
        let hash = self.hash(OF_VISITOR, random);
        format!("{}{}", hex(random), hex(&hash[..PROOF_BYTES]))
    }

    /// What to count a visitor by; nothing for a cookie that this site did not make.
    pub fn read(&self, cookie: &str) -> Option<u64> {
        if cookie.len() != TEXT_CHARS {
            return None;
        }
        let bytes = unhex::<{ TEXT_CHARS / 2 }>(cookie)?;
        let (random, proof) = bytes.split_at(VISITOR_RANDOM_BYTES);
        let hash = self.hash(OF_VISITOR, random);
        bool::from(hash[..PROOF_BYTES].ct_eq(proof)).then(|| last_bytes(&hash))
    }

    /// What to count an account by, where its id is not to be kept.
    pub fn person(&self, user: UserId) -> u64 {
        last_bytes(&self.hash(OF_PERSON, &user.0.to_be_bytes()))
    }

    /// One block of the hash function. Everything in it has a fixed length, so that nothing can be appended.
    fn hash(&self, what: u8, content: &[u8]) -> [u8; 32] {
        Sha256::new().chain_update(self.0).chain_update([what]).chain_update(content).finalize().into()
    }
}

/// The part of a hash that is in no cookie.
fn last_bytes(hash: &[u8; 32]) -> u64 {
    hash.last_chunk().map_or(0, |last| u64::from_be_bytes(*last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_read_by_whoever_made_it_and_nobody_else() {
        let key = VisitorKey::new([7; 32]);
        let cookie = key.issue(&[1; 16]);
        let counted = key.read(&cookie).unwrap();
        assert_eq!(key.read(&cookie), Some(counted), "the same again");
        assert_ne!(key.read(&key.issue(&[2; 16])), Some(counted));
        assert!(!cookie.contains(&hex(&counted.to_be_bytes())), "what is kept is not in the cookie");
        assert_eq!(VisitorKey::new([8; 32]).read(&cookie), None, "another installation");
        let short = &cookie[1..];
        let long = format!("{cookie}0");
        let forged = format!("f{}", &cookie[1..]);
        let wide = "é".repeat(32);
        for other in ["", short, &long, &forged, &wide, &"0".repeat(64)] {
            assert_eq!(key.read(other), None, "{other}");
        }
    }

    #[test]
    fn every_bit_of_a_cookie_counts() {
        let key = VisitorKey::new([7; 32]);
        let cookie = key.issue(&[0x5a; 16]);
        for at in 0..cookie.len() {
            let mut other = cookie.clone().into_bytes();
            other[at] = if other[at] == b'0' { b'1' } else { b'0' };
            assert_eq!(key.read(std::str::from_utf8(&other).unwrap()), None, "place {at}");
        }
    }

    #[test]
    fn people_are_counted_by_their_own_hashes() {
        let key = VisitorKey::new([7; 32]);
        let ann = key.person(UserId(1));
        assert_eq!(key.person(UserId(1)), ann);
        assert_ne!(key.person(UserId(2)), ann);
        assert_ne!(VisitorKey::new([8; 32]).person(UserId(1)), ann);
    }
}
