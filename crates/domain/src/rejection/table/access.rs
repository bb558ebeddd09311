//! Who may.

use super::Row;
use crate::Rejection;
use crate::access::{Role, Scope};
use crate::rejection::BanEnd;

rows! { access:
    Unauthenticated = "unauthenticated", "Sign in first, or send a valid API key.", "请先登录，或提供有效的 API 密钥。";
    Forbidden { needs: Role } = "forbidden", "This needs the role {needs}.", "此操作需要{needs}角色。";
    ScopeMissing { needs: Scope } = "scope_missing",
        "This API key lacks the scope {needs}.", "该 API 密钥缺少权限 {needs}。";
    PeopleOnly = "people_only",
        "This is for signed-in people, not for API keys.", "此操作仅供登录用户使用，不支持 API 密钥。";
    ConsoleOnly = "console_only",
        "This is done from the command line on the machine itself.", "此操作只能在服务器本机的命令行中执行。";
    ActingUserMissing = "acting_user_missing",
        "Name your own user's id in the Windfall-User header.", "请在 Windfall-User 请求头中给出贵方用户 ID。";
    Banned { until: BanEnd, reason: String } = "banned",
        "This account is banned {until}. Reason: {reason}.", "账号已被封禁{until}。原因：{reason}。";
    OwnWork = "own_work",
        "A second person has to decide this: it is your own work.", "须由另一人审批：不能审批自己的申请。";
}

/// Each as an example.
pub(super) fn shown() -> Vec<Row> {
    use Rejection::*;
    vec![
        (Unauthenticated, "Sign in first, or send a valid API key."),
        (Forbidden { needs: Role::Admin }, "This needs the role admin."),
        (ScopeMissing { needs: Scope::Facts }, "This API key lacks the scope facts."),
        (PeopleOnly, "This is for signed-in people, not for API keys."),
        (ConsoleOnly, "This is done from the command line on the machine itself."),
        (ActingUserMissing, "Name your own user's id in the Windfall-User header."),
        (
            Banned { until: BanEnd::Never, reason: "fraud".into() },
            "This account is banned for good. Reason: fraud.",
        ),
        (OwnWork, "A second person has to decide this: it is your own work."),
    ]
}
