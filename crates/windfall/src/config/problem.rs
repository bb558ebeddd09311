//! What is wrong with the settings, as sentences an operator can act on.
//!
//! Each problem names the key, where the value came from, what was found and what is expected. The value
//! of a key that may hold a secret is never repeated.

use std::fmt;

/// Characters of an unknown key that are shown.
const KEY_CHARS_MAX: usize = 80;

/// One thing to mend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigProblem {
    /// The file cannot be read, or is not TOML.
    Unreadable { source: String, reason: String },
    /// There is no such key. Nothing is near to one that is far too long.
    Unknown { key: String, source: String, nearest: Option<String> },
    /// The value has the wrong type or is out of range.
    Refused { key: String, source: String, found: String, expected: String },
    /// Values that are fine alone but not together.
    Conflict { sentence: String },
}

/// Everything wrong with the settings, so that one look mends all of it. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<ConfigProblem>);

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { source, reason } => write!(f, "cannot read {source}: {reason}"),
            Self::Unknown { key, source, nearest } => {
                let shown: String = key.chars().take(KEY_CHARS_MAX).collect();
                write!(f, "unknown key `{shown}` in {source}")?;
                nearest.as_ref().map_or(Ok(()), |nearest| write!(f, "; did you mean `{nearest}`?"))
            }
            Self::Refused { key, source, found, expected } => {
                write!(f, "`{key}` in {source} is {found}; expected {expected}")
            }
            Self::Conflict { sentence } => f.write_str(sentence),
        }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [only] => write!(f, "the settings are not valid: {only}"),
            several => {
                write!(f, "the settings are not valid, {} problems:", several.len())?;
                several.iter().try_for_each(|problem| write!(f, "\n  - {problem}"))
            }
        }
    }
}

impl std::error::Error for Problems {}
