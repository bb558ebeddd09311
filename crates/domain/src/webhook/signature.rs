//! How a receiver knows that a message is ours, and new.
//!
//! `t=<seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>`. While a secret is being replaced there is one `v1` for each, and
//! a receiver is content with either.

use std::fmt::Write as _;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

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

#[cfg(test)]
mod rows {
    use super::*;

    /// From `printf '%s' '1700000000.{"a":1}' | openssl dgst -sha256 -hmac secret`.
    const OLD: &str = "49f24e537407743fa4a0242bb63b94b9a47ee99cbbe071ccd8a22550ae411686";
    /// The same with `other`.
    const NEW: &str = "2cb38bd50b3aa61b12df512da616c9577f2a99edb9467110d361a655e1ad3bd5";

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
