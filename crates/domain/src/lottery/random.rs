//! Where the luck of a draw comes from: a secret, and a frozen function of it.
//!
//! Each (activity, round, strategy version) has a [`DrawSecret`] of 32 bytes. Its [`Commitment`], the SHA-256 of it, is
//! published before the first draw; the secret itself after the last. In between, every random value is the
//! HMAC-SHA256, under the secret, of exactly 47 bytes, numbers big-endian:
//!
//! ```text
//! tag 1 ‖ activity 8 ‖ round 4 ‖ strategy version 4 ‖ user 8 ‖ n 4 ‖ counter 2 ‖ client value 16
//! ```
//!
//! Every part has a fixed width, so no two different draws share an input. Forty-seven bytes and their padding are one
//! block of SHA-256: with the key's two states prepared once, a value costs two compressions and nothing else. HMAC is
//! therefore written out here over the library's compression function; the tests hold it against the library's own.
//!
//! Deliberately absent: any other source of randomness; raffles, whose numbers come from an input of another width
//! ([`crate::raffle`]); floating point; and libraries of distributions. Their values may change from one release to the
//! next; a commitment needs an algorithm that never does.

use std::fmt;
use std::num::NonZeroU64;

use sha2::block_api::compress256;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::sha::{BEGIN, BLOCK, State};
use crate::ids::ActivityId;
use crate::player_number::PlayerNumber;

/// The bytes that one HMAC is taken of.
const INPUT: usize = 47;
const COUNTER: std::ops::Range<usize> = 29..31;
/// Each HMAC gives four words of 64 bits.
const WORDS: usize = 4;

/// What the draws of one (activity, round, strategy version) are derived from. It prints as nothing, and is wiped when
/// it goes.
#[derive(Clone)]
pub struct DrawSecret([u8; 32]);

impl DrawSecret {
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// For sealing it, and for the reveal.
    pub fn reveal(&self) -> &[u8; 32] {
        &self.0
    }

    pub fn commitment(&self) -> Commitment {
        Commitment(Sha256::digest(self.0).into())
    }
}

impl Drop for DrawSecret {
    fn drop(&mut self) {
        self.0 = std::hint::black_box([0; 32]);
    }
}

impl fmt::Debug for DrawSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// SHA-256 of a secret: published first, so that the secret cannot be chosen afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment(pub [u8; 32]);

impl Commitment {
    pub fn is_of(&self, secret: &DrawSecret) -> bool {
        self.0.ct_eq(&secret.commitment().0).into()
    }
}

/// The player's own share of the luck, fixed before their first ticket of the round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientValue(pub [u8; 16]);

/// What a value is for. A number once given keeps its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// Which slice of the table is hit.
    Draw = 1,
    /// How many points the fallback gives.
    FallbackPoints = 2,
}

/// The one draw a value belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawKey {
    pub activity: ActivityId,
    pub round: u32,
    pub version: u32,
    pub seat: PlayerNumber,
    /// The number of the draw among the player's draws of the round, from zero.
    pub n: u32,
    pub client: ClientValue,
}

/// Where a draw's numbers come from: the generator, or something that stands for it and says the same.
pub trait Luck {
    /// The number of one draw for one purpose, in `0..bound`.
    fn below(&self, tag: Tag, key: &DrawKey, bound: NonZeroU64) -> u64;
}

/// A secret, ready for use: what the key does to both hashes of an HMAC is computed once.
#[derive(Clone)]
pub struct Generator {
    inner: State,
    outer: State,
}

impl fmt::Debug for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Generator(…)")
    }
}

impl Drop for Generator {
    fn drop(&mut self) {
        (self.inner, self.outer) = std::hint::black_box(([0; 8], [0; 8]));
    }
}

impl Generator {
    pub fn new(secret: &DrawSecret) -> Self {
        // HMAC fills a short key up with zeros to a block, and lays a pattern over it for each of its two hashes.
        let keyed = |pattern: u8| {
            let mut block = [pattern; BLOCK];
            block.iter_mut().zip(&secret.0).for_each(|(byte, key)| *byte ^= key);
            let mut state = BEGIN;
            compress256(&mut state, &[block]);
            state
        };
        Self { inner: keyed(0x36), outer: keyed(0x5c) }
    }

    /// The values of one draw for one purpose, always the same ones.
    pub fn values(&self, tag: Tag, key: &DrawKey) -> Values<'_> {
        // The message behind the key's block, and its padding.
        let mut input = pad_block(INPUT);
        input[0] = tag as u8;
        input[1..9].copy_from_slice(&key.activity.0.to_be_bytes());
        input[9..13].copy_from_slice(&key.round.to_be_bytes());
        input[13..17].copy_from_slice(&key.version.to_be_bytes());
        input[17..25].copy_from_slice(&key.seat.to_bytes());
        input[25..29].copy_from_slice(&key.n.to_be_bytes());
        // 29..31 is the counter.
        input[31..47].copy_from_slice(&key.client.0);
        Values { generator: self, input, counter: 0, digest: [0; 8], used: WORDS }
    }

    fn hmac(&self, input: &[u8; BLOCK]) -> State {
        let (mut inner, mut outer) = (self.inner, self.outer);
        compress256(&mut inner, std::slice::from_ref(input));
        let mut block = pad_block(32);
        for (bytes, word) in block.as_chunks_mut::<4>().0.iter_mut().zip(inner) {
            *bytes = word.to_be_bytes();
        }
        compress256(&mut outer, &[block]);
        outer
    }
}

impl Luck for Generator {
    fn below(&self, tag: Tag, key: &DrawKey, bound: NonZeroU64) -> u64 {
        self.values(tag, key).below(bound)
    }
}

/// A generator and the first word of one draw, computed before: what a simulator works out on all cores while it
/// decides, one draw after the other, on one.
#[derive(Clone, Copy, Debug)]
pub struct Foreseen<'a> {
    generator: &'a Generator,
    word: u64,
}

impl Generator {
    /// The first word of a draw's roll.
    pub fn first_word(&self, key: &DrawKey) -> u64 {
        self.values(Tag::Draw, key).word()
    }

    /// The word has to be that of the key that is asked for later.
    pub fn foreseen(&self, word: u64) -> Foreseen<'_> {
        Foreseen { generator: self, word }
    }
}

impl Luck for Foreseen<'_> {
    fn below(&self, tag: Tag, key: &DrawKey, bound: NonZeroU64) -> u64 {
        match tag {
            Tag::Draw if is_kept(self.word, bound) => self.word % bound,
            Tag::Draw | Tag::FallbackPoints => self.generator.below(tag, key, bound),
        }
    }
}

/// The last block of a message that goes on for so many bytes after one block: zeros, and SHA-256's padding.
#[expect(clippy::cast_possible_truncation, reason = "the bits of less than two blocks")]
const fn pad_block(length: usize) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block[length] = 0x80;
    let [high, low] = (((BLOCK + length) * 8) as u16).to_be_bytes();
    (block[62], block[63]) = (high, low);
    block
}

/// The words of one draw, in order: four of counter 0, four of counter 1, and so on to the last counter.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    generator: &'a Generator,
    input: [u8; BLOCK],
    /// Of the next HMAC. One more than fits its two bytes: there are no more.
    counter: u32,
    digest: State,
    used: usize,
}

impl Values<'_> {
    /// A whole number in `0..bound`, each exactly as likely as any other.
    ///
    /// The highest `2^64 mod bound` words are passed over, so that what is left divides evenly. With bounds up to 10^12
    /// a word is passed over once in eighteen million times. It ends by construction: there are 65,536 counters. Should
    /// all 262,144 words be passed over (for the largest bound, once in 2^6,000,000), the last is taken as it is.
    pub fn below(&mut self, bound: NonZeroU64) -> u64 {
        loop {
            let word = self.word();
            if is_kept(word, bound) || self.spent() {
                return word % bound;
            }
        }
    }

    fn word(&mut self) -> u64 {
        if self.used == WORDS
            && let Ok(counter) = u16::try_from(self.counter)
        {
            self.input[COUNTER].copy_from_slice(&counter.to_be_bytes());
            self.digest = self.generator.hmac(&self.input);
            self.counter += 1;
            self.used = 0;
        }
        // When there are no more, the last word again.
        let at = self.used.min(WORDS - 1) * 2;
        self.used = (self.used + 1).min(WORDS);
        u64::from(self.digest[at]) << 32 | u64::from(self.digest[at + 1])
    }

    fn spent(&self) -> bool {
        self.used == WORDS && self.counter > u32::from(u16::MAX)
    }
}

fn is_kept(word: u64, bound: NonZeroU64) -> bool {
    // Words this low are never among those passed over, which spares the second division.
    word <= u64::MAX - bound.get() || word <= last_kept(bound)
}

/// The highest word that is not passed over: as many lie at or below it as the bound goes into 2^64.
fn last_kept(bound: NonZeroU64) -> u64 {
    u64::MAX - (bound.get().wrapping_neg() % bound)
}

#[cfg(test)]
mod rows {
    use hmac::{Hmac, KeyInit, Mac};
    use proptest::prelude::*;

    use super::*;

    fn generator() -> Generator {
        let mut secret = [0; 32];
        (0_u8..).zip(&mut secret).for_each(|(value, byte)| *byte = value);
        Generator::new(&DrawSecret::new(secret))
    }

    fn key(n: u32) -> DrawKey {
        let mut client = [0; 16];
        (0xa0_u8..).zip(&mut client).for_each(|(value, byte)| *byte = value);
        let (activity, seat) = (ActivityId(7), PlayerNumber::new(42).unwrap());
        DrawKey { activity, round: 1, version: 1, seat, n, client: ClientValue(client) }
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Computed with another implementation, in another language, from the layout alone.
    #[test]
    fn known_answers() {
        let generator = generator();
        let far = DrawKey {
            activity: ActivityId(9_007_199_254_740_993),
            round: 2,
            version: 3,
            seat: PlayerNumber::new(u32::MAX).unwrap(),
            n: u32::MAX,
            client: key(0).client,
        };
        for (tag, key, counter, expected) in [
            (Tag::Draw, key(0), 0_u16, "662d11aec441d2065e3e88bb51e30503e536cf127b77b0b75c4dadbba9a849a3"),
            (Tag::Draw, key(0), 1, "fa570d7ebd1228e55e4098d18a3ab2c2184933ed53f6dea617ea72eaf8f90de8"),
            (Tag::Draw, key(1), 0, "9c1da49d6cf24781515b512bdba01a6f58c0d3675c4d7fdb251e73256d7c62a3"),
            (
                Tag::FallbackPoints,
                key(0),
                0,
                "96524e6fe50e81046245aa73f2c0e9cf5d2593383f27020b13afc7c296921db2",
            ),
            (Tag::Draw, far, u16::MAX, "6f2d0bd16129ec8d49e5d2a112caa8e8f03722c48af728813b2a067c9f0d53e2"),
        ] {
            let mut values = generator.values(tag, &key);
            values.counter = u32::from(counter);
            let words: Vec<u8> = (0..4).flat_map(|_| values.word().to_be_bytes()).collect();
            assert_eq!(hex(&words), expected, "{tag:?} {key:?} {counter}");
        }
    }

    #[test]
    fn known_numbers() {
        let generator = generator();
        let bounds = [1, 2, 1_000_000, 1_000_000_000_000, (1 << 63) + 1];
        for (n, expected) in [
            (0, [0, 0, 258_630, 408_135_258_630, 7_362_560_408_135_258_630]),
            (1, [0, 1, 5_121, 440_286_005_121, 5_862_368_588_762_978_927]),
            (2, [0, 1, 801_277, 455_726_801_277, 7_358_176_455_726_801_277]),
            (3, [0, 0, 208_028, 964_146_208_028, 6_287_692_964_146_208_028]),
        ] {
            let got = bounds
                .map(|bound| generator.values(Tag::Draw, &key(n)).below(NonZeroU64::new(bound).unwrap()));
            assert_eq!(got, expected, "draw {n}");
        }
    }

    /// What is kept divides evenly: this is all there is to being without bias.
    #[test]
    fn as_many_words_for_each_number() {
        for bound in
            [1, 2, 3, 7, 1_000_000, 999_999_999_989, 1_000_000_000_000, 1 << 63, (1 << 63) + 1, u64::MAX]
        {
            let kept = u128::from(last_kept(NonZeroU64::new(bound).unwrap())) + 1;
            assert_eq!(kept % u128::from(bound), 0, "{bound}");
            assert!((1 << 64) - kept < u128::from(bound), "{bound}: no more are passed over than must be");
            assert!(
                u64::MAX - bound < u64::try_from(kept).unwrap_or(u64::MAX),
                "{bound}: the short way agrees"
            );
        }
    }

    /// The largest bound with the most rejections, from the last counter on: it ends.
    #[test]
    fn there_is_an_end() {
        let generator = generator();
        for n in 0..64 {
            let mut values = generator.values(Tag::Draw, &key(n));
            values.counter = u32::from(u16::MAX);
            let bound = NonZeroU64::new((1 << 63) + 1).unwrap();
            for _ in 0..32 {
                assert!(values.below(bound) < bound.get());
            }
        }
    }

    #[test]
    fn a_commitment_is_of_one_secret_and_neither_prints_it() {
        let secret = DrawSecret::new([7; 32]);
        let mut near = [7; 32];
        near[31] ^= 1;
        assert!(secret.commitment().is_of(&secret));
        assert!(!secret.commitment().is_of(&DrawSecret::new(near)));
        assert_eq!(format!("{secret:?} {:?}", Generator::new(&secret)), "Secret(…) Generator(…)");
        assert_eq!(
            hex(&DrawSecret::new(std::array::from_fn(|at| u8::try_from(at).unwrap())).commitment().0),
            "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
        );
    }

    proptest! {
        /// The HMAC that is written out here is the library's, for every secret and every input.
        #[test]
        fn hmac_is_hmac(secret: [u8; 32], seat in 1..=u32::MAX, n: u32, client: [u8; 16], counter: u16) {
            let key = DrawKey { seat: PlayerNumber::new(seat).unwrap(), n, client: ClientValue(client), ..key(0) };
            let generator = Generator::new(&DrawSecret::new(secret));
            let mut values = generator.values(Tag::FallbackPoints, &key);
            values.counter = u32::from(counter);
            let words: Vec<u8> = (0..4).flat_map(|_| values.word().to_be_bytes()).collect();
            let mut library = Hmac::<Sha256>::new_from_slice(&secret).unwrap();
            library.update(&values.input[..INPUT]);
            let expected: [u8; 32] = library.finalize().into_bytes().into();
            prop_assert_eq!(words, expected);
        }

        /// What was foreseen is what comes, also where the first word is passed over.
        #[test]
        fn foreseen_is_what_comes(n: u32, bound in 1..=u64::MAX) {
            let (generator, key) = (generator(), key(n));
            let bound = NonZeroU64::new(bound).unwrap();
            let foreseen = generator.foreseen(generator.first_word(&key));
            for tag in [Tag::Draw, Tag::FallbackPoints] {
                prop_assert_eq!(foreseen.below(tag, &key, bound), generator.below(tag, &key, bound));
            }
        }
    }
}
