//! Activities: their life and their versions.

use super::Row;
use crate::Rejection;
use crate::activity::{Action, State};
use crate::time::Timestamp;

rows! { activities:
    StepIllegal { state: State, action: Action } = "step_illegal",
        "An activity that is {state} does not take the step {action}. {state:#}.",
        "活动处于 {state} 状态，不能执行 {action}。{state:#}。";
    NotAuthor = "not_author", "Only those who wrote it can withdraw it.", "只有编辑者可以撤审。";
    NotDue { at: Timestamp } = "not_due", "Not before {at}.", "须等到 {at}。";
    WindowOver { at: Timestamp } = "window_over",
        "Its window ended at {at}. Give it a later window first.", "活动时间已于 {at} 结束，请先调整活动时间。";
    RoundsSpent = "rounds_spent", "It cannot be opened another time.", "活动重开次数已达上限。";
    /// What was read is no longer what is there.
    EditedMeanwhile { edition: u32 } = "edited_meanwhile",
        "Somebody changed it meanwhile: it is at edition {edition} now. Look again.",
        "内容已被他人修改，当前为第 {edition} 次编辑，请重新查看。";
    VersionUnchanged = "version_unchanged",
        "This version changes nothing.", "该版本没有任何变更。";
    /// Many things stopped by one key are the halt, which is for people.
    KeyStopsMax { max: i64 } = "key_stops_max",
        "Keys of one person stop at most {max} things a day: activities, prizes, units of sales, offers, grant rules, jobs. Do it in person.",
        "同一人的密钥每天最多停止 {max} 项（活动、奖品、库存、商品、发放规则、任务），请登录后操作。";
}

/// Each as an example.
pub(super) fn shown() -> Vec<Row> {
    use Rejection::*;
    vec![
        (
            StepIllegal { state: State::Closed, action: Action::Pause },
            "An activity that is closed does not take the step pause. It can be reopened, after a new version if its window is over.",
        ),
        (NotAuthor, "Only those who wrote it can withdraw it."),
        (NotDue { at: Timestamp(0) }, "Not before 1970-01-01 00:00 UTC."),
        (
            WindowOver { at: Timestamp(0) },
            "Its window ended at 1970-01-01 00:00 UTC. Give it a later window first.",
        ),
        (RoundsSpent, "It cannot be opened another time."),
        (
            EditedMeanwhile { edition: 3 },
            "Somebody changed it meanwhile: it is at edition 3 now. Look again.",
        ),
        (VersionUnchanged, "This version changes nothing."),
        (
            KeyStopsMax { max: 9 },
            "Keys of one person stop at most 9 things a day: activities, prizes, units of sales, offers, grant rules, jobs. Do it in person.",
        ),
    ]
}
