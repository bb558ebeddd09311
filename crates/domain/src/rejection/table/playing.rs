//! Playing: drawing, entering, chances.

use super::Row;
use crate::Rejection;
use crate::time::Timestamp;

rows! { playing:
    /// Published, and not known to the ledger.
    NotRunning = "not_running", "This activity is not running.", "活动未在进行中。";
    NotStarted { from: Timestamp } = "not_started", "This activity starts at {from}.", "活动将于 {from} 开始。";
    Ended = "ended", "This activity has ended.", "活动已结束。";
    Paused = "paused", "This activity is paused. What you have is not affected.", "活动暂停中，您已有的不受影响。";
    /// The switch that stops every activity.
    Halted = "halted", "All activities are paused. What you have is not affected.", "所有活动暂停中，您已有的不受影响。";
    /// The rule tree says no.
    NotEligible = "not_eligible", "This activity is not open to you.", "您不符合该活动的参与条件。";
    /// Fewer entries are left than draws were asked for.
    EntriesGone { left: u64 } = "entries_gone",
        "Only {left} entries are left in all.", "活动剩余名额仅 {left} 个。";
    ChancesSpent { left: u32 } = "chances_spent",
        "Your remaining chances: {left}.", "您的剩余次数为 {left}。";
    ChancesSpentMonth { left: u32 } = "chances_spent_month",
        "Your remaining chances this month: {left}.", "您本月的剩余次数为 {left}。";
    ChancesSpentDay { left: u32 } = "chances_spent_day",
        "Your remaining chances today: {left}.", "您今日的剩余次数为 {left}。";
    ClientValueFixed = "client_value_fixed",
        "Your client value was fixed by your first draw of this round.", "您的幸运值已在本轮首次抽奖时确定，不能更改。";
    GrantOutOfRange { max: u32 } = "grant_out_of_range",
        "At most {max} more chances can be granted here.", "此处最多还可赠送 {max} 次。";
    EntersOnly = "enters_only", "This is a raffle: enter it instead of drawing.", "这是开奖型活动，请报名参与，不能直接抽奖。";
    DrawsOnly = "draws_only", "This activity is drawn at once; it has no entries.", "这是即时抽奖活动，无需报名。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (NotRunning, "This activity is not running."),
        (NotStarted { from: Timestamp(0) }, "This activity starts at 1970-01-01 00:00 UTC."),
        (Ended, "This activity has ended."),
        (Paused, "This activity is paused. What you have is not affected."),
        (Halted, "All activities are paused. What you have is not affected."),
        (NotEligible, "This activity is not open to you."),
        (EntriesGone { left: 3 }, "Only 3 entries are left in all."),
        (ChancesSpent { left: 0 }, "Your remaining chances: 0."),
        (ChancesSpentMonth { left: 1 }, "Your remaining chances this month: 1."),
        (ChancesSpentDay { left: 2 }, "Your remaining chances today: 2."),
        (ClientValueFixed, "Your client value was fixed by your first draw of this round."),
        (GrantOutOfRange { max: 5 }, "At most 5 more chances can be granted here."),
        (EntersOnly, "This is a raffle: enter it instead of drawing."),
        (DrawsOnly, "This activity is drawn at once; it has no entries."),
    ]
}
