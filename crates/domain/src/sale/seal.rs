//! What only this installation can have written: 128 bits of HMAC-SHA256 over fixed-width fields.
//!
//! Purchase tokens, captchas and places in a waiting room are numbers that their holders keep and show again, so that a
//! crowd costs no row and a restart forgets none of them. Each kind has a tag of its own, and every field a fixed width: no
//! two different things are ever written with the same bytes.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// So many bytes of the digest are kept; nobody guesses one in the life of a sale.
pub const SEAL_BYTES: usize = 16;
/// A tag is padded to this.
const TAG_BYTES: usize = 16;

/// What the gate signs with, ready for use.
#[derive(Clone)]
pub struct GateKey(Hmac<Sha256>);

/// The key itself is never shown.
impl std::fmt::Debug for GateKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("GateKey(…)")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Token,
    Challenge,
    Answer,
    Place,
}

impl Tag {
    const fn bytes(self) -> &'static [u8; TAG_BYTES] {
        match self {
            Self::Token => b"sale/token/1\0\0\0\0",
            Self::Challenge => b"sale/captcha/1\0\0",
            Self::Answer => b"sale/answer/1\0\0\0",
            Self::Place => b"sale/place/1\0\0\0\0",
        }
    }
}

impl GateKey {
    #[expect(clippy::missing_panics_doc, reason = "a key of any length is a key")]
    pub fn new(key: &[u8; 32]) -> Self {
        Self(Hmac::<Sha256>::new_from_slice(key).expect("any length is a key"))
    }

    /// Numbers first, each in eight bytes, and then what may have any length.
    pub(super) fn seal(&self, tag: Tag, numbers: &[i64], rest: &[u8]) -> [u8; SEAL_BYTES] {
        let mut mac = self.0.clone();
        mac.update(tag.bytes());
        for number in numbers {
            mac.update(&number.to_be_bytes());
        }
        mac.update(rest);
        let whole: [u8; 32] = mac.finalize().into_bytes().into();
        let mut seal = [0; SEAL_BYTES];
        seal.copy_from_slice(&whole[..SEAL_BYTES]);
        seal
    }

    /// Whether it is the seal of just this; how long it takes does not tell how near it was.
    pub(super) fn is_seal(&self, seal: &[u8; SEAL_BYTES], tag: Tag, numbers: &[i64], rest: &[u8]) -> bool {
        self.seal(tag, numbers, rest).ct_eq(seal).into()
    }
}

#[cfg(test)]
mod rows {
    use super::*;
    use crate::hex::hex;

    /// From `printf 'sale/token/1\0\0\0\0\0\0\0\0\0\0\0\1x' | openssl dgst -sha256 -mac hmac -macopt hexkey:0707…07`.
    #[test]
    fn the_bytes_are_pinned() {
        let key = GateKey::new(&[7; 32]);
        assert_eq!(hex(&key.seal(Tag::Token, &[1], b"x")), "bf52169246d9a7f901ad1ff098ca8b48");
    }

    #[test]
    fn every_part_of_it_counts() {
        let key = GateKey::new(&[7; 32]);
        let seal = key.seal(Tag::Token, &[1, 2], b"x");
        for (same, tag, numbers, rest) in [
            (true, Tag::Token, &[1, 2][..], &b"x"[..]),
            (false, Tag::Place, &[1, 2], b"x"),
            (false, Tag::Token, &[2, 1], b"x"),
            (false, Tag::Token, &[1], b"x"),
            (false, Tag::Token, &[1, 2], b""),
            (false, Tag::Token, &[1, -2], b"x"),
        ] {
            assert_eq!(key.is_seal(&seal, tag, numbers, rest), same, "{tag:?} {numbers:?} {rest:?}");
        }
        assert!(!GateKey::new(&[8; 32]).is_seal(&seal, Tag::Token, &[1, 2], b"x"));
    }
}
