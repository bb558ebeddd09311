//! The second factor of staff: six digits of an authenticator app (TOTP, RFC 6238), each good once, and recovery codes for
//! the day on which the app is lost.

use totp_rs::Builder;

use crate::Rejection;
use crate::rejection::FieldProblem;
use crate::time::{SECOND_MS, Timestamp};

/// Bytes of an authenticator's secret.
pub const TOTP_SECRET_BYTES: usize = 20;
/// Recovery codes that somebody is given at once.
pub const RECOVERY_CODES: usize = 10;
/// Random bytes of one: 80 bits, which nobody guesses.
pub const RECOVERY_BYTES: usize = 10;
/// Characters of one, without dashes.
const RECOVERY_CHARS: usize = 16;
const TOTP_DIGITS: usize = 6;

/// What somebody types as a second factor.
#[derive(Clone, PartialEq, Eq)]
pub enum SecondCode {
    Totp(String),
    /// Upper case, without dashes.
    Recovery(String),
}

impl SecondCode {
    pub fn parse(field: &str, text: &str) -> Result<Self, Rejection> {
        let malformed = || Rejection::invalid(field, FieldProblem::Malformed);
        if text.len() > 64 {
            return Err(malformed());
        }
        let kept: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
        if kept.len() == TOTP_DIGITS && kept.bytes().all(|b| b.is_ascii_digit()) {
            return Ok(Self::Totp(kept));
        }
        let kept = kept.to_ascii_uppercase();
        let fits = kept.len() == RECOVERY_CHARS && kept.bytes().all(|b| BASE32.contains(&b));
        if fits { Ok(Self::Recovery(kept)) } else { Err(malformed()) }
    }
}

/// A code never reaches a log through `{:?}`.
impl std::fmt::Debug for SecondCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecondCode(…)")
    }
}

/// The step of time whose digits these are, if they are right now or were half a minute ago, and their step is later than
/// the last one used: nobody who looks over a shoulder uses them once more.
pub fn check_totp(secret: &[u8], digits: &str, last_step: i64, now: Timestamp) -> Option<i64> {
    let secret: [u8; TOTP_SECRET_BYTES] = secret.try_into().ok()?;
    let totp = Builder::new().with_secret(secret).build().ok()?;
    let seconds = u64::try_from(now.0 / SECOND_MS).ok()?;
    let step = i64::try_from(totp.check(digits, seconds)?).ok()?;
    (step > last_step).then_some(step)
}

/// One recovery code, as it is shown: four characters between dashes.
pub fn recovery_code(random: [u8; RECOVERY_BYTES]) -> String {
    let text = base32(&random);
    let groups: Vec<&str> = (0..RECOVERY_CHARS / 4).map(|n| &text[n * 4..n * 4 + 4]).collect();
    groups.join("-")
}

const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// RFC 4648, without padding: the form in which authenticator apps take a secret.
pub fn base32(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(5) * 8);
    let (mut buffer, mut bits) = (0_u32, 0_u32);
    for byte in bytes {
        buffer = buffer << 8 | u32::from(*byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            text.push(char::from(BASE32[(buffer >> bits & 31) as usize]));
        }
        buffer &= (1 << bits) - 1;
    }
    if bits > 0 {
        text.push(char::from(BASE32[(buffer << (5 - bits) & 31) as usize]));
    }
    text
}

/// What an authenticator app reads from the picture.
pub fn totp_uri(secret: &[u8], account: &str) -> String {
    let label: String = account.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("otpauth://totp/Windfall:{label}?secret={}&issuer=Windfall", base32(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of RFC 6238's test vectors; its eight digits cut to six.
    const SECRET: &[u8; 20] = b"12345678901234567890";

    #[test]
    fn digits_of_the_standard_are_good_once() {
        for (at_s, digits, last_step, step) in [
            (59, "287082", 0, Some(1)),
            (59, "287082", 1, None),
            (89, "287082", 0, Some(1)),
            (120, "287082", 0, None),
            (29, "287082", 0, Some(1)),
            (1_111_111_109, "081804", 0, Some(37_037_036)),
            (1_111_111_109, "081805", 0, None),
            (20_000_000_000, "353130", 666_666_665, Some(666_666_666)),
            (20_000_000_000, "353130", 666_666_666, None),
        ] {
            let now = Timestamp(at_s * SECOND_MS);
            assert_eq!(check_totp(SECRET, digits, last_step, now), step, "{at_s} {digits} {last_step}");
        }
        assert_eq!(check_totp(b"short", "287082", 0, Timestamp(59_000)), None);
    }

    #[test]
    fn what_is_typed() {
        let totp = |text: &str| Some(SecondCode::Totp(text.to_owned()));
        let recovery = |text: &str| Some(SecondCode::Recovery(text.to_owned()));
        for (text, expected) in [
            ("287082", totp("287082")),
            ("287 082", totp("287082")),
            ("abcd-efgh-ijkl-m234", recovery("ABCDEFGHIJKLM234")),
            ("ABCDEFGHIJKLM234", recovery("ABCDEFGHIJKLM234")),
            ("28708", None),
            ("ABCDEFGHIJKLM23", None),
            ("ABCDEFGHIJKLM230", None),
            ("", None),
            ("２８７０８２", None),
        ] {
            assert_eq!(SecondCode::parse("second_code", text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn secrets_as_apps_take_them() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "MY"),
            (b"fo", "MZXQ"),
            (b"foo", "MZXW6"),
            (b"foob", "MZXW6YQ"),
            (b"fooba", "MZXW6YTB"),
        ] {
            assert_eq!(base32(bytes), text);
        }
        assert_eq!(recovery_code([255; 10]), "7777-7777-7777-7777");
        let uri = totp_uri(SECRET, "+86*********00");
        assert_eq!(
            uri,
            "otpauth://totp/Windfall:8600?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Windfall"
        );
    }
}
