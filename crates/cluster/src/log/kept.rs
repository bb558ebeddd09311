//! Positions that are kept outside the log, and whether the log still has what they stand for.

use domain::ledger::BlockDigest;
use ledger::LogError;

/// A position that somebody kept: the projection, a follower, a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptPosition {
    /// Who kept it, for messages.
    pub keeper: &'static str,
    pub seq: u64,
    pub term: u32,
    /// Of the block that holds the event, if it was kept.
    pub digest: Option<BlockDigest>,
}

/// What the log says about the number of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoggedPlace {
    /// The log ends before it.
    Beyond,
    /// It lies before the first block that the log still has.
    Dropped,
    Block {
        term: u32,
        digest: BlockDigest,
    },
}

impl KeptPosition {
    /// Passes if the log has what the position stands for. What was dropped was projected, and the margin with it.
    pub(super) fn check(&self, place: LoggedPlace) -> Result<(), LogError> {
        let same = match place {
            LoggedPlace::Beyond => self.seq == 0,
            LoggedPlace::Dropped => true,
            LoggedPlace::Block { term, digest } => {
                term == self.term && self.digest.is_none_or(|kept| kept == digest)
            }
        };
        if same {
            return Ok(());
        }
        Err(LogError::Rewound { keeper: self.keeper, seq: self.seq, term: self.term })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_has_something_else_was_rewound() {
        let (one, other) = (BlockDigest([1; 32]), BlockDigest([2; 32]));
        let block = |term, digest| LoggedPlace::Block { term, digest };
        for (seq, digest, place, expected) in [
            (0, None, LoggedPlace::Beyond, true),
            (5, None, LoggedPlace::Beyond, false),
            (5, None, LoggedPlace::Dropped, true),
            (5, None, block(3, one), true),
            (5, None, block(4, one), false),
            (5, Some(one), block(3, one), true),
            (5, Some(one), block(3, other), false),
            (5, Some(one), block(2, one), false),
        ] {
            let kept = KeptPosition { keeper: "the projection", seq, term: 3, digest };
            let told = kept.check(place);
            assert_eq!(told.is_ok(), expected, "{kept:?} {place:?}");
            assert!(told.is_ok() || matches!(told, Err(LogError::Rewound { seq: 5, term: 3, .. })));
        }
    }
}
