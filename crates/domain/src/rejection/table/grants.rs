//! Grants by rule.

use super::Row;
use crate::Rejection;

rows! { grants:
    /// In all, or of one behaviour: every behaviour asks all of its rules.
    GrantRulesFull { max: u32 } = "grant_rules_full",
        "There are {max} such rules already, the most there may be.", "此类发放规则已达上限 {max} 条。";
    /// By hand there is no second person to ask; of a rule, a key cannot ask for one.
    ChancesAloneMax { max: i64 } = "chances_alone_max",
        "With this, more than {max} chances would be given by one person today. Make a grant rule in person: a second person approves it.",
        "本次操作将使同一人今日发放的抽奖机会超过 {max} 次。请登录后创建发放规则，由第二人审批。";
}

/// Each as an example.
pub(super) fn shown() -> Vec<Row> {
    use Rejection::*;
    vec![
        (GrantRulesFull { max: 20 }, "There are 20 such rules already, the most there may be."),
        (
            ChancesAloneMax { max: 9 },
            "With this, more than 9 chances would be given by one person today. Make a grant rule in person: a second person approves it.",
        ),
    ]
}
