//! The states of a post, and who sees it: one table for every list, page, search and count.
//!
//! "Hidden with its author" is no state of its own: it follows from the author's account at the moment of looking, so that
//! the end of a ban brings the posts back without anybody writing a row.

crate::names! {
    /// Where a post stands.
    pub enum PostState {
        Visible = "visible",
        /// It waits for a moderator.
        Held = "held",
        /// By a moderator.
        Removed = "removed",
        /// By its author.
        Deleted = "deleted",
    }
}

/// The account of an author at the moment of looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthorState {
    Active,
    Banned,
    /// The account was deleted: what it wrote stays, by "deleted user".
    Gone,
}

impl AuthorState {
    pub const ALL: [Self; 3] = [Self::Active, Self::Banned, Self::Gone];
}

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostReader {
    /// Signed in or not.
    Anybody,
    /// One of the two has blocked the other.
    Blocked,
    Author,
    Moderator,
}

impl PostReader {
    pub const ALL: [Self; 4] = [Self::Anybody, Self::Blocked, Self::Author, Self::Moderator];
}

/// Whether somebody may read a post. Lists for everybody show what `Anybody` or `Blocked` may read, also to its author.
pub const fn can_read(state: PostState, author: AuthorState, reader: PostReader) -> bool {
    match (reader, state, author) {
        (PostReader::Moderator, _, _) => true,
        (PostReader::Author, PostState::Visible | PostState::Held | PostState::Removed, _) => true,
        (PostReader::Author, PostState::Deleted, _) => false,
        (PostReader::Anybody, PostState::Visible, AuthorState::Active | AuthorState::Gone) => true,
        (PostReader::Anybody, PostState::Visible, AuthorState::Banned) => false,
        (PostReader::Anybody, PostState::Held | PostState::Removed | PostState::Deleted, _) => false,
        (PostReader::Blocked, _, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table as people read it: a row per state and author, a column per reader.
    #[test]
    fn who_sees_what() {
        let rows = [
            // (state, author)                             anybody blocked author moderator
            (PostState::Visible, AuthorState::Active, [true, false, true, true]),
            (PostState::Visible, AuthorState::Banned, [false, false, true, true]),
            (PostState::Visible, AuthorState::Gone, [true, false, true, true]),
            (PostState::Held, AuthorState::Active, [false, false, true, true]),
            (PostState::Held, AuthorState::Banned, [false, false, true, true]),
            (PostState::Held, AuthorState::Gone, [false, false, true, true]),
            (PostState::Removed, AuthorState::Active, [false, false, true, true]),
            (PostState::Removed, AuthorState::Banned, [false, false, true, true]),
            (PostState::Removed, AuthorState::Gone, [false, false, true, true]),
            (PostState::Deleted, AuthorState::Active, [false, false, false, true]),
            (PostState::Deleted, AuthorState::Banned, [false, false, false, true]),
            (PostState::Deleted, AuthorState::Gone, [false, false, false, true]),
        ];
        assert_eq!(rows.len(), PostState::ALL.len() * AuthorState::ALL.len());
        for (state, author, expected) in rows {
            let got = PostReader::ALL.map(|reader| can_read(state, author, reader));
            assert_eq!(got, expected, "{state:?} {author:?}");
        }
    }
}
