//! Who may follow whom. A block removes both edges and stops new ones, whoever made it.

use crate::Rejection;
use crate::ids::UserId;
use crate::rejection::MissingThing;

/// People that one person may have blocked.
pub const BLOCKS_MAX: u32 = 2_000;

/// Counts how often somebody began or ceased to follow. What was made of the follows of another version is of other follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FollowsVersion(pub i64);

impl FollowsVersion {
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// What is known of two people when one wants to follow the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeFacts {
    pub me: UserId,
    pub other: UserId,
    /// There is such a person: neither deleted nor banned.
    pub is_there: bool,
    pub blocked_by_me: bool,
    pub blocks_me: bool,
    /// People that I follow.
    pub following: i64,
    pub following_max: u32,
}

/// Passes a new edge. Whoever blocks me is not there for me.
pub fn may_follow(facts: &EdgeFacts) -> Result<(), Rejection> {
    check_other(facts.me, facts.other)?;
    if !facts.is_there || facts.blocks_me {
        return Err(Rejection::NotFound { what: MissingThing::User });
    }
    if facts.blocked_by_me {
        return Err(Rejection::BlockedByYou);
    }
    if facts.following >= i64::from(facts.following_max) {
        return Err(Rejection::FollowingFull { max: facts.following_max });
    }
    Ok(())
}

/// Nobody follows or blocks themselves.
pub fn check_other(me: UserId, other: UserId) -> Result<(), Rejection> {
    if me == other { Err(Rejection::Yourself) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_follow() {
        let fine = EdgeFacts {
            me: UserId(1),
            other: UserId(2),
            is_there: true,
            blocked_by_me: false,
            blocks_me: false,
            following: 4,
            following_max: 5,
        };
        for (facts, expected) in [
            (fine, "ok"),
            (EdgeFacts { other: UserId(1), ..fine }, "yourself"),
            (EdgeFacts { is_there: false, ..fine }, "not_found"),
            (EdgeFacts { blocks_me: true, ..fine }, "not_found"),
            (EdgeFacts { blocks_me: true, blocked_by_me: true, ..fine }, "not_found"),
            (EdgeFacts { blocked_by_me: true, ..fine }, "blocked_by_you"),
            (EdgeFacts { following: 5, ..fine }, "following_full"),
        ] {
            assert_eq!(may_follow(&facts).map_or_else(|no| no.code(), |()| "ok"), expected, "{facts:?}");
        }
    }
}
