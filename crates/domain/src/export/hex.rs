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

/// The bytes in place of what is there; false, and anything in it, if these are not digits or their number is odd.
pub fn read(text: &[u8], bytes: &mut Vec<u8>) -> bool {
    bytes.clear();
    bytes.resize(text.len() / 2, 0);
    are_digits(text) && fill(text, bytes)
}

pub fn array<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    (are_digits(text.as_bytes()) && fill(text.as_bytes(), &mut bytes)).then_some(bytes)
}

/// Whether there are as many bytes as pairs of digits. Eight digits at a time: each becomes its value in its own byte of
/// a word, and then neighbours are pushed together.
fn fill(text: &[u8], bytes: &mut [u8]) -> bool {
    let (eights, rest) = text.as_chunks::<8>();
    let (fours, tail) = bytes.as_chunks_mut::<4>();
    for (digits, four) in eights.iter().zip(fours) {
        let digits = u64::from_le_bytes(*digits);
        let letters = digits >> 6 & 0x0101_0101_0101_0101;
        let values = (digits & 0x0f0f_0f0f_0f0f_0f0f) + letters * 9;
        let pairs = (values << 4 | values >> 8) & 0x00ff_00ff_00ff_00ff;
        let pairs = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
        let [a, b, _, _, c, d, ..] = pairs.to_le_bytes();
        *four = [a, b, c, d];
    }
    let (pairs, odd) = rest.as_chunks::<2>();
    for ([high, low], byte) in pairs.iter().zip(tail) {
        *byte = value(*high) << 4 | value(*low);
    }
    odd.is_empty() && text.len() == bytes.len() * 2
}

/// Without a branch per digit, so that many are looked at at a time.
fn are_digits(text: &[u8]) -> bool {
    let is_digit = |digit: u8| digit.is_ascii_digit() | (b'a'..=b'f').contains(&digit);
    text.iter().fold(0, |wrong, digit| wrong | u8::from(!is_digit(*digit))) == 0
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
        let mut bytes = Vec::new();
        for length in (0..12).chain([all.len()]) {
            let mut text = String::new();
            write(&mut text, &all[all.len() - length..]);
            assert!(read(text.as_bytes(), &mut bytes));
            assert_eq!(bytes, all[all.len() - length..]);
        }
        assert_eq!(array::<2>("00ff"), Some([0, 255]));
        for wrong in ["0", "0g", "0F", "0 ", "é"] {
            assert!(!read(wrong.as_bytes(), &mut Vec::new()), "{wrong}");
            assert_eq!(array::<1>(wrong), None, "{wrong}");
        }
        assert_eq!(array::<1>("0000"), None);
    }
}
