//! How a post reaches timelines: by a walk over the followers of its author, or over the timelines that are alive.

/// Whom a fan-out walks over; for each it asks whether they are the other too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FanOutWalk {
    /// The followers, by keyset: it goes on where it stopped.
    Followers,
    /// The timelines that are alive: where an author has far more followers than there are readers.
    Alive,
}

/// A look at whether somebody follows costs so many times a step from follower to follower.
const LOOK_COST: u64 = 4;

impl FanOutWalk {
    pub fn choose(followers: u64, alive: u64) -> Self {
        if alive.saturating_mul(LOOK_COST) < followers { Self::Alive } else { Self::Followers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_walk() {
        for (followers, alive, expected) in [
            (0, 0, FanOutWalk::Followers),
            (100, 50_000, FanOutWalk::Followers),
            (1_000_000, 50_000, FanOutWalk::Alive),
            (200_000, 50_000, FanOutWalk::Followers),
            (u64::MAX, u64::MAX, FanOutWalk::Followers),
        ] {
            assert_eq!(FanOutWalk::choose(followers, alive), expected, "{followers} {alive}");
        }
    }
}
