//! When points expire: a policy, as a value. Which moment that is stands in the site's calendar.

use std::fmt;
use std::str::FromStr;

/// The longest a policy may keep points.
pub const DAYS_MAX: u32 = 36_500;
pub const YEARS_MAX: u32 = 100;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Expiry {
    #[default]
    Never,
    /// At the end of the day that is so many days after the one they came on.
    Days(u32),
    /// At the end of the calendar year that is so many years after the one they came in; 0 is the year itself.
    Years(u32),
}

/// Written as `never`, `days = 365` or `years = 1`.
impl FromStr for Expiry {
    type Err = NotAnExpiry;

    fn from_str(text: &str) -> Result<Self, NotAnExpiry> {
        if text == "never" {
            return Ok(Self::Never);
        }
        let (word, number) = text.split_once('=').ok_or(NotAnExpiry)?;
        let number: u32 = number.trim().parse().map_err(|_| NotAnExpiry)?;
        match word.trim() {
            "days" if (1..=DAYS_MAX).contains(&number) => Ok(Self::Days(number)),
            "years" if number <= YEARS_MAX => Ok(Self::Years(number)),
            _ => Err(NotAnExpiry),
        }
    }
}

impl fmt::Display for Expiry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never => f.write_str("never"),
            Self::Days(days) => write!(f, "days = {days}"),
            Self::Years(years) => write!(f, "years = {years}"),
        }
    }
}

/// The text names no policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnExpiry;

impl fmt::Display for NotAnExpiry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected never, days = 1 to {DAYS_MAX}, or years = 0 to {YEARS_MAX}")
    }
}

impl std::error::Error for NotAnExpiry {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_by_their_text() {
        for (text, expected) in [
            ("never", Some(Expiry::Never)),
            ("days = 1", Some(Expiry::Days(1))),
            ("days=36500", Some(Expiry::Days(36_500))),
            ("years = 0", Some(Expiry::Years(0))),
            ("years = 100", Some(Expiry::Years(100))),
            ("", None),
            ("Never", None),
            ("days", None),
            ("days = 0", None),
            ("days = 36501", None),
            ("days = -1", None),
            ("days = 1.5", None),
            ("years = 101", None),
            ("weeks = 1", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text}");
            if let Some(expiry) = expected {
                assert_eq!(expiry.to_string().parse(), Ok(expiry));
            }
        }
    }
}
