//! Grants by rule.

use super::Row;
use crate::Rejection;

rows! { grants:
    /// In all, or of one behaviour: every behaviour asks all of its rules.
    GrantRulesFull { max: u32 } = "grant_rules_full",
        "There are {max} such rules, the maximum.", "此类发放规则已达上限 {max} 条。";
    /// By hand there is no second person to ask; of a rule, a key cannot ask for one.
    ChancesAloneMax { max: i64 } = "chances_alone_max",
        "With this, more than {max} chances would be granted by one person today. Sign in and create a grant rule, which a second person approves.",
        "本次操作将使同一人今日发放的抽奖机会超过 {max} 次。请登录后创建发放规则，由第二人审批。";
    /// Of an offer, a person is asked for a second one instead; a key cannot ask. Of a prize, a new version is reviewed.
    PiecesAloneMax { max: i64 } = "pieces_alone_max",
        "With this, one person would add more than {max} pieces today. A second person has to approve that. Sign in and change the offer, or submit a new version of the activity.",
        "本次操作将使同一人今日上架的数量超过 {max} 件，需由第二人同意：请登录后修改商品，或提交活动的新版本。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (GrantRulesFull { max: 20 }, "There are 20 such rules, the maximum."),
        (
            ChancesAloneMax { max: 9 },
            "With this, more than 9 chances would be granted by one person today. Sign in and create a grant rule, which a second person approves.",
        ),
        (
            PiecesAloneMax { max: 9 },
            "With this, one person would add more than 9 pieces today. A second person has to approve that. Sign in and change the offer, or submit a new version of the activity.",
        ),
    ]
}
