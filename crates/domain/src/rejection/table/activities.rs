//! Activities: their life and their versions.

use super::Row;
use crate::Rejection;
use crate::activity::{Action, LifeState};
use crate::time::Timestamp;

rows! { activities:
    StepIllegal { state: LifeState, action: Action } = "step_illegal",
        "An activity that is {state} does not allow the step {action}. {state:#}.",
        "活动处于 {state} 状态，不能执行 {action}。{state:#}。";
    NotAuthor = "not_author", "Only its authors can withdraw it.", "只有编辑者可以撤审。";
    NotDue { at: Timestamp } = "not_due", "Not before {at}.", "须等到 {at}。";
    WindowOver { at: Timestamp } = "window_over",
        "Its window ended at {at}. Set a later window first.", "活动时间已于 {at} 结束，请先调整活动时间。";
    RoundsSpent = "rounds_spent", "It cannot be reopened again.", "活动重开次数已达上限。";
    /// What was read is no longer what is there.
    EditedMeanwhile { edition: u32 } = "edited_meanwhile",
        "It was changed in the meantime: it is now at edition {edition}. Read it again.",
        "内容已被他人修改，当前为第 {edition} 次编辑，请重新查看。";
    VersionUnchanged = "version_unchanged",
        "This version has no changes.", "该版本没有任何变更。";
    /// Many things stopped by one key are the halt, which is for people.
    KeyStopsMax { max: i64 } = "key_stops_max",
        "The API keys of one person can stop at most {max} things a day: activities, prizes, units of sales, offers, grant rules, jobs. Sign in to do it yourself.",
        "同一人的密钥每天最多停止 {max} 项（活动、奖品、库存、商品、发放规则、任务），请登录后操作。";
    /// A key that keeps everybody out stops the site, which is for people.
    KeyBarsMax { max: i64 } = "key_bars_max",
        "The API keys of one person can ban, sign out or block at most {max} people a day. Sign in to do it yourself.",
        "同一人的密钥每天最多封禁、强制下线或拉黑 {max} 人，请登录后操作。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (
            StepIllegal { state: LifeState::Closed, action: Action::Pause },
            "An activity that is closed does not allow the step pause. It can be reopened, after a new version if its window is over.",
        ),
        (NotAuthor, "Only its authors can withdraw it."),
        (NotDue { at: Timestamp(0) }, "Not before 1970-01-01 00:00 UTC."),
        (
            WindowOver { at: Timestamp(0) },
            "Its window ended at 1970-01-01 00:00 UTC. Set a later window first.",
        ),
        (RoundsSpent, "It cannot be reopened again."),
        (
            EditedMeanwhile { edition: 3 },
            "It was changed in the meantime: it is now at edition 3. Read it again.",
        ),
        (VersionUnchanged, "This version has no changes."),
        (
            KeyStopsMax { max: 9 },
            "The API keys of one person can stop at most 9 things a day: activities, prizes, units of sales, offers, grant rules, jobs. Sign in to do it yourself.",
        ),
        (
            KeyBarsMax { max: 9 },
            "The API keys of one person can ban, sign out or block at most 9 people a day. Sign in to do it yourself.",
        ),
    ]
}
