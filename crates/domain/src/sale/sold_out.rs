//! The local sold-out flag: "nothing is left" without asking the ledger, and never for longer than it is true.
//!
//! A flag is believed for a moment only, [`KEEP_MS`]. After that one of those who ask looks at the ledger, while the others
//! are still answered from the flag; so units that come back by a way nobody told us of, an expired hold or a pool changed
//! by hand, are seen as soon as somebody wants one. Ways that are told of (a restock, a cancelled order) clear it at once and
//! raise its *version*: a look that began before says nothing about what came after. Whether something did come, one of the
//! next who ask looks, and nobody is kept from trying meanwhile.
//!
//! Deliberately absent: how many are left. The ledger knows, and only the ledger decides.

use crate::time::Timestamp;

/// How long "nothing is left" is believed.
pub const KEEP_MS: i64 = 100;
/// How long one who looks keeps others from looking.
const LOOK_MS: i64 = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SoldOutFlag {
    version: u64,
    /// When nothing was seen to be left.
    gone: Option<Timestamp>,
    /// Somebody looks, since then.
    looking: Option<Timestamp>,
    /// It was cleared, and nobody has looked since.
    doubtful: bool,
}

/// What somebody who wants a unit is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoldOutAdvice {
    /// Nothing is known; the ledger decides.
    Unknown,
    /// Nothing is left.
    Gone,
    /// Nothing was left a moment ago. Look, and tell what was seen under this version.
    Look { version: u64 },
}

impl SoldOutFlag {
    /// To be taken before the ledger is asked, and told with what it said.
    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn says(&mut self, now: Timestamp) -> SoldOutAdvice {
        if self.is_gone(now) {
            return SoldOutAdvice::Gone;
        }
        if self.gone.is_none() && (!self.doubtful || self.is_looked_at(now)) {
            return SoldOutAdvice::Unknown;
        }
        self.looking = Some(now);
        SoldOutAdvice::Look { version: self.version }
    }

    /// Whether whoever wants a unit would hear [`SoldOutAdvice::Gone`]. Asking this claims nothing: nobody is sent to look.
    pub fn is_gone(&self, now: Timestamp) -> bool {
        self.gone.is_some_and(|gone| self.is_looked_at(now) || within(gone, now, KEEP_MS))
    }

    fn is_looked_at(&self, now: Timestamp) -> bool {
        self.looking.is_some_and(|since| within(since, now, LOOK_MS))
    }

    /// So many units were free when the ledger was asked, at that version.
    pub fn seen(&mut self, version: u64, free: u64, now: Timestamp) {
        self.looking = None;
        let current = version == self.version;
        self.doubtful &= !current;
        self.gone = (free == 0 && current).then_some(now);
    }

    /// Units came back, or new ones came.
    pub fn returned(&mut self) {
        self.version += 1;
        self.doubtful |= self.gone.is_some();
        self.gone = None;
        self.looking = None;
    }
}

/// A clock that jumped, in either direction, makes nothing last longer.
fn within(since: Timestamp, now: Timestamp, ms: i64) -> bool {
    now.0.abs_diff(since.0) < ms.unsigned_abs()
}

#[cfg(test)]
mod rows {
    use super::*;

    enum Do {
        Ask(SoldOutAdvice),
        Seen(u64, u64),
        Returned,
    }
    use Do::{Ask, Returned, Seen};
    use SoldOutAdvice::{Gone, Look, Unknown};

    fn check(story: &str, rows: &[(i64, Do)]) {
        let mut flag = SoldOutFlag::default();
        for (row, (ms, step)) in rows.iter().enumerate() {
            let now = Timestamp(1_000_000 + ms);
            match step {
                Ask(expected) => assert_eq!(flag.says(now), *expected, "{story}, row {row}"),
                Seen(version, free) => flag.seen(*version, *free, now),
                Returned => flag.returned(),
            }
        }
    }

    #[test]
    fn the_flag() {
        check("nothing is known at first", &[(0, Ask(Unknown)), (9_999, Ask(Unknown))]);
        check("it answers for a moment", &[(0, Seen(0, 0)), (0, Ask(Gone)), (KEEP_MS - 1, Ask(Gone))]);
        check("what was not the last unit sets nothing", &[(0, Seen(0, 1)), (0, Ask(Unknown))]);
        check(
            "then one looks, and only one",
            &[
                (0, Seen(0, 0)),
                (KEEP_MS, Ask(Look { version: 0 })),
                (KEEP_MS, Ask(Gone)),
                (KEEP_MS + 50, Seen(0, 0)),
                (KEEP_MS + 60, Ask(Gone)),
                (2 * KEEP_MS + 50, Ask(Look { version: 0 })),
            ],
        );
        check(
            "units that came back unnoticed are found by the look",
            &[
                (0, Seen(0, 0)),
                (KEEP_MS, Ask(Look { version: 0 })),
                (KEEP_MS, Seen(0, 3)),
                (KEEP_MS, Ask(Unknown)),
            ],
        );
        check(
            "one who looks and never returns keeps nobody from looking for good",
            &[
                (0, Seen(0, 0)),
                (KEEP_MS, Ask(Look { version: 0 })),
                (KEEP_MS + LOOK_MS - 1, Ask(Gone)),
                (KEEP_MS + LOOK_MS, Ask(Look { version: 0 })),
            ],
        );
        check(
            "a restock clears it at once, and one looks whether there was one",
            &[
                (0, Seen(0, 0)),
                (1, Returned),
                (1, Ask(Look { version: 1 })),
                (1, Ask(Unknown)),
                (2, Seen(1, 3)),
                (2, Ask(Unknown)),
                (KEEP_MS, Ask(Unknown)),
            ],
        );
        check(
            "what was cleared for nothing is set again",
            &[(0, Seen(0, 0)), (1, Returned), (1, Ask(Look { version: 1 })), (2, Seen(1, 0)), (2, Ask(Gone))],
        );
        check(
            "what was asked before a restock says nothing about what came after",
            &[(0, Returned), (1, Seen(0, 0)), (1, Ask(Unknown)), (2, Seen(1, 0)), (2, Ask(Gone))],
        );
        check(
            "nor does a look that began before",
            &[
                (0, Seen(0, 0)),
                (KEEP_MS, Ask(Look { version: 0 })),
                (KEEP_MS, Returned),
                (KEEP_MS, Seen(0, 0)),
                (KEEP_MS, Ask(Look { version: 1 })),
                (KEEP_MS, Ask(Unknown)),
            ],
        );
        check(
            "a clock that jumps back makes it last no longer",
            &[(500_000, Seen(0, 0)), (0, Ask(Look { version: 0 }))],
        );
    }
}
