//! What one person may give out in a day alone (points, chances, refunds); more needs a second person.
//!
//! Keys have no day of their own: what a key does counts for the person who made it.

/// The day, as a number that each has its own of, and how much may move in it, either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alone {
    pub day: i64,
    pub max: i64,
}

impl Alone {
    /// Whether so many more may move after those of the day so far.
    pub fn allows(self, so_far: i64, more: i64) -> bool {
        so_far.checked_add(more).is_some_and(|sum| sum <= self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_the_day_counts() {
        let alone = Alone { day: 20_261_115, max: 10_000 };
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
