//! The cookies of the session, of the device and of the visitor: HttpOnly, SameSite=Lax, and behind TLS Secure with the `__Host-` prefix, so that no
//! sibling host can plant one.

use axum::http::{HeaderMap, HeaderValue, header};
use domain::account::DEVICE_LIFE_MS;
use domain::time::SECOND_MS;
use engine::people::tokens::{SecretToken, TokenKind};

const PLAIN_NAME: &str = "windfall_session";
const SECURE_NAME: &str = "__Host-windfall_session";

/// By what a browser is known after a sign-in. It says who nobody is and opens nothing, so either name will do.
const PLAIN_DEVICE: &str = "windfall_device";
const SECURE_DEVICE: &str = "__Host-windfall_device";

/// By what a visitor is counted once. It names nobody and opens nothing; behind TLS it has the prefix, so that no sibling host
/// can count for this one.
const PLAIN_VISITOR: &str = "windfall_visitor";
const SECURE_VISITOR: &str = "__Host-windfall_visitor";
/// As long as browsers keep a cookie at most.
const VISITOR_LIFE_S: i64 = 400 * 24 * 60 * 60;

pub fn name(secure: bool) -> &'static str {
    if secure { SECURE_NAME } else { PLAIN_NAME }
}

/// The session token in a request, if it is one.
pub fn session_token(headers: &HeaderMap, secure: bool) -> Option<SecretToken> {
    values(headers)
        .find(|(key, _)| *key == name(secure))
        .and_then(|(_, value)| SecretToken::parse(TokenKind::Session, value))
}

/// The device token in a request, if there is one.
pub fn device_token(headers: &HeaderMap) -> Option<SecretToken> {
    values(headers)
        .find(|(key, _)| [PLAIN_DEVICE, SECURE_DEVICE].contains(key))
        .and_then(|(_, value)| SecretToken::parse(TokenKind::Device, value))
}

/// The visitor's cookie in a request, as it was sent.
pub fn visitor(headers: &HeaderMap, secure: bool) -> Option<&str> {
    values(headers).find(|(key, _)| *key == visitor_name(secure)).map(|(_, value)| value)
}

const fn visitor_name(secure: bool) -> &'static str {
    if secure { SECURE_VISITOR } else { PLAIN_VISITOR }
}

fn values(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
}

pub fn set(token: &SecretToken, secure: bool, max_age_s: i64) -> HeaderValue {
    cookie(name(secure), token.as_str(), secure, max_age_s)
}

pub fn set_device(token: &SecretToken, secure: bool) -> HeaderValue {
    let name = if secure { SECURE_DEVICE } else { PLAIN_DEVICE };
    cookie(name, token.as_str(), secure, DEVICE_LIFE_MS / SECOND_MS)
}

pub fn set_visitor(value: &str, secure: bool) -> HeaderValue {
    cookie(visitor_name(secure), value, secure, VISITOR_LIFE_S)
}

pub fn clear(secure: bool) -> HeaderValue {
    cookie(name(secure), "", secure, 0)
}

fn cookie(name: &str, value: &str, secure: bool, max_age_s: i64) -> HeaderValue {
    let secure_flag = if secure { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={max_age_s}{secure_flag}");
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitors_cookie_is_read_under_its_own_name() {
        for (secure, prefix) in [(false, "windfall_visitor="), (true, "__Host-windfall_visitor=")] {
            let set = set_visitor("abc", secure);
            let set = set.to_str().unwrap();
            assert!(set.starts_with(prefix), "{set}");
            assert!(set.contains("; Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000"), "{set}");
            assert_eq!(set.ends_with("; Secure"), secure);
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, set.split(';').next().unwrap().parse().unwrap());
            assert_eq!((visitor(&headers, secure), visitor(&headers, !secure)), (Some("abc"), None));
        }
    }

    #[test]
    fn what_is_set_is_read_again() {
        let text = format!("wfs_{}", "a".repeat(64));
        let token = SecretToken::parse(TokenKind::Session, &text).unwrap();
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
