//! When a prize is granted, as its card says.

use crate::time::{DAY_MS, MINUTE_MS, Timestamp};

/// The shortest time to claim something in.
pub const CLAIM_WITHIN_MS_MIN: i64 = MINUTE_MS;
/// The longest: three years, one of them a leap year.
pub const CLAIM_WITHIN_MS_MAX: i64 = 1_096 * DAY_MS;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grant {
    /// With the win.
    #[default]
    Now,
    /// Not before this moment; a win after it is granted at once.
    At(Timestamp),
    /// When an operator releases it.
    ByHand,
}

impl Grant {
    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Now => "now",
            Self::At(_) => "at",
            Self::ByHand => "by_hand",
        }
    }

    pub const fn at(self) -> Option<Timestamp> {
        match self {
            Self::At(at) => Some(at),
            Self::Now | Self::ByHand => None,
        }
    }

    /// From its name and its moment, which only one has.
    pub fn parse(name: &str, at: Option<Timestamp>) -> Option<Self> {
        match (name, at) {
            ("now", None) => Some(Self::Now),
            ("at", Some(at)) => Some(Self::At(at)),
            ("by_hand", None) => Some(Self::ByHand),
            _ => None,
        }
    }
}
