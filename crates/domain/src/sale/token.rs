//! The purchase token: the right of one user to one try at one sale, for a short while.
//!
//! It is given only after the start, so nobody can know it earlier; it is worth nothing to anybody else, in any other sale,
//! or in the next round of the same one. Nothing is kept of a token until it is used: it says itself when it ends, and the
//! seal covers that, the user, the sale and the round. That it is used once is for whoever takes it: [`TokenId`] is what
//! to remember, until [`GateToken::expires`].
//!
//! Two that one user asks for in the same millisecond are the same token, and one attempt. They need not differ: one person
//! has one attempt under way at a sale, so nobody could use both at once; and whoever finds theirs spent asks again, a
//! millisecond later, and has another. So a token needs neither a counter nor randomness, and asking again during one's
//! turn in a waiting room gives the token one has.

use super::seal::{GateKey, SEAL_BYTES, Tag};
use crate::Rejection;
use crate::hex::{hex, unhex};
use crate::ids::{ActivityId, UserId};
use crate::time::{MINUTE_MS, Timestamp};

/// How long a token is good for.
pub const TOKEN_LIFE_MS: i64 = 2 * MINUTE_MS;
/// What a token begins with, so that one that leaked is recognised.
const PREFIX: &str = "wft_";
const BYTES: usize = 4 + 8 + SEAL_BYTES;

/// What a used token is remembered by.
pub type TokenId = [u8; SEAL_BYTES];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateToken {
    pub user: UserId,
    pub sale: ActivityId,
    pub round: u32,
    pub expires: Timestamp,
}

impl GateToken {
    /// The text to give to the user. The same token is always the same text.
    pub fn text(&self, key: &GateKey) -> String {
        let mut bytes = [0; BYTES];
        bytes[..4].copy_from_slice(&self.round.to_be_bytes());
        bytes[4..12].copy_from_slice(&self.expires.0.to_be_bytes());
        bytes[12..].copy_from_slice(&key.seal(Tag::Token, &self.numbers(), &[]));
        format!("{PREFIX}{}", hex(&bytes))
    }

    /// Whether a text is this user's token for this round of this sale, now; and what it is to be remembered by.
    pub fn check(
        key: &GateKey,
        text: &str,
        (user, sale, round): (UserId, ActivityId, u32),
        now: Timestamp,
    ) -> Result<(Self, TokenId), Rejection> {
        let digits = text.strip_prefix(PREFIX).ok_or(Rejection::TokenWrong)?;
        let bytes: [u8; BYTES] = unhex(digits).ok_or(Rejection::TokenWrong)?;
        let (head, id): (&[u8; 12], &[u8; SEAL_BYTES]) = bytes
            .split_first_chunk()
            .and_then(|(head, rest)| Some((head, rest.as_array()?)))
            .ok_or(Rejection::TokenWrong)?;
        let (mut given, mut expires) = ([0; 4], [0; 8]);
        given.copy_from_slice(&head[..4]);
        expires.copy_from_slice(&head[4..]);
        let expires = Timestamp(i64::from_be_bytes(expires));
        let token = Self { user, sale, round: u32::from_be_bytes(given), expires };
        if !key.is_seal(id, Tag::Token, &token.numbers(), &[]) {
            return Err(Rejection::TokenWrong);
        }
        // A token of an earlier round is as good as one that has run out: its holder asks for another.
        if now >= expires || token.round != round {
            return Err(Rejection::TokenExpired);
        }
        Ok((token, *id))
    }

    fn numbers(&self) -> [i64; 4] {
        [self.user.0, self.sale.0, i64::from(self.round), self.expires.0]
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    const NOW: Timestamp = Timestamp(1_000_000);

    fn token() -> GateToken {
        GateToken { user: UserId(7), sale: ActivityId(40), round: 2, expires: NOW + TOKEN_LIFE_MS }
    }

    /// Who shows it, for which round of which sale, when, and what they hear.
    #[test]
    fn a_token_is_good_for_its_user_its_sale_its_round_and_its_while() {
        let key = GateKey::new(&[1; 32]);
        let text = token().text(&key);
        for (user, sale, round, at, expected) in [
            (7, 40, 2, 0, Ok(())),
            (7, 40, 2, TOKEN_LIFE_MS - 1, Ok(())),
            (7, 40, 2, TOKEN_LIFE_MS, Err(Rejection::TokenExpired)),
            (7, 40, 3, 0, Err(Rejection::TokenExpired)),
            (7, 40, 1, 0, Err(Rejection::TokenExpired)),
            (8, 40, 2, 0, Err(Rejection::TokenWrong)),
            (7, 41, 2, 0, Err(Rejection::TokenWrong)),
            (40, 7, 2, 0, Err(Rejection::TokenWrong)),
            // Whose it is comes first: nobody learns when another's ends.
            (8, 40, 2, TOKEN_LIFE_MS, Err(Rejection::TokenWrong)),
        ] {
            let shown = GateToken::check(&key, &text, (UserId(user), ActivityId(sale), round), NOW + at);
            assert_eq!(shown.map(|_| ()), expected, "{user} {sale} {round} {at}");
        }
        assert_eq!(GateToken::check(&key, &text, (UserId(7), ActivityId(40), 2), NOW).unwrap().0, token());
    }

    #[test]
    fn whatever_is_changed_makes_it_nobodys() {
        let key = GateKey::new(&[1; 32]);
        let text = token().text(&key);
        let who = (UserId(7), ActivityId(40), 2);
        for at in PREFIX.len()..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(GateToken::check(&key, &changed, who, NOW), Err(Rejection::TokenWrong), "{at}");
        }
        let other = GateKey::new(&[2; 32]);
        for (key, text) in [
            (&other, &*text),
            (&key, ""),
            (&key, "wft_"),
            (&key, &text[4..]),
            (&key, &text[..text.len() - 2]),
            (&key, &format!("{text}00")),
            (&key, &text.replace("wft_", "wfc_")),
            (&key, &"é".repeat(32)),
        ] {
            assert_eq!(GateToken::check(key, text, who, NOW), Err(Rejection::TokenWrong), "{text}");
        }
    }

    #[test]
    fn tokens_that_differ_are_remembered_apart() {
        let key = GateKey::new(&[1; 32]);
        let later = GateToken { expires: token().expires + 1, ..token() };
        let id = |token: GateToken| {
            GateToken::check(&key, &token.text(&key), (token.user, token.sale, token.round), NOW).unwrap().1
        };
        assert_ne!(id(token()), id(later));
        assert_eq!(id(token()), id(token()));
    }
}
