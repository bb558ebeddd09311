//! How often, how long, and whether it is known what came of it.

use super::Row;
use crate::Rejection;

rows! { pace:
    RateLimited { retry_after_s: i64 } = "rate_limited",
        "Too many requests. Try again in {retry_after_s} s.", "请求过于频繁，请 {retry_after_s} 秒后再试。";
    Overloaded { retry_after_s: i64 } = "overloaded",
        "Too busy right now; nothing was done. Try again in {retry_after_s} s.",
        "系统繁忙，操作未执行，请 {retry_after_s} 秒后再试。";
    LedgerUnavailable { retry_after_s: i64 } = "ledger_unavailable",
        "The ledger cannot write now; nothing was done. /readyz says why. Try again in {retry_after_s} s.",
        "账本暂时无法写入，操作未执行；原因见 /readyz。请 {retry_after_s} 秒后再试。";
    /// Of a cluster: the node that led is gone, and no other has taken over yet.
    NoLeader { retry_after_s: i64 } = "no_leader",
        "No node leads the cluster now; nothing was done. Try again in {retry_after_s} s.",
        "集群当前没有主节点，操作未执行，请 {retry_after_s} 秒后再试。";
    RowsBehind { retry_after_s: i64 } = "rows_behind",
        "The latest changes cannot be read yet. Try again in {retry_after_s} s.",
        "最新数据尚未同步完成，暂时无法读取，请 {retry_after_s} 秒后再试。";
    ClockBehind { retry_after_s: i64 } = "clock_behind",
        "The server's clock does not agree with its records; nothing was done. Try again in {retry_after_s} s.",
        "服务器时钟与记录不一致，操作未执行，请 {retry_after_s} 秒后再试。";
    TimedOut = "timed_out",
        "The request took too long. Repeat it with the same Idempotency-Key or id.", "处理超时，请使用相同的 Idempotency-Key 或 ID 重试。";
    OutcomeUnknown = "outcome_unknown",
        "It is unknown whether this was saved. Repeat the request with the same Idempotency-Key or id.",
        "暂时无法确认是否已保存，请使用相同的 Idempotency-Key 或 ID 重试。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (RateLimited { retry_after_s: 3 }, "Too many requests. Try again in 3 s."),
        (Overloaded { retry_after_s: 1 }, "Too busy right now; nothing was done. Try again in 1 s."),
        (
            LedgerUnavailable { retry_after_s: 1 },
            "The ledger cannot write now; nothing was done. /readyz says why. Try again in 1 s.",
        ),
        (NoLeader { retry_after_s: 1 }, "No node leads the cluster now; nothing was done. Try again in 1 s."),
        (RowsBehind { retry_after_s: 1 }, "The latest changes cannot be read yet. Try again in 1 s."),
        (
            ClockBehind { retry_after_s: 3 },
            "The server's clock does not agree with its records; nothing was done. Try again in 3 s.",
        ),
        (TimedOut, "The request took too long. Repeat it with the same Idempotency-Key or id."),
        (
            OutcomeUnknown,
            "It is unknown whether this was saved. Repeat the request with the same Idempotency-Key or id.",
        ),
    ]
}
