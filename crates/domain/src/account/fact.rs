//! Facts about users: typed attributes that rule trees read. Set by the company's backend or by Windfall
//! itself, never taken from a player's request.

use crate::Rejection;
use crate::rejection::FieldProblem;

/// What Windfall knows of everybody by itself, and the type it has.
pub const OWN_FACTS: [(&str, FactKind); 4] = [
    ("registered_day", FactKind::Number),
    ("registered_days_ago", FactKind::Number),
    ("phone_verified", FactKind::Flag),
    ("level", FactKind::Number),
];
/// The fact whose tags withdraw prizes from whoever carries them (风险标签).
pub const RISK_LABELS: &str = "risk_labels";
/// The length of one risk label at most, in characters.
const LABEL_MAX: usize = 64;

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

    /// The name under which risk labels are kept.
    pub fn risk_labels() -> Self {
        Self(RISK_LABELS.to_owned())
    }

    /// Whether Windfall knows it by itself.
    pub fn is_own(&self) -> bool {
        OWN_FACTS.iter().any(|(name, _)| *name == self.0)
    }
}

/// What somebody wants to know of a user from outside, held against the names that are Windfall's: nobody sets what
/// Windfall knows by itself, and risk labels are tags. Taking away what stands under such a name is always allowed.
pub fn check_setting(key: &FactKey, value: Option<&FactValue>) -> Result<(), Rejection> {
    let Some(value) = value else { return Ok(()) };
    if key.is_own() {
        return Err(Rejection::FactReserved { name: key.as_str().to_owned() });
    }
    if key.as_str() != RISK_LABELS {
        return Ok(());
    }
    let wrong = || Rejection::invalid(RISK_LABELS, FieldProblem::LABELS);
    match value {
        FactValue::Tags(labels) if labels.iter().all(|label| is_label(label)) => Ok(()),
        FactValue::Tags(_) | FactValue::Number(_) | FactValue::Text(_) | FactValue::Flag(_) => Err(wrong()),
    }
}

/// Whether a text can be a risk label.
pub fn is_label(text: &str) -> bool {
    let fits = (1..=LABEL_MAX).contains(&text.chars().take(LABEL_MAX + 1).count());
    fits && text.trim() == text && !text.chars().any(char::is_control)
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

crate::names! {
    /// The type of a fact, without its value.
    pub enum FactKind {
        Number = "number",
        Text = "text",
        Flag = "flag",
        Tags = "tags",
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
    fn names_that_are_windfalls_are_refused_by_name() {
        let tags = |tags: &[&str]| FactValue::Tags(tags.iter().map(|tag| (*tag).to_owned()).collect());
        for (name, value, code) in [
            ("level", Some(FactValue::Number(9)), Some("fact_reserved")),
            ("registered_day", Some(FactValue::Number(20_260_101)), Some("fact_reserved")),
            ("registered_days_ago", Some(FactValue::Number(9)), Some("fact_reserved")),
            ("phone_verified", Some(FactValue::Flag(true)), Some("fact_reserved")),
            ("level", None, None),
            ("age", Some(FactValue::Number(30)), None),
            (RISK_LABELS, Some(tags(&["bot", "羊毛党"])), None),
            (RISK_LABELS, Some(tags(&[])), None),
            (RISK_LABELS, None, None),
            (RISK_LABELS, Some(FactValue::Text("bot".into())), Some("invalid_field")),
            (RISK_LABELS, Some(FactValue::Flag(true)), Some("invalid_field")),
            (RISK_LABELS, Some(tags(&[" bot"])), Some("invalid_field")),
            (RISK_LABELS, Some(tags(&[""])), Some("invalid_field")),
            (RISK_LABELS, Some(tags(&[&"x".repeat(65)])), Some("invalid_field")),
        ] {
            let checked = check_setting(&FactKey::parse(name).unwrap(), value.as_ref());
            assert_eq!(checked.err().map(|rejection| rejection.code()), code, "{name} {value:?}");
        }
        assert_eq!(FactKey::risk_labels(), FactKey::parse(RISK_LABELS).unwrap());
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
