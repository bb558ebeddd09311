//! A phone number, in the one form it is stored and compared in: `+` and digits (E.164).

use std::fmt;

use crate::Rejection;
use crate::rejection::FieldProblem;

/// The calling code of a country, with its `+`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoneCountry(String);

impl PhoneCountry {
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('+')?;
        let fits = (1..=3).contains(&digits.len())
            && !digits.starts_with('0')
            && digits.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| Self(text.to_owned()))
    }

    /// A number as people write it at home, with its country. Where people begin with a digit that is not part of the
    /// number, that goes. Of mainland China only mobiles are known: eleven digits that begin with 1.
    fn complete(&self, digits: &str) -> Option<String> {
        let own = match self.0.as_str() {
            "+86" if digits.len() == 11 && digits.starts_with('1') => digits,
            "+86" => return None,
            "+1" if digits.len() == 11 => digits.strip_prefix('1')?,
            // In Italy the zero is dialled from abroad too.
            "+39" => digits,
            _ => digits.strip_prefix('0').unwrap_or(digits),
        };
        Some(format!("{}{own}", self.0))
    }
}

impl Default for PhoneCountry {
    fn default() -> Self {
        Self("+86".to_owned())
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Phone(String);

impl Phone {
    /// Accepts spaces, dashes and brackets as people write them; a number without a country is one at home.
    pub fn parse(home: &PhoneCountry, text: &str) -> Result<Self, Rejection> {
        Self::parse_as("phone", home, text)
    }

    /// The same under the field's name in a particular request.
    pub fn parse_as(field: &str, home: &PhoneCountry, text: &str) -> Result<Self, Rejection> {
        let malformed = || Rejection::invalid(field, FieldProblem::Malformed);
        if text.len() > 40 {
            return Err(malformed());
        }
        let kept: String = text.chars().filter(|c| !matches!(c, ' ' | '-' | '(' | ')' | '\u{a0}')).collect();
        let whole = if kept.starts_with('+') { Some(kept) } else { home.complete(&kept) };
        whole.and_then(|whole| Self::stored(&whole)).ok_or_else(malformed)
    }

    /// A number in the form it is stored in.
    pub fn stored(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('+')?;
        let fits = (8..=15).contains(&digits.len())
            && digits.bytes().all(|b| b.is_ascii_digit())
            && !digits.starts_with('0');
        fits.then(|| Self(text.to_owned()))
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
            let phone = Phone::parse(&PhoneCountry::default(), text);
            assert_eq!(phone.ok().as_ref().map(Phone::as_str), expected, "{text}");
        }
    }

    #[test]
    fn numbers_at_home_elsewhere() {
        for (home, text, expected) in [
            ("+1", "(202) 555-0143", Some("+12025550143")),
            ("+1", "1 202 555 0143", Some("+12025550143")),
            ("+1", "2 202 555 0143", None),
            ("+49", "0151 23456789", Some("+4915123456789")),
            ("+39", "06 1234 5678", Some("+390612345678")),
            ("+852", "5123 4567", Some("+85251234567")),
            ("+852", "13800138000", Some("+85213800138000")),
            ("+852", "+86 138 0013 8000", Some("+8613800138000")),
            ("+852", "12", None),
            ("+852", "51x34567", None),
        ] {
            let phone = Phone::parse(&PhoneCountry::parse(home).unwrap(), text);
            assert_eq!(phone.ok().as_ref().map(Phone::as_str), expected, "{home} {text}");
        }
        for (text, fits) in
            [("+86", true), ("+1", true), ("86", false), ("+", false), ("+0", false), ("+1234", false)]
        {
            assert_eq!(PhoneCountry::parse(text).is_some(), fits, "{text}");
        }
    }

    #[test]
    fn a_number_is_masked_in_logs() {
        let phone = Phone::stored("+8613800138000").unwrap();
        assert_eq!(format!("{phone:?}"), "Phone(+86*********00)");
    }
}
