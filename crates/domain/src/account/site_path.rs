//! A place on this site that a link leads to.

use crate::Rejection;
use crate::rejection::FieldProblem;

/// Bytes of a path at most.
pub const SITE_PATH_MAX: usize = 500;

/// A path with what follows it, and never another site: `//host` and `/\\host` are addresses of others to a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitePath(String);

impl SitePath {
    pub fn parse(field: &str, text: &str) -> Result<Self, Rejection> {
        let expected = FieldProblem::Expected {
            en: "a path on this site such as /play/7318349394477056",
            zh: "本站路径，例如 /play/7318349394477056",
        };
        if text.len() > SITE_PATH_MAX {
            return Err(Rejection::invalid(field, FieldProblem::TooLong { max: SITE_PATH_MAX as u64 }));
        }
        let fits = text.starts_with('/')
            && !text.starts_with("//")
            && text.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'\\' | b'"' | b'<' | b'>' | b'`'));
        if fits { Ok(Self(text.to_owned())) } else { Err(Rejection::invalid(field, expected)) }
    }

    /// As the value of a query.
    pub fn encode(&self) -> String {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~' | b'/');
        let piece = |b: u8| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") };
        self.0.bytes().map(piece).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_this_site_only() {
        let long = format!("/{}", "a".repeat(SITE_PATH_MAX));
        for (text, expected) in [
            ("/", Some("/")),
            ("/play/7?from=app&x=1", Some("/play/7%3Ffrom%3Dapp%26x%3D1")),
            ("/sales/7#buy", Some("/sales/7%23buy")),
            ("/%2e%2e//x", Some("/%252e%252e//x")),
            ("", None),
            ("play", None),
            ("//evil.example", None),
            ("/\\evil.example", None),
            ("https://evil.example/", None),
            ("/a b", None),
            ("/\u{7}", None),
            ("/\"x", None),
            ("/中", None),
            (long.as_str(), None),
        ] {
            let path = SitePath::parse("to", text);
            assert_eq!(path.ok().map(|path| path.encode()).as_deref(), expected, "{text}");
        }
    }
}
