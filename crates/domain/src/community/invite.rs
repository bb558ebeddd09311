//! Invitations: a code that leads to whoever invites, and when somebody can still say who invited them.
//!
//! One level only: an invitation is worth something to the one who invited, and to nobody behind them.

use std::fmt;

use crate::Rejection;
use crate::rejection::MissingThing;
use crate::time::{DAY_MS, Timestamp};

/// How long after its account was made somebody can say who invited them.
pub const INVITE_ACCEPT_MS: i64 = 7 * DAY_MS;
/// Letters of a code.
pub const INVITE_CODE_LEN: usize = 8;
/// Nothing that is mistaken for something else when it is read aloud.
const LETTERS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// The code of one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteCode(String);

impl InviteCode {
    /// From random bytes.
    pub fn from_bytes(bytes: [u8; INVITE_CODE_LEN]) -> Self {
        Self(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
    }

    /// As somebody typed it. What cannot be a code is nobody's.
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        let code = text.trim().to_ascii_uppercase();
        if code.len() == INVITE_CODE_LEN && code.bytes().all(|byte| LETTERS.contains(&byte)) {
            return Ok(Self(code));
        }
        Err(Rejection::NotFound { what: MissingThing::Invite })
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for InviteCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is known of somebody who says that they were invited.
#[derive(Clone, Copy, Debug)]
pub struct InviteeFacts {
    pub created: Timestamp,
    /// When the account of whoever invited them was made.
    pub inviter_created: Timestamp,
    /// The account was deleted and came back, or its phone was invited before.
    pub is_known: bool,
}

/// Passes a new account of a phone that nobody invited before, and that was not here before the one who invited. So no two
/// people invite each other.
pub fn check_invitee(facts: InviteeFacts, now: Timestamp) -> Result<(), Rejection> {
    if facts.is_known || facts.created < facts.inviter_created {
        return Err(Rejection::InviteKnown);
    }
    if now.since_ms(facts.created) >= INVITE_ACCEPT_MS {
        return Err(Rejection::InviteLate { days: 7 });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_people_type_them() {
        let code = InviteCode::from_bytes([0, 31, 32, 63, 255, 7, 8, 9]);
        assert_eq!(code.as_str(), "2Z2ZZ9AB");
        assert_eq!(InviteCode::parse(" 2z2zz9ab "), Ok(code));
        for text in ["", "2Z2ZZ9A", "2Z2ZZ9ABC", "2Z2ZZ9A0", "2Z2ZZ9AI", "2Z2ZZ9Aé"] {
            assert!(InviteCode::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_invitation_is_for_new_accounts_of_new_phones() {
        for (age_ms, inviter_created, is_known, expected) in [
            (0, 5, false, "ok"),
            (0, 0, false, "ok"),
            (0, 6, false, "invite_known"),
            (INVITE_ACCEPT_MS - 1, 5, false, "ok"),
            (INVITE_ACCEPT_MS, 5, false, "invite_late"),
            (0, 5, true, "invite_known"),
        ] {
            let inviter_created = Timestamp(inviter_created);
            let facts = InviteeFacts { created: Timestamp(5), inviter_created, is_known };
            let said = check_invitee(facts, Timestamp(5 + age_ms)).map_or_else(|no| no.code(), |()| "ok");
            assert_eq!(said, expected, "{age_ms} {inviter_created:?} {is_known}");
        }
    }
}
