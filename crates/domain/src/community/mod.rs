//! The community: what people write, who sees it, and how it is ordered.
//!
//! | module | decides |
//! | --- | --- |
//! | [`order`] | the pair (time, id) by which every list of posts is sorted |
//! | [`post`] | what a post may say |
//! | [`sight`] | the states of a post, and who sees it |
//! | [`comment`] | the tree of comments, and what stays of one that is gone |
//! | [`vote`] | until when an article can be voted for, and what a vote is worth |
//! | [`quota`] | how much one person may do in a day, and how much less in the first one |
//! | [`edge`] | who may follow or block whom |
//! | [`moderation`] | what moderators may do to a post |

pub mod comment;
pub mod edge;
pub mod moderation;
pub mod order;
pub mod post;
pub mod quota;
pub mod sight;
pub mod vote;

pub use comment::{CommentPlace, CommentSight, CommentSubject, CommentText, show_comment};
pub use edge::{BLOCKS_MAX, EdgeFacts, may_follow};
pub use moderation::{ModeratedPost, ModerationAct, PINNED_MAX, moderate};
pub use order::FeedKey;
pub use post::{Link, PostTerms, PostTitle};
pub use quota::{DailyAct, DailyCaps, Newcomer};
pub use sight::{AuthorState, PostReader, PostState, can_read};
pub use vote::{ArticleScore, INTERESTING_VOTES, check_vote};
