//! Stock: pools and holds.

use super::Row;
use crate::Rejection;
use crate::rejection::Milliseconds;

rows! { stock:
    PoolUnknown { pool: String } = "pool_unknown",
        "There is no pool {pool}.", "没有库存池 {pool}。";
    HoldUnknown = "hold_unknown", "There is no such hold.", "没有这个预扣。";
    /// Fewer units are free than were asked for.
    SoldOut { pool: String, left: u64 } = "sold_out",
        "{pool} has only {left} left.", "{pool} 仅剩 {left} 件。";
    LimitReached { pool: String, limit: u32, has: u32 } = "limit_reached",
        "One owner may have {limit} of {pool} and already has {has}.", "{pool} 每人限 {limit} 件，已有 {has} 件。";
    PoolFrozen { pool: String } = "frozen", "{pool} is frozen.", "{pool} 已冻结。";
    PoolClosed { pool: String } = "closed", "{pool} is closed.", "{pool} 已关闭。";
    /// An id was accepted before with another body.
    IdConflict = "conflict",
        "This id was already used with a different request. Use a new id.", "该 ID 已用于另一请求，请换一个新的。";
    AlreadyConfirmed = "already_confirmed", "This hold is already confirmed.", "该预扣已确认。";
    AlreadyCancelled = "already_cancelled", "This hold is already cancelled.", "该预扣已取消。";
    HoldExpired = "expired", "This hold has expired.", "该预扣已过期。";
    NotHeld { pool: String } = "not_held",
        "This is more of {pool} than the hold has.", "超出该预扣中 {pool} 的数量。";
    NotFree { pool: String, left: u64 } = "not_free",
        "Only {left} of {pool} are available and can be removed.", "{pool} 仅有 {left} 件可扣减。";
    TotalTooLarge { pool: String } = "total_too_large",
        "{pool} cannot hold that many.", "{pool} 的总量超出上限。";
    /// A pool of that name is there, or this round was opened before, or the round before is not closed.
    RoundStale { pool: String, round: u32 } = "round_stale",
        "Round {round} of {pool} cannot be opened: it already exists, or the previous round is not closed.",
        "无法开启 {pool} 的第 {round} 轮：该轮已存在，或上一轮尚未关闭。";
    ExtendTooFar { max: Milliseconds } = "extend_too_far",
        "A hold lasts {max} at most, counted from its beginning.", "预扣自创建起最长保留 {max}。";
    /// Cancellations of holds that never arrived, not yet in the database.
    TombstonesFull { max: u32, retry_after_s: i64 } = "tombstones_full",
        "More than {max} cancellations of unknown holds are being processed. Try again in {retry_after_s} s.",
        "未知预扣的取消请求超过 {max} 个，请 {retry_after_s} 秒后再试。";
    StreamsFull { max: u32, retry_after_s: i64 } = "streams_full",
        "All {max} live streams are in use. Try again in {retry_after_s} s.", "实时推送连接已达上限 {max}，请 {retry_after_s} 秒后再试。";
    StreamsOfAddressFull { max: u32, retry_after_s: i64 } = "streams_of_address_full",
        "Your address has {max} live streams or exports open, the maximum. Try again in {retry_after_s} s.",
        "同一地址的实时推送与导出连接已达上限 {max}，请 {retry_after_s} 秒后再试。";
    StreamsOfCallerFull { max: u32, retry_after_s: i64 } = "streams_of_caller_full",
        "You have {max} live streams or downloads open, the maximum for one person or key. Try again in {retry_after_s} s.",
        "每位员工或每个密钥的实时推送与下载连接上限为 {max}，请 {retry_after_s} 秒后再试。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (PoolUnknown { pool: "tea".into() }, "There is no pool tea."),
        (HoldUnknown, "There is no such hold."),
        (SoldOut { pool: "tea".into(), left: 2 }, "tea has only 2 left."),
        (
            LimitReached { pool: "tea".into(), limit: 3, has: 2 },
            "One owner may have 3 of tea and already has 2.",
        ),
        (PoolFrozen { pool: "tea".into() }, "tea is frozen."),
        (PoolClosed { pool: "tea".into() }, "tea is closed."),
        (IdConflict, "This id was already used with a different request. Use a new id."),
        (AlreadyConfirmed, "This hold is already confirmed."),
        (AlreadyCancelled, "This hold is already cancelled."),
        (HoldExpired, "This hold has expired."),
        (NotHeld { pool: "tea".into() }, "This is more of tea than the hold has."),
        (NotFree { pool: "tea".into(), left: 2 }, "Only 2 of tea are available and can be removed."),
        (TotalTooLarge { pool: "tea".into() }, "tea cannot hold that many."),
        (
            RoundStale { pool: "tea".into(), round: 2 },
            "Round 2 of tea cannot be opened: it already exists, or the previous round is not closed.",
        ),
        (
            ExtendTooFar { max: Milliseconds(90_000) },
            "A hold lasts 1 minute 30 seconds at most, counted from its beginning.",
        ),
        (
            TombstonesFull { max: 9, retry_after_s: 1 },
            "More than 9 cancellations of unknown holds are being processed. Try again in 1 s.",
        ),
        (StreamsFull { max: 9, retry_after_s: 5 }, "All 9 live streams are in use. Try again in 5 s."),
        (
            StreamsOfAddressFull { max: 9, retry_after_s: 5 },
            "Your address has 9 live streams or exports open, the maximum. Try again in 5 s.",
        ),
        (
            StreamsOfCallerFull { max: 9, retry_after_s: 5 },
            "You have 9 live streams or downloads open, the maximum for one person or key. Try again in 5 s.",
        ),
    ]
}
