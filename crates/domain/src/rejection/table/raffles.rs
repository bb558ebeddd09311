//! Raffles: the roll and the beacon.

use super::Row;
use crate::Rejection;

rows! { raffles:
    LeadersUnoffered = "leaders_unoffered",
        "A raffle has no leaderboard: nobody wins it twice.", "开奖型活动没有排行榜：每人每轮最多中奖一次。";
    /// Nothing may depend on a roll that nobody has seen.
    RollUnpublished = "roll_unpublished",
        "The roll of this round is not public yet. It is published when entries are closed.", "本轮名册尚未公布，报名结束后公布。";
    BeaconUnnamed = "beacon_unnamed",
        "The roll names no beacon: the winners follow from the secret and the roll alone.",
        "名册未指定信标，开奖结果仅由密钥与名册决定。";
    BeaconFixed = "beacon_fixed",
        "The beacon already has another value, which cannot change.", "信标已有另一个值，不能更改。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (LeadersUnoffered, "A raffle has no leaderboard: nobody wins it twice."),
        (
            RollUnpublished,
            "The roll of this round is not public yet. It is published when entries are closed.",
        ),
        (BeaconUnnamed, "The roll names no beacon: the winners follow from the secret and the roll alone."),
        (BeaconFixed, "The beacon already has another value, which cannot change."),
    ]
}
