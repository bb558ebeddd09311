//! What a post may say: a title, a link if it has one, and a text in Markdown, kept as it was written.

use crate::Rejection;
use crate::account::name::short_text;
use crate::rejection::FieldProblem;

pub const TITLE_MAX: usize = 100;
pub const BODY_MAX: usize = 20_000;
pub const LINK_MAX: usize = 2_000;
/// Characters of an excerpt in lists.
pub const EXCERPT_MAX: usize = 140;

const LINK: FieldProblem = FieldProblem::Expected {
    en: "an address that begins with http:// or https://",
    zh: "以 http:// 或 https:// 开头的网址",
};
const TEXT: FieldProblem =
    FieldProblem::Expected { en: "text without control characters", zh: "不含控制字符的文字" };

/// The title of a post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostTitle(String);

impl PostTitle {
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        short_text("title", text, 1, TITLE_MAX).map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Where a post leads to. It is shown and never fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link(String);

impl Link {
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        let text = short_text("link", text, 1, LINK_MAX)?;
        let lower = text.to_ascii_lowercase();
        let rest = ["http://", "https://"].iter().find_map(|scheme| lower.strip_prefix(scheme));
        let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
        let is_plain = |c: char| !c.is_whitespace() && !matches!(c, '<' | '>' | '"' | '\\' | '`' | '{' | '}');
        // A name before an @ makes one address look like another.
        if host.is_empty() || host.contains('@') || !text.chars().all(is_plain) {
            return Err(Rejection::invalid("link", LINK));
        }
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Everything that its author writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostTerms {
    pub title: PostTitle,
    pub link: Option<Link>,
    /// Markdown. Lines end with one character.
    pub body: String,
}

impl PostTerms {
    pub fn parse(title: &str, link: Option<&str>, body: &str) -> Result<Self, Rejection> {
        let link = link.filter(|link| !link.trim().is_empty()).map(Link::parse).transpose()?;
        Ok(Self { title: PostTitle::parse(title)?, link, body: long_text("body", body, BODY_MAX)? })
    }
}

/// A text of several lines: 1 to `max` characters, no control characters but ends of lines and tabs.
pub fn long_text(field: &str, text: &str, max: usize) -> Result<String, Rejection> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.trim_matches('\n').trim_end();
    if text.trim().is_empty() {
        return Err(Rejection::invalid(field, FieldProblem::TooShort { min: 1 }));
    }
    if text.chars().take(max + 1).count() > max {
        return Err(Rejection::invalid(field, FieldProblem::TooLong { max: max as u64 }));
    }
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        return Err(Rejection::invalid(field, TEXT));
    }
    Ok(text.to_owned())
}

/// The beginning of a plain text, cut at a character, in one line.
pub fn excerpt(plain: &str) -> String {
    let mut words = String::new();
    for word in plain.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        if words.chars().count() > EXCERPT_MAX {
            let cut: String = words.chars().take(EXCERPT_MAX - 1).collect();
            return cut.trim_end().to_owned() + "…";
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_post_may_say() {
        let (long, longer) = ("天".repeat(TITLE_MAX), "天".repeat(TITLE_MAX + 1));
        let (body, body_longer) = ("天".repeat(BODY_MAX), "天".repeat(BODY_MAX + 1));
        for (title, link, text, field) in [
            ("a", None, "b", None),
            (long.as_str(), None, body.as_str(), None),
            (" a ", Some("https://example.com/a?b=c#d"), "b\n\n\tc", None),
            ("a", Some(" "), "b", None),
            ("a", Some("HTTP://EXAMPLE.COM"), "b", None),
            ("", None, "b", Some("title")),
            (longer.as_str(), None, "b", Some("title")),
            ("a\u{202e}b", None, "b", Some("title")),
            ("a", None, " \n ", Some("body")),
            ("a", None, body_longer.as_str(), Some("body")),
            ("a", None, "b\u{0}", Some("body")),
            ("a", Some("javascript:alert(1)"), "b", Some("link")),
            ("a", Some("data:text/html,x"), "b", Some("link")),
            ("a", Some("//example.com"), "b", Some("link")),
            ("a", Some("https://"), "b", Some("link")),
            ("a", Some("https:///path"), "b", Some("link")),
            ("a", Some("https://bank.example@evil.example/"), "b", Some("link")),
            ("a", Some("https://a.example/\" onclick=\"x"), "b", Some("link")),
            ("a", Some("https://a.example/a b"), "b", Some("link")),
        ] {
            let wrong = PostTerms::parse(title, link, text).err();
            assert_eq!(wrong.as_ref().and_then(Rejection::field), field, "{link:?} {title:.20}");
        }
    }

    #[test]
    fn lines_end_with_one_character() {
        assert_eq!(long_text("body", "\r\na\r\nb\rc\n\n", 9).unwrap(), "a\nb\nc");
    }

    #[test]
    fn an_excerpt_is_one_short_line() {
        let long = "天".repeat(EXCERPT_MAX + 5);
        for (plain, expected) in [
            ("", String::new()),
            (" a \n\n b ", "a b".to_owned()),
            (&long, "天".repeat(EXCERPT_MAX - 1) + "…"),
            (&long[..EXCERPT_MAX * 3], "天".repeat(EXCERPT_MAX)),
        ] {
            assert_eq!(excerpt(plain), expected);
        }
    }
}
