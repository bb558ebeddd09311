//! The session cookie: HttpOnly, SameSite=Lax, and behind TLS Secure with the `__Host-` prefix, so that no
//! sibling host can plant one.

use axum::http::{HeaderMap, HeaderValue, header};
use engine::tokens::{Token, TokenKind};

const PLAIN_NAME: &str = "windfall_session";
const SECURE_NAME: &str = "__Host-windfall_session";

fn name(secure: bool) -> &'static str {
    if secure { SECURE_NAME } else { PLAIN_NAME }
}

/// The session token in a request, if it is one.
pub fn session_token(headers: &HeaderMap, secure: bool) -> Option<Token> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name(secure))
        .and_then(|(_, value)| Token::parse(TokenKind::Session, value))
}

pub fn set(token: &Token, secure: bool, max_age_s: i64) -> HeaderValue {
    cookie(token.as_str(), secure, max_age_s)
}

pub fn clear(secure: bool) -> HeaderValue {
    cookie("", secure, 0)
}

fn cookie(value: &str, secure: bool, max_age_s: i64) -> HeaderValue {
    let secure_flag = if secure { "; Secure" } else { "" };
    let text =
        format!("{}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={max_age_s}{secure_flag}", name(secure));
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_read_again() {
        let text = format!("wfs_{}", "a".repeat(64));
        let token = Token::parse(TokenKind::Session, &text).unwrap();
        for secure in [false, true] {
            let set = set(&token, secure, 60);
            let set = set.to_str().unwrap();
            assert!(set.contains("HttpOnly; SameSite=Lax; Max-Age=60"), "{set}");
            assert_eq!(set.contains("Secure"), secure);
            let mut headers = HeaderMap::new();
            let sent = format!("a=b; {}; c=d", set.split(';').next().unwrap());
            headers.insert(header::COOKIE, sent.parse().unwrap());
            assert_eq!(session_token(&headers, secure), Some(token.clone()));
            assert_eq!(session_token(&headers, !secure), None, "the other name is another cookie");
        }
    }
}
