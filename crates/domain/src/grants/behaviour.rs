//! What somebody did.

use crate::Rejection;
use crate::account::name::short_text;
use crate::ids::UserId;
use crate::rejection::FieldProblem;
use crate::time::{DAY_MS, MINUTE_MS, Timestamp};

const KIND_MAX: usize = 40;
const KEY_MAX: usize = 64;
const OBJECT_MAX: usize = 64;
/// How long ago something may have happened that is told only now.
pub const BEHAVIOUR_AGE_MS_MAX: i64 = 366 * DAY_MS;
/// How far another clock may be ahead.
pub const BEHAVIOUR_AHEAD_MS_MAX: i64 = 5 * MINUTE_MS;

/// A short name such as `check_in`, `invite` or `task:first_post`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BehaviourKind(String);

impl BehaviourKind {
    pub fn parse(field: &str, text: &str) -> Result<Self, Rejection> {
        let word = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_lowercase())
                && word
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-'))
        };
        let (head, rest) = text.split_once(':').map_or((text, None), |(head, rest)| (head, Some(rest)));
        if text.len() <= KIND_MAX && word(head) && rest.is_none_or(word) {
            return Ok(Self(text.to_owned()));
        }
        Err(Rejection::invalid(
            field,
            FieldProblem::Expected {
                en: "a name such as check_in or task:first_post, of 40 characters at most",
                zh: "类似 check_in 或 task:first_post 的名称，最多 40 个字符",
            },
        ))
    }

    /// A kind of Windfall's own.
    pub(super) fn own(name: &str) -> Self {
        Self(name.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Something that happened. Among those of its kind the key names it for good: the same again is no news.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behaviour {
    pub user: UserId,
    pub kind: BehaviourKind,
    pub key: String,
    /// What it was done to: an order, a post, a friend.
    pub object: Option<String>,
    pub at: Timestamp,
    /// The date that it counts for (yyyymmdd), where that is fixed; else that of the moment in the rule's zone.
    pub day: Option<i64>,
}

impl Behaviour {
    /// `at` is when it happened, if that was said; `now` otherwise, and what it is judged by.
    pub fn new(
        user: UserId,
        (kind, key, object): (&str, &str, Option<&str>),
        at: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Self, Rejection> {
        let kind = BehaviourKind::parse("kind", kind)?;
        let (key, object) = (
            exactly("id", key, KEY_MAX)?,
            object.map(|object| exactly("object", object, OBJECT_MAX)).transpose()?,
        );
        let (min, max) = (now - BEHAVIOUR_AGE_MS_MAX, now + BEHAVIOUR_AHEAD_MS_MAX);
        let at = at.unwrap_or(now);
        if !(min..=max).contains(&at) {
            return Err(Rejection::invalid("at_ms", FieldProblem::MomentOutOfRange { min, max }));
        }
        Ok(Self { user, kind, key, object, at, day: None })
    }
}

/// Taken as it is: two ids that differ are two things.
fn exactly(field: &str, text: &str, max: usize) -> Result<String, Rejection> {
    let kept = short_text(field, text, 1, max)?;
    if kept == text { Ok(kept) } else { Err(Rejection::invalid(field, FieldProblem::Malformed)) }
}
