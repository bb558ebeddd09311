//! The community.

use super::Row;
use crate::Rejection;
use crate::community::PostState;
use crate::time::Timestamp;

rows! { community:
    /// Whoever has proved no phone, and for whom no company's key speaks, only reads.
    PhoneNeeded = "phone_needed", "Verify a phone number first.", "请先验证手机号。";
    DailyCap { max: u32 } = "daily_cap",
        "That was the maximum for today ({max}). Try again tomorrow.", "已达今日上限（{max} 次），请明天再试。";
    LinksTooSoon { from: Timestamp } = "links_too_soon",
        "A new account cannot post links before {from}.", "新账号在 {from} 之前不能发布链接。";
    VotingOver = "voting_over", "Voting for this article has ended.", "该文章的投票已结束。";
    PinsFull { max: u32 } = "pins_full",
        "There are {max} pinned posts, the maximum.", "置顶帖子已达上限 {max} 篇。";
    PostHidden { state: PostState } = "post_hidden",
        "A post that is {state} cannot be shown off.", "帖子{state}，不能置顶或加精。";
    CommentsLocked = "comments_locked",
        "This post is locked. Nobody can comment on it.", "该帖子已锁定，不能评论。";
    Yourself = "yourself", "You cannot do this to yourself.", "不能对自己进行此操作。";
    BlockedByYou = "blocked_by_you",
        "You have blocked this person. Unblock them first.", "你已拉黑该用户，请先解除拉黑。";
    FollowingFull { max: u32 } = "following_full",
        "You follow {max} people, the maximum.", "关注人数已达上限 {max} 人。";
    BlocksFull { max: u32 } = "blocks_full",
        "You have blocked {max} people, the maximum.", "拉黑人数已达上限 {max} 人。";
    /// A list by score is paged over a snapshot, which is kept for a while only.
    SnapshotExpired = "snapshot_expired",
        "This list is too old to continue. Start again from its beginning.", "该列表已过期，请从头开始浏览。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (PhoneNeeded, "Verify a phone number first."),
        (DailyCap { max: 20 }, "That was the maximum for today (20). Try again tomorrow."),
        (LinksTooSoon { from: Timestamp(0) }, "A new account cannot post links before 1970-01-01 00:00 UTC."),
        (VotingOver, "Voting for this article has ended."),
        (PinsFull { max: 5 }, "There are 5 pinned posts, the maximum."),
        (PostHidden { state: PostState::Held }, "A post that is held cannot be shown off."),
        (CommentsLocked, "This post is locked. Nobody can comment on it."),
        (Yourself, "You cannot do this to yourself."),
        (BlockedByYou, "You have blocked this person. Unblock them first."),
        (FollowingFull { max: 2_000 }, "You follow 2000 people, the maximum."),
        (BlocksFull { max: 2_000 }, "You have blocked 2000 people, the maximum."),
        (SnapshotExpired, "This list is too old to continue. Start again from its beginning."),
    ]
}
