//! Many codes as one piece of bytes: each with its length before it. Encrypted as a whole, read one by one.

use super::sheet::RedeemCode;

/// Codes in one chunk. Looking at one code opens its whole chunk.
pub const CHUNK_CODES_MAX: usize = 1_000;

/// The bytes of some codes, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunk(pub Vec<u8>);

impl Chunk {
    pub fn of<'a>(codes: impl IntoIterator<Item = &'a RedeemCode>) -> Self {
        let mut bytes = Vec::new();
        for code in codes {
            #[expect(clippy::cast_possible_truncation, reason = "a code has at most 200 bytes")]
            let length = code.as_str().len() as u8;
            bytes.push(length);
            bytes.extend_from_slice(code.as_str().as_bytes());
        }
        Self(bytes)
    }

    /// The code at a place, from 0.
    pub fn code(&self, place: usize) -> Option<&str> {
        let mut rest = self.0.as_slice();
        for _ in 0..place {
            let (length, after) = rest.split_first()?;
            rest = after.get(usize::from(*length)..)?;
        }
        let (length, after) = rest.split_first()?;
        std::str::from_utf8(after.get(..usize::from(*length))?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back_by_their_places() {
        let long = "x".repeat(200);
        let codes = ["A-1", "兑换-2", &long, "B"].map(|code| RedeemCode::parse(code).unwrap());
        let chunk = Chunk::of(&codes);
        for (place, code) in codes.iter().enumerate() {
            assert_eq!(chunk.code(place), Some(code.as_str()));
        }
        for (chunk, place) in [(chunk.clone(), 4), (Chunk::default(), 0), (Chunk(vec![5, b'a']), 0)] {
            assert_eq!(chunk.code(place), None, "{place}");
        }
    }
}
