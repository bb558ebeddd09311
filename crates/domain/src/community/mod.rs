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
//! | [`check_in`] | the days on which somebody checked in, their streak, and what can be made up |
//! | [`invite`] | codes of invitations, and who can still accept one |
//! | [`moderation`] | what moderators may do to a post |
//! | [`timeline`] | what a kept timeline holds, and how its pages are read |
//! | [`notification`] | what somebody hears about what others did to them |
//! | [`report`] | what can be reported, and who decides about it |
//! | [`mention`] | who is named in a text |
//! | [`message`] | who may write to whom in private |
//! | [`words`] | words for which a text is refused, held or masked |
//! | [`appeal`] | who may ask for another look at a decision, and who looks |

pub mod appeal;
pub mod check_in;
pub mod comment;
pub mod edge;
pub mod invite;
pub mod mention;
pub mod message;
pub mod moderation;
pub mod notification;
pub mod order;
pub mod post;
pub mod quota;
pub mod report;
pub mod sight;
pub mod timeline;
pub mod vote;
pub mod words;

pub use appeal::{APPEAL_CHARS_MAX, AppealFacts, AppealState, AppealText, DecisionSubject, may_judge_appeal};
pub use check_in::{CheckInTerms, MakeUpFacts, Milestone};
pub use comment::{CommentPlace, CommentSight, CommentSubject, CommentText, show_comment};
pub use edge::{BLOCKS_MAX, EdgeFacts, FollowsVersion, may_follow};
pub use invite::InviteCode;
pub use mention::{
    MENTIONS_MAX, MentionCandidate, MentionPlace, find_mentions, mentioned_names, resolve_mention,
};
pub use message::{DISCLOSED_EITHER_SIDE, MessageFacts, MessageText, may_send};
pub use moderation::{ModeratedPost, ModerationAct, PINNED_MAX, moderate};
pub use notification::{
    MUTES_MAX, MuteSubject, NOTIFICATION_DAYS, NotificationFacts, NotificationKind, NotificationSubject,
    is_heard,
};
pub use order::FeedKey;
pub use post::{Link, PostTerms, PostTitle};
pub use quota::{DailyAct, DailyCaps, EDITS_PER_POST, Newcomer};
pub use report::{
    REPORTS_DAILY_MAX, ReportCase, ReportReason, ReportState, ReportSubject, may_judge, parse_report_text,
};
pub use sight::{AuthorState, PostReader, PostState, can_read};
pub use timeline::kept::{KeptTimeline, TimelineSnapshot};
pub use timeline::walk::FanOutWalk;
pub use vote::{ArticleScore, INTERESTING_VOTES, check_vote};
pub use words::{
    FILTER_CHANGES_MAX, FILTER_WORDS_MAX, FilterWord, FoldedWord, WordAction, WordFilter, WordFinding,
    WordRuling, WordVerdict,
};
