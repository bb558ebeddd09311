//! Flash sales.

use super::Row;
use crate::Rejection;

rows! { sales:
    SellsOnly = "sells_only", "This is a sale: buy instead of drawing.", "这是秒杀活动，请购买，不能抽奖或报名。";
}

/// Each as an example.
pub(super) fn shown() -> Vec<Row> {
    use Rejection::*;
    vec![(SellsOnly, "This is a sale: buy instead of drawing.")]
}
