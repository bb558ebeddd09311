//! SHA-256 by its compression function, where a message is short and of a known shape: no state to set up, no buffer to
//! fill piece by piece. The library's own hash is held against it by the tests.

use sha2::block_api::compress256;
use sha2::{Digest, Sha256};

/// A block, in bytes.
pub(super) const BLOCK: usize = 64;

pub(super) type State = [u32; 8];

/// Where it begins.
pub(super) const BEGIN: State =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// Four blocks hold the longest message that is hashed in place: nine bytes of them are padding.
const ROOM: usize = 4 * BLOCK;

/// The hash of some parts, one after the other.
pub(super) fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    if length + 9 > ROOM {
        let mut hash = Sha256::new();
        parts.iter().for_each(|part| hash.update(part));
        return hash.finalize().into();
    }
    let mut message = [0; ROOM];
    let mut at = 0;
    for part in parts {
        message[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
    message[at] = 0x80;
    let blocks = (length + 9).div_ceil(BLOCK);
    message[blocks * BLOCK - 8..blocks * BLOCK].copy_from_slice(&(length as u64 * 8).to_be_bytes());
    let mut state = BEGIN;
    compress256(&mut state, &message.as_chunks::<BLOCK>().0[..blocks]);
    bytes(&state)
}

pub(super) fn bytes(state: &State) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (four, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *four = word.to_be_bytes();
    }
    bytes
}

#[cfg(test)]
mod rows {
    use super::*;

    /// Every length around the edges of blocks, and beyond the room.
    #[test]
    fn a_hash_is_the_librarys() {
        let message: Vec<u8> = (0..=u8::MAX).chain(0..=u8::MAX).collect();
        for length in 0..message.len() {
            let (head, tail) = message[..length].split_at(length / 3);
            let library: [u8; 32] = Sha256::digest(&message[..length]).into();
            assert_eq!(hash(&[head, tail]), library, "{length} bytes");
        }
    }
}
