//! Comments: a tree with a depth, on posts, activities and people.
//!
//! A reply to a comment at the greatest depth is put beside it, and still names whom it replies to. A comment that cannot be
//! read any more stays as a tombstone while somebody's reply is under it.

use super::sight::{AuthorState, PostReader, PostState, can_read};
use crate::Rejection;
use crate::community::post::long_text;

pub const COMMENT_CHARS_MAX: usize = 1_000;
/// A comment on the thing itself has depth 1.
pub const DEPTH_MAX: u32 = 8;

crate::names! {
    /// What can be commented on. A sale is an activity.
    pub enum CommentSubject {
        Post = "post",
        Activity = "activity",
        Person = "person",
    }
}

/// What somebody says in a comment: plain text, of several lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentText(String);

impl CommentText {
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        long_text("text", text, COMMENT_CHARS_MAX).map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it leads elsewhere, as a reader understands it.
    pub fn has_links(&self) -> bool {
        has_links(&self.0)
    }
}

/// Whether a plain text leads elsewhere.
pub(super) fn has_links(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["http://", "https://", "www."].iter().any(|mark| lower.contains(mark))
}

/// Where a comment is in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentPlace {
    /// The comment on the thing itself above it; nothing when it is one.
    pub root: Option<i64>,
    pub parent: Option<i64>,
    pub depth: u32,
}

impl CommentPlace {
    pub const ROOT: Self = Self { root: None, parent: None, depth: 1 };

    /// The place of a reply to the comment `id`, which is at `self`.
    pub const fn reply(self, id: i64) -> Self {
        let root = match self.root {
            Some(root) => root,
            None => id,
        };
        if self.depth < DEPTH_MAX {
            Self { root: Some(root), parent: Some(id), depth: self.depth + 1 }
        } else {
            Self { root: Some(root), parent: self.parent, depth: self.depth }
        }
    }
}

/// How a comment is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentSight {
    Whole,
    /// Without its author and its text, for the sake of what is under it.
    Tombstone,
    Nothing,
}

/// How a comment with so many readable replies under it is shown.
pub const fn show_comment(
    state: PostState,
    author: AuthorState,
    reader: PostReader,
    replies: i64,
) -> CommentSight {
    match (can_read(state, author, reader), replies > 0) {
        (true, _) => CommentSight::Whole,
        (false, true) => CommentSight::Tombstone,
        (false, false) => CommentSight::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn place(root: i64, parent: i64, depth: u32) -> CommentPlace {
        CommentPlace { root: Some(root), parent: Some(parent), depth }
    }

    #[test]
    fn hole_60_a_tree_has_a_depth() {
        let mut at = CommentPlace::ROOT;
        for (id, expected) in [
            (1, place(1, 1, 2)),
            (2, place(1, 2, 3)),
            (3, place(1, 3, 4)),
            (4, place(1, 4, 5)),
            (5, place(1, 5, 6)),
            (6, place(1, 6, 7)),
            (7, place(1, 7, 8)),
            // Deeper replies stand beside what they reply to.
            (8, place(1, 7, 8)),
            (9, place(1, 7, 8)),
        ] {
            at = at.reply(id);
            assert_eq!(at, expected, "a reply to {id}");
        }
    }

    #[test]
    fn what_has_replies_leaves_a_tombstone() {
        use AuthorState::*;
        use CommentSight::*;
        for (state, author, reader, replies, expected) in [
            (PostState::Visible, Active, PostReader::Anybody, 0, Whole),
            (PostState::Visible, Banned, PostReader::Anybody, 0, Nothing),
            (PostState::Visible, Banned, PostReader::Anybody, 1, Tombstone),
            (PostState::Visible, Active, PostReader::Blocked, 1, Tombstone),
            (PostState::Deleted, Active, PostReader::Author, 2, Tombstone),
            (PostState::Deleted, Active, PostReader::Author, 0, Nothing),
            (PostState::Removed, Active, PostReader::Author, 0, Whole),
            (PostState::Removed, Active, PostReader::Moderator, 0, Whole),
        ] {
            assert_eq!(
                show_comment(state, author, reader, replies),
                expected,
                "{state:?} {author:?} {reader:?}"
            );
        }
    }

    #[test]
    fn what_a_comment_may_say() {
        let (long, longer) = ("天".repeat(COMMENT_CHARS_MAX), "天".repeat(COMMENT_CHARS_MAX + 1));
        for (text, passes, links) in [
            ("a\nb", true, false),
            (long.as_str(), true, false),
            ("see HTTPS://example.com", true, true),
            ("see www.example.com", true, true),
            (longer.as_str(), false, false),
            (" \n", false, false),
            ("a\u{7}", false, false),
        ] {
            let parsed = CommentText::parse(text);
            assert_eq!(parsed.is_ok(), passes, "{text:.20}");
            assert_eq!(parsed.is_ok_and(|text| text.has_links()), links, "{text:.20}");
        }
    }
}
