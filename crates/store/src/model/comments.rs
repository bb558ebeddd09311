//! Comments, and what they are about.

use domain::community::{
    AuthorState, CommentSight, CommentSubject, CommentText, FeedKey, PostState, WordRuling,
};
use domain::ids::{CommentId, UserId};
use domain::time::Timestamp;

use super::{AuditStamp, CommunityDay, FeedRequest, MentionRow, Once, PersonCard, ReleaseTerms};

/// What a comment is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreadId {
    pub subject: CommentSubject,
    pub id: i64,
}

impl ThreadId {
    /// The post, if it is one's thread.
    pub fn post(self) -> Option<i64> {
        (self.subject == CommentSubject::Post).then_some(self.id)
    }
}

#[derive(Clone, Debug)]
pub struct CommentCreate {
    pub id: CommentId,
    pub author: UserId,
    pub thread: ThreadId,
    pub reply_to: Option<CommentId>,
    pub text: CommentText,
    /// What the word filter says of it.
    pub ruling: WordRuling,
    pub day: CommunityDay,
    pub once: Option<Once>,
}

/// Likes a comment, or takes it back.
#[derive(Clone, Copy, Debug)]
pub struct CommentLike {
    pub comment: CommentId,
    pub user: UserId,
    pub liked: bool,
    pub day: CommunityDay,
}

/// Removes a comment, or brings it back.
#[derive(Clone, Debug)]
pub struct CommentModerate {
    pub id: CommentId,
    pub removed: bool,
    pub signed: AuditStamp,
    pub terms: ReleaseTerms,
}

/// A comment as its reader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentRow {
    pub id: CommentId,
    pub thread: ThreadId,
    /// Nobody, of a tombstone or a deleted account.
    pub author: Option<PersonCard>,
    pub author_state: AuthorState,
    pub state: PostState,
    pub sight: CommentSight,
    pub root: Option<CommentId>,
    pub parent: Option<CommentId>,
    pub depth: u32,
    /// Whom it replies to, while they have an account.
    pub reply_to: Option<(CommentId, Option<PersonCard>)>,
    /// Empty, of a tombstone.
    pub body: String,
    pub mentions: Vec<MentionRow>,
    pub made: Timestamp,
    pub likes: i64,
    pub replies: i64,
    pub liked_by_me: bool,
}

impl CommentRow {
    pub fn key(&self) -> FeedKey {
        FeedKey { time: self.made, id: self.id.0 }
    }
}

/// Which comments, oldest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentList {
    /// Those on the thing itself, newest first.
    Roots(ThreadId),
    /// Everything under a comment on the thing itself, oldest first.
    Under(CommentId),
}

#[derive(Clone, Copy, Debug)]
pub struct CommentsFind {
    pub list: CommentList,
    pub reader: Option<UserId>,
    pub page: FeedRequest,
    pub now: Timestamp,
}

/// Asks for some comments by id, as somebody sees them.
#[derive(Clone, Debug)]
pub struct CommentsPick {
    pub ids: Vec<CommentId>,
    pub reader: Option<UserId>,
    pub now: Timestamp,
}
