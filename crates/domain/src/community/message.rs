//! Private messages between two people: who may write to whom, and how much.

use super::edge::check_other;
use super::post::long_text;
use super::quota::Newcomer;
use crate::Rejection;
use crate::ids::UserId;
use crate::rejection::MissingThing;
use crate::time::Timestamp;

pub const MESSAGE_CHARS_MAX: usize = 2_000;
/// Conversations that one person may begin in a day of the site's zone; a new account may begin a tenth of it.
pub const CONVERSATIONS_DAILY_MAX: u32 = 10;
/// Messages on either side of a reported one that moderators see.
pub const DISCLOSED_EITHER_SIDE: i64 = 5;

/// What somebody writes to one other person: plain text, of several lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageText(String);

impl MessageText {
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        long_text("text", text, MESSAGE_CHARS_MAX).map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it leads elsewhere, as a reader understands it.
    pub fn has_links(&self) -> bool {
        super::comment::has_links(&self.0)
    }
}

/// What stands between two people before the next message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageFacts {
    pub me: UserId,
    pub other: UserId,
    /// The other one has an account that is neither banned nor deleted.
    pub is_there: bool,
    pub blocked_by_me: bool,
    pub blocks_me: bool,
    /// The other one follows me, and so is no stranger.
    pub follows_me: bool,
    /// Messages that I have sent in this conversation; nothing when there is none yet.
    pub sent: Option<i64>,
    /// The other one has written in it.
    pub is_answered: bool,
    /// Conversations that I began today.
    pub begun_today: i64,
}

/// Passes whoever may send one more message. A stranger sends one, and then waits for an answer.
pub fn may_send(facts: &MessageFacts, newcomer: Newcomer, now: Timestamp) -> Result<(), Rejection> {
    check_other(facts.me, facts.other)?;
    if !facts.is_there || facts.blocks_me {
        return Err(Rejection::NotFound { what: MissingThing::User });
    }
    if facts.blocked_by_me {
        return Err(Rejection::BlockedByYou);
    }
    match facts.sent {
        None => {
            let max = newcomer.share(CONVERSATIONS_DAILY_MAX, now);
            if facts.begun_today < i64::from(max) {
                Ok(())
            } else {
                Err(Rejection::ConversationsFull { max })
            }
        }
        Some(sent) if sent > 0 && !facts.is_answered && !facts.follows_me => Err(Rejection::AnswerAwaited),
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::DAY_MS;

    const NOW: Timestamp = Timestamp(100 * DAY_MS);

    #[test]
    fn a_stranger_sends_one_message_and_waits() {
        let old = Newcomer { created: Timestamp(0), verified: true };
        let new = Newcomer { created: NOW, verified: true };
        let first = MessageFacts {
            me: UserId(1),
            other: UserId(2),
            is_there: true,
            blocked_by_me: false,
            blocks_me: false,
            follows_me: false,
            sent: None,
            is_answered: false,
            begun_today: 0,
        };
        let more = MessageFacts { sent: Some(1), ..first };
        for (what, facts, who, expected) in [
            ("the first", first, old, "ok"),
            ("to oneself", MessageFacts { other: UserId(1), ..first }, old, "yourself"),
            ("to nobody", MessageFacts { is_there: false, ..first }, old, "not_found"),
            ("to whom they blocked", MessageFacts { blocked_by_me: true, ..first }, old, "blocked_by_you"),
            ("to who blocked them", MessageFacts { blocks_me: true, ..first }, old, "not_found"),
            ("the tenth of a day", MessageFacts { begun_today: 9, ..first }, old, "ok"),
            ("the eleventh", MessageFacts { begun_today: 10, ..first }, old, "conversations_full"),
            (
                "the second of a new account",
                MessageFacts { begun_today: 1, ..first },
                new,
                "conversations_full",
            ),
            ("a second to a stranger", more, old, "answer_awaited"),
            ("a second to a follower", MessageFacts { follows_me: true, ..more }, old, "ok"),
            ("a second after an answer", MessageFacts { is_answered: true, ..more }, old, "ok"),
            ("an answer", MessageFacts { sent: Some(0), is_answered: true, ..first }, old, "ok"),
            (
                "on a full day to somebody known",
                MessageFacts { begun_today: 10, is_answered: true, ..more },
                old,
                "ok",
            ),
        ] {
            let got = may_send(&facts, who, NOW).map_or_else(|no| no.code(), |()| "ok");
            assert_eq!(got, expected, "{what}");
        }
    }

    #[test]
    fn a_message_has_words_and_an_end() {
        assert_eq!(MessageText::parse(" hi ").unwrap().as_str(), " hi");
        assert!(MessageText::parse(&"a".repeat(MESSAGE_CHARS_MAX)).is_ok());
        for text in ["", " \n ", &"a".repeat(MESSAGE_CHARS_MAX + 1), "a\u{7}"] {
            assert_eq!(MessageText::parse(text).unwrap_err().code(), "invalid_field", "{text:?}");
        }
    }
}
