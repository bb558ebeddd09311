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
        "This is only for signed-in people, not for API keys.", "此操作仅供登录用户使用，不支持 API 密钥。";
    ConsoleOnly = "console_only",
        "This is only possible from the command line on the server.", "此操作只能在服务器本机的命令行中执行。";
    ActingUserMissing = "acting_user_missing",
        "Send your own user's id in the Windfall-User header.", "请在 Windfall-User 请求头中给出贵方用户 ID。";
    Banned { until: BanEnd, reason: String } = "banned",
        "This account is banned {until}. Reason: {reason}.", "账号已被封禁{until}。原因：{reason}。";
    OwnWork = "own_work",
        "You cannot decide on your own work. A second person has to do it.", "须由另一人审批：不能审批自己的申请。";
    /// In person, or with a key of one's own making.
    OwnAccount = "own_account",
        "This concerns your own account, or that of the person who created this key. Somebody else has to do it.",
        "此操作涉及您本人（或该密钥创建者）的账号，须由他人办理。";
    StaffInPerson = "staff_in_person",
        "Only a signed-in admin can ban staff or sign them out, not an API key.",
        "封禁员工账号或强制其下线，须由管理员本人登录操作，不支持 API 密钥。";
    KeysFull { max: u32 } = "keys_full",
        "You have {max} active API keys, the maximum for one person. Revoke one first.",
        "您名下有效的 API 密钥已达上限 {max} 个，请先吊销不再使用的密钥。";
    KeyOfAnother = "key_of_another",
        "An admin key can only be rotated by the person who created it, or from the command line. Create your own key instead.",
        "管理员密钥只能由其创建者或在服务器命令行中轮换；如有需要，请另行创建。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (Unauthenticated, "Sign in first, or send a valid API key."),
        (Forbidden { needs: Role::Admin }, "This needs the role admin."),
        (ScopeMissing { needs: Scope::Facts }, "This API key lacks the scope facts."),
        (PeopleOnly, "This is only for signed-in people, not for API keys."),
        (ConsoleOnly, "This is only possible from the command line on the server."),
        (ActingUserMissing, "Send your own user's id in the Windfall-User header."),
        (
            Banned { until: BanEnd::Never, reason: "fraud".into() },
            "This account is banned for good. Reason: fraud.",
        ),
        (OwnWork, "You cannot decide on your own work. A second person has to do it."),
        (
            OwnAccount,
            "This concerns your own account, or that of the person who created this key. Somebody else has to do it.",
        ),
        (StaffInPerson, "Only a signed-in admin can ban staff or sign them out, not an API key."),
        (KeysFull { max: 20 }, "You have 20 active API keys, the maximum for one person. Revoke one first."),
        (
            KeyOfAnother,
            "An admin key can only be rotated by the person who created it, or from the command line. Create your own key instead.",
        ),
    ]
}
