//! Voting for articles. Every post is an article; a vote is apart from a like, only goes up, and is final.
//!
//! The score is the second of publishing plus 432 for each vote: two hundred votes are worth a day. Its author is the first
//! voter. After seven days the score is frozen.

use crate::Rejection;
use crate::time::{DAY_MS, SECOND_MS, Timestamp};

/// A day of seconds over [`INTERESTING_VOTES`].
pub const VOTE_SECONDS: i64 = 432;
/// From so many votes on an article is marked interesting.
pub const INTERESTING_VOTES: i64 = 200;
pub const VOTING_DAYS: i64 = 7;

/// What the hot list is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArticleScore(pub i64);

impl ArticleScore {
    pub const fn of(published: Timestamp, votes: i64) -> Self {
        Self(published.0.div_euclid(SECOND_MS) + VOTE_SECONDS * votes)
    }
}

pub const fn is_interesting(votes: i64) -> bool {
    votes >= INTERESTING_VOTES
}

/// When voting for an article ends; a vote at that moment is too late.
pub const fn voting_ends(published: Timestamp) -> Timestamp {
    Timestamp(published.0.saturating_add(VOTING_DAYS * DAY_MS))
}

pub const fn check_vote(published: Timestamp, now: Timestamp) -> Result<(), Rejection> {
    if now.0 < voting_ends(published).0 { Ok(()) } else { Err(Rejection::VotingOver) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::HOUR_MS;

    const WEEK_MS: i64 = VOTING_DAYS * DAY_MS;

    #[test]
    fn two_hundred_votes_are_worth_a_day() {
        let score = |published, votes| ArticleScore::of(Timestamp(published), votes);
        assert_eq!(score(0, INTERESTING_VOTES), score(DAY_MS, 0));
        for (published, votes, expected) in [(0, 1, 432), (1_999, 1, 433), (-1, 0, -1), (DAY_MS, 2, 87_264)] {
            assert_eq!(score(published, votes).0, expected, "{published} {votes}");
        }
        assert_eq!([199, 200].map(is_interesting), [false, true]);
    }

    #[test]
    fn hole_62_the_deadline_is_a_moment() {
        for (published, now, passes) in [
            (0, 0, true),
            (0, WEEK_MS - 1, true),
            (0, WEEK_MS, false),
            (0, i64::MAX, false),
            (i64::MAX - 5, i64::MAX - 1, true),
            (5, 0, true),
        ] {
            assert_eq!(check_vote(Timestamp(published), Timestamp(now)).is_ok(), passes, "{published} {now}");
        }
    }

    /// A thousand posts a day for three days, fifty of each day interesting within hours: at every hour of the last day the
    /// fifty of the day before are among the first hundred.
    #[test]
    fn what_is_interesting_stays_on_top_for_a_day() {
        const A_DAY: i64 = 1_000;
        let published = |n: i64| Timestamp(n * DAY_MS / A_DAY);
        let is_one_of_fifty = |n: i64| n % 20 == 7;
        // Votes come evenly over the first six hours: 230 for what is interesting, 10 for the rest.
        let votes_at = |n: i64, now: Timestamp| {
            let all = if is_one_of_fifty(n) { 230 } else { 10 };
            1 + all * now.since_ms(published(n)).min(6 * HOUR_MS) / (6 * HOUR_MS)
        };
        for hour in 48..=72 {
            let now = Timestamp(hour * HOUR_MS);
            let mut hot: Vec<(ArticleScore, i64)> = (0..3 * A_DAY)
                .filter(|n| published(*n) <= now)
                .map(|n| (ArticleScore::of(published(n), votes_at(n, now)), n))
                .collect();
            hot.sort_unstable_by(|a, b| b.cmp(a));
            let top: Vec<i64> = hot.into_iter().take(100).map(|(_, n)| n).collect();
            let interesting_for = |n: &i64| {
                is_one_of_fifty(*n)
                    && is_interesting(votes_at(*n, now))
                    && now.since_ms(published(*n)) <= DAY_MS
            };
            for n in (0..3 * A_DAY).filter(|n| published(*n) <= now).filter(interesting_for) {
                assert!(top.contains(&n), "post {n} at hour {hour}");
            }
        }
    }
}
