//! Random numbers that follow from the secret: HMAC-SHA256 over an input of fixed width, 104 bytes.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0–15 | the tag `windfall.raffle1` |
//! | 16–23 | activity |
//! | 24–27 | round |
//! | 28–59 | SHA-256 of the roll |
//! | 60–63 | prize, from 0 |
//! | 64–67 | place: which unit of the prize, from 0 |
//! | 68–71 | counter, from 0: one more for each number that was rejected |
//! | 72–103 | the beacon; zeros without one |
//!
//! Integers are big-endian. The number is the first eight bytes of the result, big-endian.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::draw::Beacon;
use super::roll::Roll;

const TAG: &[u8; 16] = b"windfall.raffle1";

pub(super) struct Source {
    keyed: Hmac<Sha256>,
    beacon: [u8; 32],
}

impl Source {
    pub fn new(secret: &[u8; 32], roll: &Roll, beacon: Option<&Beacon>) -> Self {
        let mut keyed = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes keys of any length");
        // What all inputs have in common is hashed once.
        keyed.update(TAG);
        keyed.update(&roll.activity().0.to_be_bytes());
        keyed.update(&roll.round().to_be_bytes());
        keyed.update(roll.hash());
        Self { keyed, beacon: beacon.map_or([0; 32], |beacon| *beacon.bytes()) }
    }

    pub fn number(&self, prize: u32, place: u32, counter: u32) -> u64 {
        let mut mac = self.keyed.clone();
        mac.update(&prize.to_be_bytes());
        mac.update(&place.to_be_bytes());
        mac.update(&counter.to_be_bytes());
        mac.update(&self.beacon);
        let bytes: [u8; 32] = mac.finalize().into_bytes().into();
        let [a, b, c, d, e, f, g, h, ..] = bytes;
        u64::from_be_bytes([a, b, c, d, e, f, g, h])
    }
}

/// One of `0..below`, each equally likely: a number from the incomplete last stretch of 2^64 is rejected and the next
/// counter tried. With the totals a roll can have, that is less than one in a million.
pub(super) fn choose(below: u64, number: impl Fn(u32) -> u64) -> u64 {
    let complete = (1u128 << 64) / u128::from(below) * u128::from(below);
    let mut counter = 0u32;
    loop {
        let drawn = number(counter);
        if u128::from(drawn) < complete {
            return drawn % below;
        }
        counter = counter.wrapping_add(1);
    }
}
