//! How much one person may do in a day of the site's zone. In its first 24 hours an account may do a tenth of it, and
//! leaves no links.

use crate::Rejection;
use crate::time::{DAY_MS, Timestamp};

crate::names! {
    /// What is counted by the day.
    pub enum DailyAct {
        Post = "post",
        Comment = "comment",
        Like = "like",
        Follow = "follow",
        /// Of one's own posts. Each keeps what it replaced.
        Edit = "edit",
    }
}

/// How often each may be done in a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DailyCaps {
    pub posts: u32,
    pub comments: u32,
    pub likes: u32,
    pub follows: u32,
}

/// Edits in a day for each post that may be published in it.
pub const EDITS_PER_POST: u32 = 10;

impl DailyCaps {
    pub const fn of(self, act: DailyAct) -> u32 {
        match act {
            DailyAct::Post => self.posts,
            DailyAct::Comment => self.comments,
            DailyAct::Like => self.likes,
            DailyAct::Follow => self.follows,
            DailyAct::Edit => self.posts.saturating_mul(EDITS_PER_POST),
        }
    }
}

/// How long an account is new.
pub const NEW_ACCOUNT_MS: i64 = DAY_MS;
/// The share of a day's cap that a new account has.
const NEW_ACCOUNT_SHARE: u32 = 10;

/// Who writes: what decides how much they may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newcomer {
    pub created: Timestamp,
    /// They proved a phone, or a company's key speaks for them. Whoever has neither only reads.
    pub verified: bool,
}

impl Newcomer {
    pub const fn is_new(self, now: Timestamp) -> bool {
        now.0 < self.created.0.saturating_add(NEW_ACCOUNT_MS)
    }

    /// How much of a day's cap they have.
    pub const fn share(self, whole: u32, now: Timestamp) -> u32 {
        if self.is_new(now) { whole.div_ceil(NEW_ACCOUNT_SHARE) } else { whole }
    }

    /// Passes whoever may do this once more after `done` times today.
    pub fn check(self, act: DailyAct, caps: DailyCaps, done: i64, now: Timestamp) -> Result<(), Rejection> {
        if !self.verified {
            return Err(Rejection::PhoneNeeded);
        }
        let max = self.share(caps.of(act), now);
        if done < i64::from(max) { Ok(()) } else { Err(Rejection::DailyCap { max }) }
    }

    /// Passes a text with links of whoever may leave them.
    pub const fn check_links(self, now: Timestamp) -> Result<(), Rejection> {
        if self.is_new(now) {
            let from = Timestamp(self.created.0.saturating_add(NEW_ACCOUNT_MS));
            return Err(Rejection::LinksTooSoon { from });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAPS: DailyCaps = DailyCaps { posts: 20, comments: 300, likes: 1_000, follows: 5 };

    #[test]
    fn a_day_has_an_end_and_the_first_one_comes_sooner() {
        for (verified, age_ms, act, done, expected) in [
            (true, DAY_MS, DailyAct::Post, 19, "ok"),
            (true, DAY_MS, DailyAct::Post, 20, "daily_cap"),
            (true, DAY_MS - 1, DailyAct::Post, 1, "ok"),
            (true, DAY_MS - 1, DailyAct::Post, 2, "daily_cap"),
            (true, 0, DailyAct::Like, 99, "ok"),
            (true, 0, DailyAct::Like, 100, "daily_cap"),
            // A tenth of a little is still one.
            (true, 0, DailyAct::Follow, 0, "ok"),
            (true, 0, DailyAct::Follow, 1, "daily_cap"),
            (true, DAY_MS, DailyAct::Comment, 299, "ok"),
            (true, DAY_MS, DailyAct::Edit, 199, "ok"),
            (true, DAY_MS, DailyAct::Edit, 200, "daily_cap"),
            (true, 0, DailyAct::Edit, 20, "daily_cap"),
            (false, DAY_MS, DailyAct::Like, 0, "phone_needed"),
        ] {
            let who = Newcomer { created: Timestamp(7), verified };
            let said =
                who.check(act, CAPS, done, Timestamp(7 + age_ms)).map_or_else(|no| no.code(), |()| "ok");
            assert_eq!(said, expected, "{age_ms} {act:?} {done}");
        }
    }

    #[test]
    fn a_new_account_leaves_no_links() {
        let who = Newcomer { created: Timestamp(0), verified: true };
        assert_eq!(
            who.check_links(Timestamp(DAY_MS - 1)),
            Err(Rejection::LinksTooSoon { from: Timestamp(DAY_MS) })
        );
        assert_eq!(who.check_links(Timestamp(DAY_MS)), Ok(()));
    }
}
