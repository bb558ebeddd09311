//! Facts about users: typed attributes that rule trees read. Set by the company's backend or by Windfall
//! itself, never taken from a player's request.

use crate::Rejection;
use crate::rejection::FieldProblem;

/// Facts one user may have.
pub const FACTS_MAX: u32 = 64;
const KEY_MAX: usize = 64;
const TEXT_MAX: usize = 256;
const TAGS_MAX: usize = 64;

/// A name such as `age_band` or `crm.segment`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactKey(String);

impl FactKey {
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        let fits = (1..=KEY_MAX).contains(&text.len())
            && text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'.'));
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(Rejection::invalid(text_head(text), FieldProblem::Malformed))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Enough of a bad key to recognise it, and no more.
fn text_head(text: &str) -> &str {
    let end = text.char_indices().nth(KEY_MAX).map_or(text.len(), |(at, _)| at);
    if text.is_empty() { "fact" } else { &text[..end] }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactValue {
    Number(i64),
    Text(String),
    Flag(bool),
    /// Several short labels; order does not matter, repeats are folded.
    Tags(Vec<String>),
}

/// The type of a fact, without its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FactKind {
    Number,
    Text,
    Flag,
    Tags,
}

impl FactKind {
    pub const ALL: [FactKind; 4] = [Self::Number, Self::Text, Self::Flag, Self::Tags];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Text => "text",
            Self::Flag => "flag",
            Self::Tags => "tags",
        }
    }

    pub const NAMES: &'static str = "number, text, flag, tags";

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == text)
    }
}

impl FactValue {
    pub const fn kind(&self) -> FactKind {
        match self {
            Self::Number(_) => FactKind::Number,
            Self::Text(_) => FactKind::Text,
            Self::Flag(_) => FactKind::Flag,
            Self::Tags(_) => FactKind::Tags,
        }
    }

    pub fn text(key: &FactKey, text: &str) -> Result<Self, Rejection> {
        check_label(key, text)?;
        Ok(Self::Text(text.to_owned()))
    }

    pub fn tags(key: &FactKey, tags: &[String]) -> Result<Self, Rejection> {
        if tags.len() > TAGS_MAX {
            return Err(Rejection::invalid(
                key.as_str(),
                FieldProblem::OutOfRange { min: 0, max: TAGS_MAX as i64 },
            ));
        }
        for tag in tags {
            check_label(key, tag)?;
        }
        let mut kept = tags.to_vec();
        kept.sort_unstable();
        kept.dedup();
        Ok(Self::Tags(kept))
    }
}

fn check_label(key: &FactKey, text: &str) -> Result<(), Rejection> {
    if text.chars().take(TEXT_MAX + 1).count() > TEXT_MAX {
        return Err(Rejection::invalid(key.as_str(), FieldProblem::TooLong { max: TEXT_MAX as u64 }));
    }
    if text.chars().any(char::is_control) {
        return Err(Rejection::invalid(key.as_str(), FieldProblem::Malformed));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        let long = "k".repeat(65);
        for (text, fits) in [
            ("age_band", true),
            ("crm.segment2", true),
            ("", false),
            ("Age", false),
            ("2x", false),
            ("a b", false),
            (&long, false),
        ] {
            assert_eq!(FactKey::parse(text).is_ok(), fits, "{text}");
        }
    }

    #[test]
    fn tags_are_a_set() {
        let key = FactKey::parse("tags").unwrap();
        let value = FactValue::tags(&key, &["vip".into(), "new".into(), "vip".into()]).unwrap();
        assert_eq!(value, FactValue::Tags(vec!["new".into(), "vip".into()]));
        assert!(FactValue::tags(&key, &vec!["x".to_owned(); 65]).is_err());
        assert!(FactValue::text(&key, &"x".repeat(257)).is_err());
    }
}
