//! A phone number, in the one form it is stored and compared in: `+` and digits (E.164).

use std::fmt;

use crate::Rejection;
use crate::rejection::FieldProblem;

/// The country of a number written without one: eleven digits that begin with 1.
const HOME_COUNTRY: &str = "+86";

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Phone(String);

impl Phone {
    /// Accepts spaces, dashes and brackets as people write them; a bare mainland mobile gets its country.
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        Self::parse_as("phone", text)
    }

    /// The same under the field's name in a particular request.
    pub fn parse_as(field: &str, text: &str) -> Result<Self, Rejection> {
        let malformed = || Rejection::invalid(field, FieldProblem::Malformed);
        if text.len() > 40 {
            return Err(malformed());
        }
        let mut kept: String =
            text.chars().filter(|c| !matches!(c, ' ' | '-' | '(' | ')' | '\u{a0}')).collect();
        if kept.len() == 11 && kept.starts_with('1') {
            kept.insert_str(0, HOME_COUNTRY);
        }
        let digits = kept.strip_prefix('+').ok_or_else(malformed)?;
        let fits = (8..=15).contains(&digits.len())
            && digits.bytes().all(|b| b.is_ascii_digit())
            && !digits.starts_with('0');
        if fits { Ok(Self(kept)) } else { Err(malformed()) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What may be shown to its owner and to support: country and the last two digits.
    pub fn masked(&self) -> String {
        let (head, tail) = (&self.0[..3], &self.0[self.0.len() - 2..]);
        format!("{head}{}{tail}", "*".repeat(self.0.len() - 5))
    }
}

/// A number never reaches a log whole.
impl fmt::Debug for Phone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Phone({})", self.masked())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        for (text, expected) in [
            ("13800138000", Some("+8613800138000")),
            ("138 0013-8000", Some("+8613800138000")),
            ("+8613800138000", Some("+8613800138000")),
            ("+1 (202) 555-0143", Some("+12025550143")),
            ("23800138000", None),
            ("+0123456789", None),
            ("+12", None),
            ("+1234567890123456", None),
            ("１３８００１３８０００", None),
            ("+86138x0138000", None),
            ("", None),
        ] {
            assert_eq!(Phone::parse(text).ok().as_ref().map(Phone::as_str), expected, "{text}");
        }
    }

    #[test]
    fn a_number_is_masked_in_logs() {
        let phone = Phone::parse("13800138000").unwrap();
        assert_eq!(format!("{phone:?}"), "Phone(+86*********00)");
    }
}
