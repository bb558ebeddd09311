//! The shop.

use super::Row;
use crate::Rejection;
use crate::shop::OfferState;
use crate::time::Timestamp;

rows! { shop:
    OfferOff = "offer_off", "This is not on offer.", "该商品未上架。";
    OfferNotStarted { from: Timestamp } = "offer_not_started",
        "This offer starts at {from}.", "该商品于 {from} 开始兑换。";
    OfferOver = "offer_over", "This offer has ended.", "该商品兑换已结束。";
    OffersFull { max: u32 } = "offers_full",
        "There are {max} offers, the maximum.", "兑换商品已达上限 {max} 个。";
    /// What players saw and paid for stays what it is.
    OfferStepIllegal { state: OfferState, to: OfferState } = "offer_step_illegal",
        "An offer that is {state} cannot become {to}.", "商品处于{state}状态，不能改为{to}。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (OfferOff, "This is not on offer."),
        (OfferNotStarted { from: Timestamp(0) }, "This offer starts at 1970-01-01 00:00 UTC."),
        (OfferOver, "This offer has ended."),
        (OffersFull { max: 9 }, "There are 9 offers, the maximum."),
        (
            OfferStepIllegal { state: OfferState::On, to: OfferState::Draft },
            "An offer that is on cannot become draft.",
        ),
    ]
}
