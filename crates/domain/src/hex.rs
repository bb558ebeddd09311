//! Bytes as hexadecimal text and back.

use std::fmt::Write;

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Exactly so many bytes, in either case and nothing else.
pub fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    unhex_all(text)?.try_into().ok()
}

/// However many there are.
pub fn unhex_all(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let byte = |[high, low]: &[u8; 2]| Some(digit(*high)? << 4 | digit(*low)?);
    rest.is_empty().then(|| pairs.iter().map(byte).collect())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (text, bytes) in
            [("", Some(vec![])), ("00ff", Some(vec![0, 255])), ("aBcD", Some(vec![0xab, 0xcd]))]
                .into_iter()
                .chain(["0", "0g", "+1", "é", "00 1"].map(|text| (text, None)))
        {
            assert_eq!(unhex_all(text), bytes, "{text}");
            assert_eq!(bytes.map_or(text.to_lowercase(), |bytes| hex(&bytes)), text.to_lowercase());
        }
        assert_eq!(unhex::<2>("0102"), Some([1, 2]));
        assert_eq!(unhex::<2>("010203"), None);
    }
}
