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
    /// In person, or with a key of one's own making.
    OwnAccount = "own_account",
        "This is about your own account, or that of the person who made this key. Somebody else has to do it.",
        "此操作涉及您本人（或该密钥创建者）的账号，须由他人办理。";
    StaffInPerson = "staff_in_person",
        "Staff are banned and signed out by an admin in person, not by an API key.",
        "封禁员工账号或强制其下线，须由管理员本人登录操作，不支持 API 密钥。";
    KeysFull { max: u32 } = "keys_full",
        "You have {max} live API keys, the most one person may have. Revoke one first.",
        "您名下有效的 API 密钥已达上限 {max} 个，请先吊销不再使用的密钥。";
    KeyOfAnother = "key_of_another",
        "An admin key gets a new secret from the person who made it, or from the command line. Make one of your own instead.",
        "管理员密钥只能由其创建者或在服务器命令行中轮换；如有需要，请另行创建。";
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
        (
            OwnAccount,
            "This is about your own account, or that of the person who made this key. Somebody else has to do it.",
        ),
        (StaffInPerson, "Staff are banned and signed out by an admin in person, not by an API key."),
        (KeysFull { max: 20 }, "You have 20 live API keys, the most one person may have. Revoke one first."),
        (
            KeyOfAnother,
            "An admin key gets a new secret from the person who made it, or from the command line. Make one of your own instead.",
        ),
    ]
}
