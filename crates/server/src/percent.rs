//! Percent-encoding of one part of an address.

/// Encodes everything that is not plainly safe, slashes included.
pub fn percent(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_part_of_an_address() {
        for (text, encoded) in
            [("tea", "tea"), ("store-7/tea", "store-7%2Ftea"), ("茶 a", "%E8%8C%B6%20a"), ("100%", "100%25")]
        {
            assert_eq!(percent(text), encoded);
        }
    }
}
