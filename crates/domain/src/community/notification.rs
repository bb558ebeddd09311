//! Notifications: what somebody hears about what others, or the site, did to them.
//!
//! One is unique per (recipient, kind, actor, object), so that what is done again, such as a like taken back and given again,
//! is heard once. Pages show them in groups: everything of one kind about one thing.

use crate::ids::UserId;

/// How long a notification is kept.
pub const NOTIFICATION_DAYS: i64 = 90;
/// People and threads that one person mutes.
pub const MUTES_MAX: u32 = 1_000;

crate::names! {
    /// What happened. Each can be switched off by its recipient.
    pub enum NotificationKind {
        /// Somebody commented on my post or my page; the object is the comment.
        Comment = "comment",
        /// Somebody replied to my comment; the object is the reply.
        Reply = "reply",
        /// Somebody named me; the object is the post or the comment.
        Mention = "mention",
        /// Somebody liked my post or comment; the object is what they liked.
        Like = "like",
        Follow = "follow",
        /// I won something that is more than points or chances; the object is the win.
        Win = "win",
        /// A parcel of mine is on its way.
        Shipping = "shipping",
        /// A moderator judged what I wrote.
        Moderation = "moderation",
        /// Somebody began a conversation with me. What follows is counted as unread messages.
        Message = "message",
        /// Something that I wanted to be reminded of is about to start.
        Reminder = "reminder",
    }
}

crate::names! {
    /// What a group of notifications is about.
    pub enum NotificationSubject {
        Post = "post",
        Comment = "comment",
        Person = "person",
        Activity = "activity",
        Parcel = "parcel",
    }
}

crate::names! {
    /// What can be muted: everything from a person, or everything that is said in a thread.
    pub enum MuteSubject {
        Person = "person",
        Post = "post",
    }
}

/// What decides whether somebody hears of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotificationFacts {
    pub recipient: UserId,
    /// Nobody: the site itself.
    pub actor: Option<UserId>,
    /// The recipient's account was deleted.
    pub recipient_gone: bool,
    /// The recipient switched this kind off.
    pub switched_off: bool,
    /// The recipient muted the actor, or the thread.
    pub muted: bool,
    /// One of the two has blocked the other.
    pub blocked: bool,
}

/// Whether the recipient hears of it. Nobody hears of what they did themselves.
pub fn is_heard(facts: &NotificationFacts) -> bool {
    let NotificationFacts { recipient, actor, recipient_gone, switched_off, muted, blocked } = *facts;
    actor != Some(recipient) && !recipient_gone && !switched_off && !muted && !blocked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_does_not_want_to_hear_does_not() {
        let heard = NotificationFacts {
            recipient: UserId(1),
            actor: Some(UserId(2)),
            recipient_gone: false,
            switched_off: false,
            muted: false,
            blocked: false,
        };
        for (what, facts, expected) in [
            ("from another", heard, true),
            ("from the site", NotificationFacts { actor: None, ..heard }, true),
            ("from oneself", NotificationFacts { actor: Some(UserId(1)), ..heard }, false),
            ("by nobody any more", NotificationFacts { recipient_gone: true, ..heard }, false),
            ("switched off", NotificationFacts { switched_off: true, ..heard }, false),
            ("muted", NotificationFacts { muted: true, ..heard }, false),
            ("blocked", NotificationFacts { blocked: true, ..heard }, false),
        ] {
            assert_eq!(is_heard(&facts), expected, "{what}");
        }
    }
}
