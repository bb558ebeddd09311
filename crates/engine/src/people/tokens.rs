//! Secrets that are shown once: session tokens, API keys, sign-in links, what webhooks are signed with.
//!
//! 256 random bits, written with a prefix that says what it is (so that a leaked one is recognised by
//! scanners), and stored only as SHA-256. A fast hash is right here: there is nothing to guess.

use sha2::{Digest, Sha256};

use crate::ports::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Session,
    ApiKey,
    Link,
    Webhook,
    /// What a browser is known by after a sign-in.
    Device,
}

impl TokenKind {
    pub const fn prefix(self) -> &'static str {
        match self {
            TokenKind::Session => "wfs_",
            TokenKind::ApiKey => "wfk_",
            TokenKind::Link => "wfl_",
            TokenKind::Webhook => "wfh_",
            TokenKind::Device => "wfd_",
        }
    }
}

/// The text to show once.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretToken(String);

impl SecretToken {
    pub fn new(kind: TokenKind, random: &dyn Random) -> Self {
        let mut bytes = [0; 32];
        random.fill(&mut bytes);
        let mut text = String::with_capacity(68);
        text.push_str(kind.prefix());
        for byte in bytes {
            for digit in [byte >> 4, byte & 15] {
                text.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
            }
        }
        Self(text)
    }

    /// Accepts only what [`SecretToken::new`] could have made, so that nothing else is ever looked up.
    pub fn parse(kind: TokenKind, text: &str) -> Option<Self> {
        let digits = text.strip_prefix(kind.prefix())?;
        let fits = digits.len() == 64 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        fits.then(|| Self(text.to_owned()))
    }

    /// A token given again from a sealed answer.
    pub fn reveal(bytes: Vec<u8>) -> Option<Self> {
        String::from_utf8(bytes).ok().map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

/// A token never reaches a log.
impl std::fmt::Debug for SecretToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting;
    impl Random for Counting {
        fn fill(&self, bytes: &mut [u8]) {
            for (at, byte) in bytes.iter_mut().enumerate() {
                *byte = u8::try_from(at).unwrap_or(0);
            }
        }
    }

    #[test]
    fn only_what_we_made_is_looked_up() {
        let token = SecretToken::new(TokenKind::Session, &Counting);
        assert!(token.as_str().starts_with("wfs_000102"));
        assert_eq!(SecretToken::parse(TokenKind::Session, token.as_str()), Some(token.clone()));
        for text in ["", "wfs_", "wfk_00", &token.as_str()[..67], &token.as_str().to_uppercase()] {
            assert_eq!(SecretToken::parse(TokenKind::Session, text), None, "{text}");
        }
        assert_eq!(SecretToken::parse(TokenKind::ApiKey, token.as_str()), None, "a session is no key");
        assert_eq!(format!("{token:?}"), "Token(…)");
    }
}
