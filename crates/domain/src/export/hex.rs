//! Bytes as lower-case hexadecimal digits, two a byte. No other way to write them is read.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

pub fn write(out: &mut String, bytes: &[u8]) {
    out.reserve(bytes.len() * 2);
    for byte in bytes {
        for half in [byte >> 4, byte & 0xf] {
            out.push(char::from(DIGITS[usize::from(half)]));
        }
    }
}

/// Appends the bytes; false, and anything appended, if these are not digits or their number is odd.
pub fn read(text: &[u8], bytes: &mut Vec<u8>) -> bool {
    let (pairs, rest) = text.as_chunks::<2>();
    // Checked apart from being read: without a branch per digit both are done many digits at a time.
    let wrong = text.iter().fold(0, |wrong, digit| wrong | u8::from(!is_digit(*digit)));
    bytes.extend(pairs.iter().map(|[high, low]| value(*high) << 4 | value(*low)));
    rest.is_empty() && wrong == 0
}

pub fn array<const N: usize>(text: &str) -> Option<[u8; N]> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digits = text.bytes().all(is_digit);
    if !rest.is_empty() || pairs.len() != N || !digits {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = value(*high) << 4 | value(*low);
    }
    Some(bytes)
}

fn is_digit(digit: u8) -> bool {
    digit.is_ascii_digit() | (b'a'..=b'f').contains(&digit)
}

/// Of a digit.
fn value(digit: u8) -> u8 {
    (digit & 0xf).wrapping_add((digit >> 6).wrapping_mul(9)) & 0xf
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn bytes_come_back_and_nothing_else_is_read() {
        let all: Vec<u8> = (0..=255).collect();
        let mut text = String::new();
        write(&mut text, &all);
        let mut bytes = Vec::new();
        assert!(read(text.as_bytes(), &mut bytes));
        assert_eq!(bytes, all);
        assert_eq!(array::<2>("00ff"), Some([0, 255]));
        for wrong in ["0", "0g", "0F", "0 ", "é"] {
            assert!(!read(wrong.as_bytes(), &mut Vec::new()), "{wrong}");
            assert_eq!(array::<1>(wrong), None, "{wrong}");
        }
        assert_eq!(array::<1>("0000"), None);
    }
}
