//! Which people were active on a day: a bit for each, by a number that is dense.
//!
//! People are numbered from 1 on as they are first active, without gaps, and a day is kept in chunks of [`PEOPLE_CHUNK`]
//! numbers. So a day takes a bit for everybody there ever was and no more, however large their ids are, and no chunk is
//! longer than [`CHUNK_BYTES_MAX`]. Days are united and compared exactly.

/// Numbers in one chunk.
pub const PEOPLE_CHUNK: i64 = 32_768;

pub const CHUNK_BYTES_MAX: usize = 32_768 / 8;

/// The chunk of a person's number, and the place in it. Numbers begin at 1.
pub fn place_of(number: i64) -> Option<(i64, u16)> {
    let from_zero = number.checked_sub(1).filter(|from_zero| *from_zero >= 0)?;
    let at = u16::try_from(from_zero % PEOPLE_CHUNK).ok()?;
    Some((from_zero / PEOPLE_CHUNK, at))
}

/// The people of one chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PeopleChunk {
    /// Up to the last one that is not zero.
    bytes: Vec<u8>,
}

impl PeopleChunk {
    /// Adds the person at a place below [`PEOPLE_CHUNK`]; answers whether they were not there. Any other place is nobody's.
    pub fn insert(&mut self, at: u16) -> bool {
        let (byte, bit) = (usize::from(at / 8), 1_u8 << (at % 8));
        if byte >= CHUNK_BYTES_MAX {
            return false;
        }
        if self.bytes.len() <= byte {
            self.bytes.resize(byte + 1, 0);
        }
        let is_new = self.bytes[byte] & bit == 0;
        self.bytes[byte] |= bit;
        is_new
    }

    /// Adds everybody of another chunk.
    pub fn merge(&mut self, other: &Self) {
        if self.bytes.len() < other.bytes.len() {
            self.bytes.resize(other.bytes.len(), 0);
        }
        for (our, their) in self.bytes.iter_mut().zip(&other.bytes) {
            *our |= their;
        }
    }

    pub fn count(&self) -> u64 {
        self.bytes.iter().map(|byte| u64::from(byte.count_ones())).sum()
    }

    /// How many are in both.
    pub fn count_shared(&self, other: &Self) -> u64 {
        let both = self.bytes.iter().zip(&other.bytes);
        both.map(|(our, their)| u64::from((our & their).count_ones())).sum()
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// `None` for bytes that are no chunk.
    pub fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        let fits = bytes.len() <= CHUNK_BYTES_MAX && bytes.last() != Some(&0);
        fits.then_some(Self { bytes })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn chunk_of(people: &BTreeSet<u16>) -> PeopleChunk {
        let mut chunk = PeopleChunk::default();
        for at in people {
            assert!(chunk.insert(*at));
        }
        chunk
    }

    #[test]
    fn numbers_have_their_place() {
        for (number, place) in [
            (1, Some((0, 0))),
            (32_768, Some((0, 32_767))),
            (32_769, Some((1, 0))),
            (i64::MAX, Some((281_474_976_710_655, 32_766))),
            (0, None),
            (-1, None),
            (i64::MIN, None),
        ] {
            assert_eq!(place_of(number), place, "{number}");
        }
    }

    #[test]
    fn hole_59_a_chunk_never_grows_beyond_its_bytes() {
        let mut chunk = PeopleChunk::default();
        for at in 0..=u16::MAX {
            assert_eq!(chunk.insert(at), i64::from(at) < PEOPLE_CHUNK, "{at}");
        }
        assert_eq!((chunk.as_bytes().len(), chunk.count()), (CHUNK_BYTES_MAX, 32_768));
    }

    #[test]
    fn bytes_that_are_no_chunk_are_refused() {
        assert_eq!(PeopleChunk::from_bytes(vec![1; CHUNK_BYTES_MAX + 1]), None);
        assert_eq!(PeopleChunk::from_bytes(vec![1, 0]), None);
        assert_eq!(PeopleChunk::from_bytes(Vec::new()), Some(PeopleChunk::default()));
    }

    proptest! {
        /// As sets are.
        #[test]
        fn days_are_united_and_compared_as_sets(
            one in prop::collection::btree_set(0..32_768_u16, 0..200),
            other in prop::collection::btree_set(0..32_768_u16, 0..200),
        ) {
            let (mut ours, theirs) = (chunk_of(&one), chunk_of(&other));
            prop_assert_eq!(ours.count_shared(&theirs), one.intersection(&other).count() as u64);
            ours.merge(&theirs);
            ours.merge(&theirs);
            prop_assert_eq!(ours.count(), one.union(&other).count() as u64);
            prop_assert_eq!(&ours, &chunk_of(&one.union(&other).copied().collect()));
            prop_assert_eq!(PeopleChunk::from_bytes(ours.as_bytes().to_vec()), Some(ours));
        }
    }
}
