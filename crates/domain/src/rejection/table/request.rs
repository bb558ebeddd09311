//! The request itself: its body, its head, its address.

use super::Row;
use crate::Rejection;
use crate::flaw::Flaw;
use crate::rejection::{FieldProblem, MissingThing};

rows! { request:
    Invalid { field: String, problem: FieldProblem } = "invalid_field",
        "{field}: {problem}.", "{field}：{problem}。";
    /// Everything that is wrong with something large, listed.
    Flawed { flaws: Flaws } = "flawed",
        "This has {flaws}.", "内容有误，共 {flaws}。";
    BodyMalformed { detail: String } = "body_malformed",
        "The body is not the JSON expected here: {detail}.", "请求体不是此处要求的 JSON：{detail}。";
    BodyTooLarge { max_bytes: u64 } = "body_too_large",
        "The body is larger than {max_bytes} bytes.", "请求体超过 {max_bytes} 字节。";
    HeadTooLarge { max_bytes: u64 } = "head_too_large",
        "The address and headers are larger than {max_bytes} bytes.", "请求行与请求头超过 {max_bytes} 字节。";
    HostWrong = "host_wrong",
        "The header Host is missing or appears twice.",
        "请求须且只能有一个 Host 请求头：当前缺少或重复。";
    MediaType = "media_type", "Send the body as application/json.", "请以 application/json 发送请求体。";
    CursorInvalid = "cursor_invalid",
        "This cursor is not valid. Start again from the first page.", "分页游标无效，请从第一页重新开始。";
    NotFound { what: MissingThing } = "not_found", "There is no such {what}.", "没有这个{what}。";
    MethodNotAllowed = "method_not_allowed",
        "This address does not support this method.", "该地址不支持此请求方法。";
    /// The same idempotency key came with another body.
    IdempotencyConflict = "idempotency_conflict",
        "This Idempotency-Key was already used with a different request. Use a new key.",
        "该 Idempotency-Key 已用于另一请求，请换一个新的。";
    CrossSite = "cross_site",
        "This request came from another site and was not carried out.", "请求来自其他站点，未执行。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (Rejection::invalid("name", FieldProblem::TooLong { max: 40 }), "name: is too long (at most 40)."),
        (
            Flawed {
                flaws: Flaw::new("prizes", "prizes_none", "There is no prize.", "没有奖品。").into()
            },
            "This has 1 problem.",
        ),
        (BodyMalformed { detail: "line 1".into() }, "The body is not the JSON expected here: line 1."),
        (BodyTooLarge { max_bytes: 9 }, "The body is larger than 9 bytes."),
        (HeadTooLarge { max_bytes: 9 }, "The address and headers are larger than 9 bytes."),
        (HostWrong, "The header Host is missing or appears twice."),
        (MediaType, "Send the body as application/json."),
        (CursorInvalid, "This cursor is not valid. Start again from the first page."),
        (NotFound { what: MissingThing::Key }, "There is no such API key."),
        (MethodNotAllowed, "This address does not support this method."),
        (
            IdempotencyConflict,
            "This Idempotency-Key was already used with a different request. Use a new key.",
        ),
        (CrossSite, "This request came from another site and was not carried out."),
    ]
}
