//! Redeem codes: their pools, and how many there may be.

use super::Row;
use crate::Rejection;

rows! { codes:
    SheetMediaType = "sheet_media_type",
        "Send the codes as text/csv or text/plain.", "请以 text/csv 或 text/plain 发送兑换码。";
    CodePoolExists = "code_pool_exists",
        "Another code pool already has this name.", "已有同名的兑换码池。";
    CodePoolsFull { max: u32 } = "code_pools_full",
        "There are {max} code pools, the maximum.", "兑换码池已达上限 {max} 个。";
    /// Whoever imports holds all fingerprints in memory: that sets the bound.
    CodesFull { max: u32 } = "codes_full",
        "There would be more than {max} codes, the maximum.", "导入后兑换码总数将超过上限 {max} 个。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (SheetMediaType, "Send the codes as text/csv or text/plain."),
        (CodePoolExists, "Another code pool already has this name."),
        (CodePoolsFull { max: 10_000 }, "There are 10000 code pools, the maximum."),
        (CodesFull { max: 50_000_000 }, "There would be more than 50000000 codes, the maximum."),
    ]
}
