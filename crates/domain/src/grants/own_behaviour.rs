//! What Windfall sees people do itself: kinds of behaviour that rules can be made for without anybody reporting them.

use super::behaviour::BehaviourKind;
use crate::community::Newcomer;
use crate::ids::UserId;
use crate::time::Timestamp;

crate::names! {
    /// A kind of behaviour that Windfall records itself.
    pub enum OwnBehaviour {
        CheckIn = "check_in",
        /// Of a post or a comment of somebody else.
        Like = "like",
        Follow = "follow",
        /// On a post of somebody else, on somebody's page, or on an activity.
        Comment = "comment",
        Post = "post",
        /// For a post of somebody else.
        Vote = "vote",
        /// Somebody whom they invited did something that counts for the first time.
        Invite = "invite",
    }
}

impl OwnBehaviour {
    pub fn kind(self) -> BehaviourKind {
        BehaviourKind::own(self.name())
    }

    /// The key of what somebody did to something: once ever.
    pub fn key(user: UserId, object: &str) -> String {
        format!("own:{user}:{object}")
    }
}

/// Whether an act towards others counts: not to what is one's own, and not while the account is new.
pub fn counts(actor: UserId, account: Newcomer, author: Option<UserId>, now: Timestamp) -> bool {
    author != Some(actor) && !account.is_new(now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grants::Behaviour;
    use crate::time::DAY_MS;

    #[test]
    fn every_own_kind_is_a_kind() {
        for own in OwnBehaviour::ALL {
            assert_eq!(BehaviourKind::parse("kind", own.name()), Ok(own.kind()));
        }
        let key = OwnBehaviour::key(UserId(i64::MAX), &format!("activity:{}", i64::MAX));
        let object = Some("activity:7");
        assert!(Behaviour::new(UserId(1), ("comment", &key, object), None, Timestamp(0)).is_ok(), "{key}");
    }

    #[test]
    fn an_act_counts_from_the_second_day_on_and_not_towards_oneself() {
        let (me, other) = (UserId(1), UserId(2));
        for (author, age_ms, expected) in [
            (Some(other), DAY_MS, true),
            (Some(other), DAY_MS - 1, false),
            (Some(me), DAY_MS, false),
            (None, DAY_MS, true),
            (None, 0, false),
        ] {
            let account = Newcomer { created: Timestamp(5), verified: true };
            assert_eq!(counts(me, account, author, Timestamp(5 + age_ms)), expected, "{author:?} {age_ms}");
        }
    }
}
