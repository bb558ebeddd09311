//! A player's number in a round.
//!
//! Everything that is published about a round names its players by these numbers, and only by these: whoever was first
//! to take a ticket is player 1, the next one player 2. A number says nothing about an account, means nothing in any
//! other round, and still ties together all draws of one player, which is what a verifier needs. A player learns their
//! own from their receipts.

use std::fmt;
use std::num::NonZeroU32;

/// From 1 on, without a gap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerNumber(NonZeroU32);

impl PlayerNumber {
    pub const FIRST: Self = Self(NonZeroU32::MIN);

    /// `None` for 0.
    pub const fn new(number: u32) -> Option<Self> {
        match NonZeroU32::new(number) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    pub const fn number(self) -> u32 {
        self.0.get()
    }

    /// Whoever comes after the player who came last. A round has no room for four thousand million players.
    pub fn after(last: Option<Self>) -> Self {
        last.map_or(Self::FIRST, |Self(last)| Self(last.saturating_add(1)))
    }

    /// As it stands in what is published: eight bytes, as wide as an id.
    pub fn to_bytes(self) -> [u8; 8] {
        u64::from(self.number()).to_be_bytes()
    }

    /// `None` for what is no player's number.
    pub fn from_bytes(bytes: [u8; 8]) -> Option<Self> {
        u32::try_from(u64::from_be_bytes(bytes)).ok().and_then(Self::new)
    }
}

impl fmt::Debug for PlayerNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seat({})", self.0)
    }
}

impl fmt::Display for PlayerNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_at_one_and_keep_their_bytes() {
        assert_eq!(PlayerNumber::after(None), PlayerNumber::FIRST);
        assert_eq!(PlayerNumber::after(PlayerNumber::new(41)), PlayerNumber::new(42).unwrap());
        for number in [1, 2, 255, 256, u32::MAX] {
            let seat = PlayerNumber::new(number).unwrap();
            assert_eq!(PlayerNumber::from_bytes(seat.to_bytes()), Some(seat));
        }
        for none in [0, u64::from(u32::MAX) + 1, u64::MAX] {
            assert_eq!(PlayerNumber::from_bytes(none.to_be_bytes()), None, "{none}");
        }
    }
}
