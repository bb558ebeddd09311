//! Points: what an account has, and what of its statement can be taken back.

use super::Row;
use crate::Rejection;

rows! { points:
    PointsShort { has: i64, needs: i64 } = "points_short",
        "This needs {needs} points, but only {has} are available.", "此操作需要 {needs} 积分，当前可用 {has} 积分。";
    PointsOutOfRange { max: i64 } = "points_out_of_range",
        "An account may hold or owe {max} points at most.", "积分账户余额或欠额最多为 {max}。";
    /// Of a key, which cannot ask a second person.
    PointsAloneMax { max: i64 } = "points_alone_max",
        "With this, more than {max} points would be moved by hand today. A second person has to approve that, and an API key cannot ask for it. Sign in to do it.",
        "本次操作将使今日手工调整的积分超过 {max}，须由第二人审批；API 密钥不能申请审批，请登录后操作。";
    PointsReversed { n: i64 } = "points_reversed",
        "Row {n} of the statement was already reversed.", "第 {n} 条积分记录已被冲正。";
    /// A row that is itself a reversal, or an expiry.
    PointsFinal { n: i64 } = "points_final",
        "Row {n} of the statement cannot be reversed: only credits and spendings can.",
        "第 {n} 条积分记录不能冲正，只有入账与消费记录可以冲正。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (PointsShort { has: 2, needs: 5 }, "This needs 5 points, but only 2 are available."),
        (PointsOutOfRange { max: 9 }, "An account may hold or owe 9 points at most."),
        (
            PointsAloneMax { max: 9 },
            "With this, more than 9 points would be moved by hand today. A second person has to approve that, and an API key cannot ask for it. Sign in to do it.",
        ),
        (PointsReversed { n: 3 }, "Row 3 of the statement was already reversed."),
        (PointsFinal { n: 3 }, "Row 3 of the statement cannot be reversed: only credits and spendings can."),
    ]
}
