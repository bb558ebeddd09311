//! Short texts people give: a display name, an avatar, a reason, the company's own id of a user.

use crate::Rejection;
use crate::rejection::FieldProblem;

/// Trims, counts characters, refuses control characters and hidden ones.
pub(crate) fn short_text(field: &str, text: &str, min: usize, max: usize) -> Result<String, Rejection> {
    let text = text.trim();
    let length = text.chars().take(max + 1).count();
    if length < min {
        return Err(Rejection::invalid(field, FieldProblem::TooShort { min: min as u64 }));
    }
    if length > max {
        return Err(Rejection::invalid(field, FieldProblem::TooLong { max: max as u64 }));
    }
    if has_hidden(text) {
        return Err(Rejection::invalid(field, HIDDEN));
    }
    Ok(text.to_owned())
}

const HIDDEN: FieldProblem = FieldProblem::Expected {
    en: "text without control characters and without hidden ones",
    zh: "不含控制字符和隐藏字符的文字",
};

/// Control characters, and those that nobody sees. A joiner belongs to the spelling of Persian and Hindi and of many emoji,
/// so between two characters beyond ASCII it stays; in a Latin word it could only make one name look like another.
fn has_hidden(text: &str) -> bool {
    let (mut before, mut rest) = (None, text.chars().peekable());
    while let Some(c) = rest.next() {
        let joins = |neighbour: Option<&char>| neighbour.is_some_and(|c| !c.is_ascii() && !is_joiner(*c));
        let hidden = if is_joiner(c) { !joins(before.as_ref()) || !joins(rest.peek()) } else { is_hidden(c) };
        if hidden {
            return true;
        }
        before = Some(c);
    }
    false
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

macro_rules! short_texts {
    ($($(#[$doc:meta])* $name:ident($field:literal, $min:literal, $max:literal)),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name(String);

        impl $name {
            pub const MAX: usize = $max;

            pub fn parse(text: &str) -> Result<Self, Rejection> {
                Self::parse_as($field, text)
            }

            /// The same under the field's name in a particular request.
            pub fn parse_as(field: &str, text: &str) -> Result<Self, Rejection> {
                short_text(field, text, $min, $max).map(Self)
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
    )+};
}

short_texts! {
    /// What others see.
    Name("name", 1, 40),
    /// Why somebody did something others will read about.
    Reason("reason", 1, 500),
}

/// A name for everybody to see who need not know whose it is: its first character, and as many stars whatever follows.
pub fn masked(name: &str) -> String {
    match name.chars().next() {
        // From the radicals of Chinese characters on, names are short.
        Some(first) if first >= '\u{2e80}' => format!("{first}**"),
        Some(first) => format!("{first}***"),
        None => "***".to_owned(),
    }
}

/// The company's own id of one of its users, taken as it is: two ids that differ are two people.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExternalId(String);

impl ExternalId {
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        let kept = short_text("user", text, 1, 128)?;
        if kept == text { Ok(Self(kept)) } else { Err(Rejection::invalid("user", FieldProblem::Malformed)) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A picture chosen by its address: on this site, or over TLS elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Avatar(String);

impl Avatar {
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        let text = short_text("avatar", text, 0, 500)?;
        let fits = text.is_empty()
            || text.starts_with("https://")
            || (text.starts_with('/') && !text.starts_with("//"));
        let clean = !text.contains(['"', '\'', '<', '>', ' ', '\\']);
        if fits && clean {
            Ok(Self(text))
        } else {
            Err(Rejection::invalid("avatar", FieldProblem::Malformed))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_masked_name_keeps_its_first_character_and_not_its_length() {
        for (name, expected) in [
            ("小明", "小**"),
            ("欧阳修文", "欧**"),
            ("John", "J***"),
            ("Al", "A***"),
            ("é", "é***"),
            ("🎈 party", "🎈**"),
            ("", "***"),
        ] {
            assert_eq!(masked(name), expected, "{name}");
        }
    }

    #[test]
    fn names() {
        let long = "名".repeat(41);
        for (text, expected) in [
            ("小明", Ok("小明")),
            ("  Ann  ", Ok("Ann")),
            ("", Err("invalid_field")),
            ("   ", Err("invalid_field")),
            (long.as_str(), Err("invalid_field")),
            ("a\u{0}b", Err("invalid_field")),
            ("a\u{202e}b", Err("invalid_field")),
            ("علی\u{200c}رضا", Ok("علی\u{200c}رضا")),
            ("👩\u{200d}👩\u{200d}👧", Ok("👩\u{200d}👩\u{200d}👧")),
            ("❤\u{fe0f}\u{200d}🔥", Ok("❤\u{fe0f}\u{200d}🔥")),
            ("ad\u{200d}min", Err("invalid_field")),
            ("علی\u{200c}", Err("invalid_field")),
            ("علی\u{200c}\u{200c}رضا", Err("invalid_field")),
        ] {
            let got = Name::parse(text);
            assert_eq!(got.as_ref().map(Name::as_str).map_err(Rejection::code), expected, "{text:?}");
        }
    }

    #[test]
    fn ids_of_others_are_never_trimmed() {
        for (text, fits) in
            [("shop-42", true), (" shop-42", false), ("shop-42\u{3000}", false), ("", false), ("a b", true)]
        {
            assert_eq!(ExternalId::parse(text).is_ok(), fits, "{text:?}");
        }
    }

    #[test]
    fn avatars_stay_on_the_site_or_on_tls() {
        for (text, fits) in [
            ("", true),
            ("/files/1.png", true),
            ("https://example.com/a.png", true),
            ("http://example.com/a.png", false),
            ("//example.com/a.png", false),
            ("javascript:alert(1)", false),
            ("https://a/\"onload=", false),
        ] {
            assert_eq!(Avatar::parse(text).is_ok(), fits, "{text}");
        }
    }
}
