//! A picture captcha as a signed question: for one user and one sale, for a short while.
//!
//! The challenge carries a keyed digest of its answer, so nothing is kept of a question until it is answered, and nobody
//! can try answers without asking. That it is answered once, rightly or wrongly, is for whoever takes the answer: the
//! *nonce* is what to remember. A challenge that is not ours is refused before that, so nobody fills that memory with
//! inventions.

use subtle::ConstantTimeEq;

use super::seal::{GateKey, SEAL_BYTES, Tag};
use crate::Rejection;
use crate::hex::{hex, unhex};
use crate::ids::{ActivityId, UserId};
use crate::time::{MINUTE_MS, Timestamp};

/// How long one has for a picture.
pub const CHALLENGE_LIFE_MS: i64 = 2 * MINUTE_MS;
/// Characters in a picture.
pub const ANSWER_LENGTH: usize = 4;
/// The longest answer that is read, in bytes; nobody types more by mistake.
const ANSWER_MAX: usize = 32;
const PREFIX: &str = "wfc_";
const NONCE_BYTES: usize = 16;
const BYTES: usize = 8 + NONCE_BYTES + 2 * SEAL_BYTES;

/// What an answered challenge is remembered by.
pub type Nonce = [u8; NONCE_BYTES];

/// A question that was asked here and may still be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge {
    pub expires: Timestamp,
    pub nonce: Nonce,
    proof: [u8; SEAL_BYTES],
}

impl Challenge {
    pub fn new(key: &GateKey, expires: Timestamp, nonce: Nonce, answer: &str) -> Self {
        Self { expires, nonce, proof: proof(key, &nonce, answer) }
    }

    /// The text to give to the user, beside the picture.
    pub fn text(&self, key: &GateKey, user: UserId, sale: ActivityId) -> String {
        let seal = key.seal(Tag::Challenge, &[user.0, sale.0, self.expires.0], &self.body());
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&self.expires.0.to_be_bytes());
        bytes[8..BYTES - SEAL_BYTES].copy_from_slice(&self.body());
        bytes[BYTES - SEAL_BYTES..].copy_from_slice(&seal);
        format!("{PREFIX}{}", hex(&bytes))
    }

    /// Whether a text is a question that was put to this user for this sale and has not run out.
    pub fn check(
        key: &GateKey,
        text: &str,
        (user, sale): (UserId, ActivityId),
        now: Timestamp,
    ) -> Result<Self, Rejection> {
        let digits = text.strip_prefix(PREFIX).ok_or(Rejection::CaptchaWrong)?;
        let bytes: [u8; BYTES] = unhex(digits).ok_or(Rejection::CaptchaWrong)?;
        let (mut expires, mut nonce) = ([0; 8], [0; NONCE_BYTES]);
        let (mut proof, mut seal) = ([0; SEAL_BYTES], [0; SEAL_BYTES]);
        expires.copy_from_slice(&bytes[..8]);
        nonce.copy_from_slice(&bytes[8..8 + NONCE_BYTES]);
        proof.copy_from_slice(&bytes[8 + NONCE_BYTES..BYTES - SEAL_BYTES]);
        seal.copy_from_slice(&bytes[BYTES - SEAL_BYTES..]);
        let challenge = Self { expires: Timestamp(i64::from_be_bytes(expires)), nonce, proof };
        let numbers = [user.0, sale.0, challenge.expires.0];
        if !key.is_seal(&seal, Tag::Challenge, &numbers, &challenge.body()) {
            return Err(Rejection::CaptchaWrong);
        }
        if now >= challenge.expires {
            return Err(Rejection::CaptchaExpired);
        }
        Ok(challenge)
    }

    /// Whether it is what the picture shows. Capital and small letters are the same to people, and so to us.
    pub fn is_answer(&self, key: &GateKey, answer: &str) -> bool {
        let fits = answer.len() <= ANSWER_MAX;
        fits && proof(key, &self.nonce, answer).ct_eq(&self.proof).into()
    }

    fn body(&self) -> [u8; NONCE_BYTES + SEAL_BYTES] {
        let mut body = [0; NONCE_BYTES + SEAL_BYTES];
        body[..NONCE_BYTES].copy_from_slice(&self.nonce);
        body[NONCE_BYTES..].copy_from_slice(&self.proof);
        body
    }
}

fn proof(key: &GateKey, nonce: &Nonce, answer: &str) -> [u8; SEAL_BYTES] {
    let mut rest = nonce.to_vec();
    rest.extend(answer.trim().bytes().map(|byte| byte.to_ascii_lowercase()));
    key.seal(Tag::Answer, &[], &rest)
}

#[cfg(test)]
mod rows {
    use super::*;

    const NOW: Timestamp = Timestamp(1_000_000);

    fn asked(key: &GateKey) -> (Challenge, String) {
        let challenge = Challenge::new(key, NOW + CHALLENGE_LIFE_MS, [9; 16], "aB3k");
        (challenge, challenge.text(key, UserId(7), ActivityId(40)))
    }

    /// Who shows it, for which sale, when, and what they hear.
    #[test]
    fn a_challenge_is_for_its_user_its_sale_and_its_while() {
        let key = GateKey::new(&[1; 32]);
        let (challenge, text) = asked(&key);
        for (user, sale, at, expected) in [
            (7, 40, 0, Ok(challenge)),
            (7, 40, CHALLENGE_LIFE_MS - 1, Ok(challenge)),
            (7, 40, CHALLENGE_LIFE_MS, Err(Rejection::CaptchaExpired)),
            (8, 40, 0, Err(Rejection::CaptchaWrong)),
            (7, 41, 0, Err(Rejection::CaptchaWrong)),
            (8, 40, CHALLENGE_LIFE_MS, Err(Rejection::CaptchaWrong)),
        ] {
            let shown = Challenge::check(&key, &text, (UserId(user), ActivityId(sale)), NOW + at);
            assert_eq!(shown, expected, "{user} {sale} {at}");
        }
    }

    #[test]
    fn only_what_the_picture_shows_is_the_answer() {
        let key = GateKey::new(&[1; 32]);
        let (challenge, _) = asked(&key);
        let long = "a".repeat(1_000_000);
        for (answer, right) in [
            ("aB3k", true),
            ("AB3K", true),
            (" ab3k ", true),
            ("ab3", false),
            ("ab3k1", false),
            ("", false),
            ("а" /* Cyrillic */, false),
            (&long, false),
        ] {
            assert_eq!(challenge.is_answer(&key, answer), right, "{}", &answer[..answer.len().min(9)]);
        }
    }

    #[test]
    fn whatever_is_changed_makes_it_nobodys() {
        let key = GateKey::new(&[1; 32]);
        let (_, text) = asked(&key);
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            let shown = Challenge::check(&key, &changed, (UserId(7), ActivityId(40)), NOW);
            assert_eq!(shown, Err(Rejection::CaptchaWrong), "{at}");
        }
        for text in ["", "wfc_", &text[..text.len() - 1]] {
            let shown = Challenge::check(&key, text, (UserId(7), ActivityId(40)), NOW);
            assert_eq!(shown, Err(Rejection::CaptchaWrong), "{text}");
        }
    }
}
