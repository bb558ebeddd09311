//! The address of a receiver, as far as its text tells. Where its name leads is looked up at every delivery.

use crate::Rejection;
use crate::rejection::FieldProblem;

/// Bytes of an address.
pub const URL_MAX: usize = 2_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookUrl(String);

impl HookUrl {
    /// `http` or `https`, a host, no user and no fragment.
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        let malformed = || Rejection::invalid("url", FieldProblem::Malformed);
        if text.len() > URL_MAX
            || !text.bytes().all(|byte| byte.is_ascii_graphic())
            || text.contains(['#', '\\'])
        {
            return Err(malformed());
        }
        let lower = text.get(..8).unwrap_or(text).to_ascii_lowercase();
        let rest = match lower.as_str() {
            "https://" => text.get(8..),
            other if other.starts_with("http://") => text.get(7..),
            _ => None,
        };
        let authority = rest.and_then(|rest| rest.split(['/', '?']).next()).unwrap_or("");
        if authority.is_empty() || authority.starts_with(':') || authority.contains('@') {
            return Err(malformed());
        }
        Ok(Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn addresses() {
        let long = format!("https://example.com/{}", "x".repeat(URL_MAX));
        for (text, fits) in [
            ("https://example.com/hook", true),
            ("HTTP://example.com", true),
            ("http://a/?x=1&y=%20", true),
            ("https://[2606:4700::1111]:8443/x", true),
            ("", false),
            ("https://", false),
            ("http:///x", false),
            ("https://:443/", false),
            ("ftp://example.com", false),
            ("file:///etc/passwd", false),
            ("https://me:secret@example.com", false),
            ("https://example.com/#x", false),
            ("https://example.com\\@10.0.0.1/", false),
            ("https://example.com/a b", false),
            ("https://例子.com", false),
            (&long, false),
        ] {
            assert_eq!(HookUrl::parse(text).is_ok(), fits, "{text}");
        }
    }
}
