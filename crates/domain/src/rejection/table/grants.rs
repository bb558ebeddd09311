//! Grants by rule.

use super::Row;
use crate::Rejection;

rows! { grants:
    /// In all, or of one behaviour: every behaviour asks all of its rules.
    GrantRulesFull { max: u32 } = "grant_rules_full",
        "There are {max} such rules already, the most there may be.", "此类发放规则已达上限 {max} 条。";
}

/// Each as an example.
pub(super) fn shown() -> Vec<Row> {
    use Rejection::*;
    vec![(GrantRulesFull { max: 20 }, "There are 20 such rules already, the most there may be.")]
}
