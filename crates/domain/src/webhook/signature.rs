//! How a receiver knows that a message is ours, and new.
//!
//! `t=<seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>`. While a secret is being replaced there is one `v1` for each, and
//! a receiver is content with either.

use std::fmt::Write as _;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// Secrets that sign one message at most: the current one and the one before.
pub const SIGNED_MAX: usize = 2;

/// The value of `Windfall-Signature`.
#[expect(clippy::missing_panics_doc, reason = "a key of any length is a key")]
pub fn sign(secrets: &[&str], seconds: i64, body: &[u8]) -> String {
    let mut text = format!("t={seconds}");
    for secret in secrets.iter().take(SIGNED_MAX) {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length is a key");
        mac.update(format!("{seconds}.").as_bytes());
        mac.update(body);
        text.push_str(",v1=");
        for byte in mac.finalize().into_bytes() {
            let _ = write!(text, "{byte:02x}");
        }
    }
    text
}

/// How old a signature may be, and how far ahead of our clock.
const AGE_S_MAX: i64 = 300;

/// Whether a text of the same form was made over the body with one of the secrets, within five minutes of `now_s`.
pub fn verify(secrets: &[&str], signature: &str, body: &[u8], now_s: i64) -> bool {
    let mut parts = signature.split(',').map(str::trim);
    let seconds = parts.next().and_then(|part| part.strip_prefix("t=")).and_then(|text| text.parse().ok());
    let Some(seconds) = seconds else { return false };
    if now_s.abs_diff(seconds) > AGE_S_MAX.unsigned_abs() {
        return false;
    }
    let given: Vec<&str> = parts.filter_map(|part| part.strip_prefix("v1=")).take(SIGNED_MAX).collect();
    secrets.iter().any(|secret| {
        let ours = sign(&[secret], seconds, body);
        let ours = ours.rsplit("v1=").next().unwrap_or_default();
        given.iter().any(|theirs| bool::from(ours.as_bytes().ct_eq(theirs.as_bytes())))
    })
}

crate::names! {
    /// Which way a message between Windfall and a payment provider goes. Both sign with the same secret, so the direction is
    /// signed with the body: what one side has sent is worth nothing when it is sent back.
    pub enum Direction {
        /// The provider tells of a payment.
        Callback = "callback",
        /// Windfall tells of a refund.
        Refund = "refund",
    }
}

impl Direction {
    /// The same form as [`sign`], over `<t>.<direction>.<body>`.
    pub fn sign(self, secret: &str, seconds: i64, body: &[u8]) -> String {
        sign(&[secret], seconds, &self.mark(body))
    }

    pub fn verify(self, secret: &str, signature: &str, body: &[u8], now_s: i64) -> bool {
        verify(&[secret], signature, &self.mark(body), now_s)
    }

    fn mark(self, body: &[u8]) -> Vec<u8> {
        [self.name().as_bytes(), b".", body].concat()
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    /// From `printf '%s' '1700000000.{"a":1}' | openssl dgst -sha256 -hmac secret`.
    const OLD: &str = "49f24e537407743fa4a0242bb63b94b9a47ee99cbbe071ccd8a22550ae411686";
    /// The same with `other`.
    const NEW: &str = "2cb38bd50b3aa61b12df512da616c9577f2a99edb9467110d361a655e1ad3bd5";

    #[test]
    fn a_signature_is_good_in_one_direction() {
        let (now, body) = (1_700_000_000, br#"{"a":1}"#);
        let all = [Direction::Callback, Direction::Refund];
        for signed in all {
            let signature = signed.sign("secret", now, body);
            for asked in all {
                assert_eq!(
                    asked.verify("secret", &signature, body, now),
                    asked == signed,
                    "{signed:?} {asked:?}"
                );
            }
            assert!(!verify(&["secret"], &signature, body, now), "nor as a webhook");
            assert!(!signed.verify("secret", &sign(&["secret"], now, body), body, now));
        }
    }

    #[test]
    fn a_signature_is_good_for_its_body_its_secret_and_a_while() {
        let (now, body) = (1_700_000_000, br#"{"a":1}"#);
        let good = format!("t={now},v1={OLD}");
        for (secrets, signature, at, passes) in [
            (&["secret"][..], good.clone(), now, true),
            (&["other", "secret"], good.clone(), now, true),
            (&["secret"], format!("t={now},v1={NEW},v1={OLD}"), now, true),
            (&["secret"], good.clone(), now + 300, true),
            (&["secret"], good.clone(), now + 301, false),
            (&["secret"], good.clone(), now - 301, false),
            (&["other"], good.clone(), now, false),
            (&[], good.clone(), now, false),
            (&["secret"], format!("t={now},v1={NEW}"), now, false),
            (&["secret"], format!("t={},v1={OLD}", now + 1), now, false),
            (&["secret"], format!("v1={OLD}"), now, false),
            (&["secret"], format!("t=x,v1={OLD}"), now, false),
            (&["secret"], String::new(), now, false),
        ] {
            assert_eq!(verify(secrets, &signature, body, at), passes, "{secrets:?} {signature} at {at}");
        }
        assert!(!verify(&["secret"], &good, br#"{"a":2}"#, now), "another body");
    }

    #[test]
    fn the_signature_is_pinned() {
        for (secrets, expected) in [
            (&["secret"][..], format!("t=1700000000,v1={OLD}")),
            (&["other", "secret"], format!("t=1700000000,v1={NEW},v1={OLD}")),
            (&["other", "secret", "third"], format!("t=1700000000,v1={NEW},v1={OLD}")),
        ] {
            assert_eq!(sign(secrets, 1_700_000_000, br#"{"a":1}"#), expected);
        }
    }
}
