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
    MutesFull { max: u32 } = "mutes_full",
        "You have muted {max} people and threads, the maximum.", "屏蔽的用户和讨论已达上限 {max} 个。";
    AnswerAwaited = "answer_awaited",
        "They have not answered yet. You can write again once they do.", "对方尚未回复，回复后你才能继续发送。";
    ConversationsFull { max: u32 } = "conversations_full",
        "You have begun {max} conversations today, the maximum.", "今天新发起的会话已达上限 {max} 个。";
    ReportClosed = "report_closed", "This case is already decided.", "该举报已处理。";
    /// What was found, as it was written.
    WordsRefused { found: String } = "words_refused",
        "Words that are not allowed here: {found}. Change them and try again.", "含有不允许的内容：{found}，请修改后重试。";
    FilterFull { max: u32 } = "filter_full",
        "The word filter holds {max} words, the maximum.", "敏感词已达上限 {max} 个。";
    AppealMade = "appeal_made",
        "You have appealed this decision already. There is one appeal for each.", "你已就该决定申诉过，每项决定只能申诉一次。";
    AppealClosed = "appeal_closed", "This appeal is already decided.", "该申诉已处理。";
    /// What was removed is back, or was deleted by its author.
    DecisionOver = "decision_over", "This decision is not in effect any more.", "该决定已失效，无需申诉。";
    /// A list by score is paged over a snapshot, which is kept for a while only.
    SnapshotExpired = "snapshot_expired",
        "This list is too old to continue. Start again from its beginning.", "该列表已过期，请从头开始浏览。";
    MakeUpDay { days: u32 } = "make_up_day",
        "Only missed days of the last {days} days can be made up, and none from before the account was made.",
        "只能补签最近 {days} 天内漏签的日期，且不能早于注册日。";
    InviteLate { days: u32 } = "invite_late",
        "An invitation can only be accepted in the first {days} days of an account.", "仅限注册后 {days} 天内填写邀请码。";
    /// Of an account that is not new, or was invited before.
    InviteKnown = "invite_known",
        "This phone number was invited before, or had an account here before.", "该手机号此前已被邀请或已注册过。";
    MakeUpsSpent { max: u32 } = "make_ups_spent",
        "You have made up {max} days this month, the maximum.", "本月补签次数已达上限 {max} 次。";
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
        (MutesFull { max: 1_000 }, "You have muted 1000 people and threads, the maximum."),
        (AnswerAwaited, "They have not answered yet. You can write again once they do."),
        (ConversationsFull { max: 10 }, "You have begun 10 conversations today, the maximum."),
        (ReportClosed, "This case is already decided."),
        (
            WordsRefused { found: "赌 博".into() },
            "Words that are not allowed here: 赌 博. Change them and try again.",
        ),
        (FilterFull { max: 10_000 }, "The word filter holds 10000 words, the maximum."),
        (AppealMade, "You have appealed this decision already. There is one appeal for each."),
        (AppealClosed, "This appeal is already decided."),
        (DecisionOver, "This decision is not in effect any more."),
        (SnapshotExpired, "This list is too old to continue. Start again from its beginning."),
        (
            MakeUpDay { days: 7 },
            "Only missed days of the last 7 days can be made up, and none from before the account was made.",
        ),
        (InviteLate { days: 7 }, "An invitation can only be accepted in the first 7 days of an account."),
        (InviteKnown, "This phone number was invited before, or had an account here before."),
        (MakeUpsSpent { max: 3 }, "You have made up 3 days this month, the maximum."),
    ]
}
