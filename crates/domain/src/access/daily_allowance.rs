//! What one person may give out in a day alone (points, chances, pieces, refunds); more needs a second person.
//!
//! Keys have no day of their own: what a key does counts for the person who made it.

use crate::Rejection;

/// The day, as a number that each has its own of, and how much may move in it, either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DailyAllowance {
    pub day: i64,
    pub max: i64,
}

impl DailyAllowance {
    /// Whether so many more may move after those of the day so far.
    pub fn allows(self, so_far: i64, more: i64) -> bool {
        so_far.checked_add(more).is_some_and(|sum| sum <= self.max)
    }
}

/// What all keys of one person may do in a day; people in person may do any amount of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyCaps {
    pub stops: DailyAllowance,
    pub bars: DailyAllowance,
}

/// What is put out by hand and counts for the day of whoever does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handout {
    Chances(i64),
    /// Of an offer of the shop, or of a prize: nobody here knows what one is worth.
    Pieces(i64),
    /// Something that players have is stopped, by a key: many of these are the halt, which is for people.
    Stop,
    /// So many people are kept out by a key: banned, signed out or put on a block list.
    Bar(i64),
}

impl Handout {
    pub const fn amount(self) -> i64 {
        match self {
            Self::Chances(amount) | Self::Pieces(amount) | Self::Bar(amount) => amount,
            Self::Stop => 1,
        }
    }

    /// What its day is kept under.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chances(_) => "chances",
            Self::Pieces(_) => "pieces",
            Self::Stop => "key_stops",
            Self::Bar(_) => "key_bars",
        }
    }

    /// One person alone may not.
    pub const fn too_much(self, max: i64) -> Rejection {
        match self {
            Self::Chances(_) => Rejection::ChancesAloneMax { max },
            Self::Pieces(_) => Rejection::PiecesAloneMax { max },
            Self::Stop => Rejection::KeyStopsMax { max },
            Self::Bar(_) => Rejection::KeyBarsMax { max },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_the_day_counts() {
        let alone = DailyAllowance { day: 20_261_115, max: 10_000 };
        for (so_far, more, allowed) in [
            (0, 1, true),
            (0, 10_000, true),
            (0, 10_001, false),
            (9_999, 1, true),
            (9_999, 2, false),
            (10_000, 0, true),
            (10_000, 1, false),
            (i64::MAX, 1, false),
        ] {
            assert_eq!(alone.allows(so_far, more), allowed, "{so_far} {more}");
        }
    }
}
