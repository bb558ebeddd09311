//! Short texts people give: a display name, an avatar, a reason, the company's own id of a user.

use crate::Rejection;
use crate::ids::UserId;
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

/// Control characters, and those that nobody sees. Some of the latter belong to the spelling of a word and stay where they
/// do something: a joiner between two characters beyond ASCII (Persian, Hindi, many emoji), a variation selector after a
/// character that has variants. Anywhere else they could only make one name look like another, or like none.
fn has_hidden(text: &str) -> bool {
    let (mut before, mut rest) = (None, text.chars().peekable());
    while let Some(c) = rest.next() {
        let joins = |neighbour: Option<&char>| neighbour.is_some_and(|c| !c.is_ascii() && !is_joiner(*c));
        let hidden = match c {
            _ if is_joiner(c) => !joins(before.as_ref()) || !joins(rest.peek()),
            '\u{fe00}'..='\u{fe0f}' => !varies(before, rest.peek().copied()),
            // Variants of Chinese characters, as some people write their names.
            '\u{e0100}'..='\u{e01ef}' => !before.is_some_and(is_ideograph),
            _ => is_hidden(c),
        };
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

/// Whether a variation selector between these two does something: after a sign beyond ASCII, or in a keycap emoji.
fn varies(before: Option<char>, after: Option<char>) -> bool {
    match before {
        Some('0'..='9' | '#' | '*') => after == Some('\u{20e3}'),
        Some(before) => {
            !before.is_ascii() && !is_joiner(before) && !matches!(before, '\u{fe00}'..='\u{fe0f}')
        }
        None => false,
    }
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// What nobody sees wherever it stands: Unicode's Default_Ignorable_Code_Point without those judged by their neighbours, its
/// separators of lines, those that are drawn as a blank, and those that have no shape of their own: the place of an object,
/// controls of hieroglyphs, private use.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffc}'
            | '\u{e000}'..='\u{f8ff}' | '\u{13430}'..='\u{1345f}' | '\u{1d159}' | '\u{f0000}'..='\u{10ffff}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
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

/// A name as names are compared: without capitals.
pub fn fold_name(name: &str) -> String {
    name.to_lowercase()
}

/// What names begin with that nobody chose.
const DEFAULT_NAME: &str = "wf";
/// Digits of such a name that everybody may see.
const TAIL_DIGITS: usize = 4;

/// The name of an account until its owner chooses one, after the tail of its id.
pub fn default_name(id: UserId) -> String {
    format!("{DEFAULT_NAME}{:06}", (id.0 ^ (id.0 >> 22)).rem_euclid(1_000_000))
}

/// The digits of a name that nobody chose.
fn default_digits(name: &str) -> Option<&str> {
    let digits = name.strip_prefix(DEFAULT_NAME)?;
    (digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

/// A name for everybody to see who need not know whose it is: its first character, and as many stars whatever follows. Of a
/// name that nobody chose the last digits stay, so that a list of winners is not one name over and over.
pub fn mask_name(name: &str) -> String {
    if let Some(digits) = default_digits(name) {
        return format!("{DEFAULT_NAME}**{}", &digits[digits.len() - TAIL_DIGITS..]);
    }
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
    /// Characters.
    pub const MAX: usize = 128;

    pub fn parse(text: &str) -> Result<Self, Rejection> {
        let kept = short_text("user", text, 1, Self::MAX)?;
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
            ("wf123456", "wf**3456"),
            ("wf12345", "w***"),
            ("wf12345a", "w***"),
            ("William", "W***"),
        ] {
            assert_eq!(mask_name(name), expected, "{name}");
        }
    }

    #[test]
    fn a_name_that_nobody_chose_is_known_as_such() {
        for id in [0, 7, 999_999, 1_000_001, i64::MAX, -1] {
            let name = default_name(UserId(id));
            assert_eq!(mask_name(&name), format!("wf**{}", &name[4..]));
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

    /// Each alone, inside a word and after a Chinese character; then what must stay.
    #[test]
    fn names_that_nobody_sees() {
        for hidden in [
            '\u{ad}',
            '\u{34f}',
            '\u{61c}',
            '\u{115f}',
            '\u{1160}',
            '\u{17b4}',
            '\u{180e}',
            '\u{200b}',
            '\u{200e}',
            '\u{2028}',
            '\u{2029}',
            '\u{202e}',
            '\u{2060}',
            '\u{2064}',
            '\u{2069}',
            '\u{206f}',
            '\u{2800}',
            '\u{3164}',
            '\u{feff}',
            '\u{ffa0}',
            '\u{fff9}',
            '\u{fffc}',
            '\u{e000}',
            '\u{13430}',
            '\u{1d159}',
            '\u{f0000}',
            '\u{1bca0}',
            '\u{1d173}',
            '\u{e0001}',
            '\u{e0041}',
            '\u{e007f}',
            '\u{e0fff}',
            '\u{1}',
            '\u{7f}',
            '\u{85}',
        ] {
            for text in
                [format!("{hidden}"), format!("ad{hidden}min"), format!("明{hidden}"), format!("{hidden}a")]
            {
                // Some are white space too, and go from the ends.
                let kept = Name::parse(&text);
                assert!(kept.is_err() || kept.unwrap().as_str() != text, "{text:?}");
            }
        }
        for (text, fits) in [
            ("\u{fe0f}", false),
            ("a\u{fe0f}", false),
            ("ad\u{fe0e}min", false),
            ("☺\u{fe0f}\u{fe0f}", false),
            ("1\u{fe0f}", false),
            ("❤\u{fe0f}", true),
            ("☺\u{fe0e} smile", true),
            ("1\u{fe0f}\u{20e3}", true),
            ("\u{e0100}", false),
            ("a\u{e0100}", false),
            ("葛\u{e0100}城", true),
            ("हिन्\u{200d}दी", true),
        ] {
            assert_eq!(Name::parse(text).is_ok(), fits, "{text:?}");
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
