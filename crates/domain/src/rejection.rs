//! Every "no" Windfall says, by name.
//!
//! A rejection is an answer, not a fault: it has a stable code for programs, a text in English and
//! Chinese for people, and (in the server) an HTTP status. The table below is the whole list; adding a
//! line makes the compiler ask for its status, and the catalogue test ask for its row.

use std::fmt;

use crate::access::{Role, Scope};
use crate::account::PASSWORD_MIN;
use crate::activity::{Action, State};
use crate::flaw::{Flaw, Flaws};
use crate::time::Timestamp;

/// The two languages every text is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    #[default]
    En,
    Zh,
}

impl Lang {
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Zh];
}

macro_rules! rejections {
    ($($(#[$doc:meta])* $name:ident $({ $($field:ident: $type:ty),+ })? = $code:literal, $en:literal, $zh:literal;)+) => {
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Rejection {
            $($(#[$doc])* $name $({ $($field: $type),+ })?),+
        }

        impl Rejection {
            /// The stable name programs branch on. A code once given keeps its meaning.
            pub fn code(&self) -> &'static str {
                match self { $(Self::$name $({ $($field: _),+ })? => $code),+ }
            }

            /// What to tell a person.
            pub fn text(&self, lang: Lang) -> String {
                match self {$(
                    Self::$name $({ $($field),+ })? => {
                        $($(let $field = Worded(lang, $field); let _ = &$field;)+)?
                        match lang { Lang::En => format!($en), Lang::Zh => format!($zh) }
                    }
                )+}
            }

            /// Every code there is, in the order of the table.
            pub const CODES: &'static [&'static str] = &[$($code),+];
        }
    };
}

rejections! {
    // The request itself.
    Invalid { field: String, problem: FieldProblem } = "invalid_field",
        "{field}: {problem}.", "{field}：{problem}。";
    /// Everything that is wrong with something large, listed.
    Flawed { flaws: Flaws } = "flawed",
        "This cannot work as it is: {flaws}.", "内容有误，共 {flaws}。";
    BodyMalformed { detail: String } = "body_malformed",
        "The body is not the JSON expected here: {detail}.", "请求体不是此处要求的 JSON：{detail}。";
    BodyTooLarge { max_bytes: u64 } = "body_too_large",
        "The body is larger than {max_bytes} bytes.", "请求体超过 {max_bytes} 字节。";
    HeadTooLarge { max_bytes: u64 } = "head_too_large",
        "The address and headers are larger than {max_bytes} bytes.", "请求行与请求头超过 {max_bytes} 字节。";
    MediaType = "media_type", "Send the body as application/json.", "请以 application/json 发送请求体。";
    CursorInvalid = "cursor_invalid",
        "This cursor is not one of ours. Start again from the first page.", "分页游标无效，请从第一页重新开始。";
    NotFound { what: Subject } = "not_found", "There is no such {what}.", "没有这个{what}。";
    MethodNotAllowed = "method_not_allowed",
        "This address does not take that method.", "该地址不支持此请求方法。";
    /// The same idempotency key came with another body.
    IdempotencyConflict = "idempotency_conflict",
        "This Idempotency-Key was used before with a different request. Use a new key.",
        "该 Idempotency-Key 已用于另一请求，请换一个新的。";
    CrossSite = "cross_site",
        "This request came from another site and was not carried out.", "请求来自其他站点，未执行。";

    // Who may.
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

    // How often.
    RateLimited { retry_after_s: i64 } = "rate_limited",
        "Too many requests. Try again in {retry_after_s} s.", "请求过于频繁，请 {retry_after_s} 秒后再试。";
    Overloaded { retry_after_s: i64 } = "overloaded",
        "Too busy right now; nothing was done. Try again in {retry_after_s} s.",
        "系统繁忙，操作未执行，请 {retry_after_s} 秒后再试。";
    LedgerUnavailable { retry_after_s: i64 } = "ledger_unavailable",
        "The ledger cannot write now; nothing was done. /readyz says why. Try again in {retry_after_s} s.",
        "账本暂时无法写入，操作未执行；原因见 /readyz。请 {retry_after_s} 秒后再试。";
    TimedOut = "timed_out",
        "The answer took too long. Repeat with the same Idempotency-Key or id.", "处理超时，请使用相同的 Idempotency-Key 或 ID 重试。";
    OutcomeUnknown = "outcome_unknown",
        "It is not known whether this was saved. Repeat with the same Idempotency-Key or id.",
        "暂时无法确认是否已保存，请使用相同的 Idempotency-Key 或 ID 重试。";

    // Codes, passwords, links.
    CodeTooSoon { retry_after_s: i64 } = "code_too_soon",
        "A code was sent a moment ago. Ask again in {retry_after_s} s.", "验证码刚刚发送，请 {retry_after_s} 秒后再获取。";
    CodeDailyCap = "code_daily_cap",
        "Too many codes today. Try again tomorrow.", "今日验证码次数已达上限，请明天再试。";
    CodeWrong { at: CodeField, tries_left: u32 } = "code_wrong",
        "That code is wrong; {tries_left} tries left.", "验证码错误，还可尝试 {tries_left} 次。";
    CodeSpent { at: CodeField } = "code_spent",
        "There is no live code for this phone. Ask for a new one.", "验证码不存在或已失效，请重新获取。";
    CredentialsWrong = "credentials_wrong",
        "Phone or password is wrong.", "手机号或密码错误。";
    PasswordWrong = "password_wrong",
        "That is not your password.", "当前密码不正确。";
    PasswordWeak = "password_weak",
        "Choose a password of at least {PASSWORD_MIN} characters that is not your phone number and not one repeated character.",
        "密码至少 {PASSWORD_MIN} 位，不能是手机号，也不能是同一字符的重复。";
    PhoneTaken = "phone_taken",
        "This phone already belongs to an account.", "该手机号已被注册。";
    PhoneUnchanged = "phone_unchanged",
        "The new phone is the one you already have.", "新手机号与当前手机号相同。";
    LinkSpent = "link_spent",
        "This sign-in link was used or has expired.", "登录链接已使用或已过期。";

    // Limits on what one person may keep.
    AddressBookFull { max: u32 } = "address_book_full",
        "An address book holds {max} entries at most.", "地址簿最多保存 {max} 条。";
    FactsFull { max: u32 } = "facts_full",
        "A user may have {max} facts at most.", "每个用户最多 {max} 条属性。";

    // Running the place.
    SelfBan = "self_ban", "You cannot ban yourself.", "不能封禁自己。";
    LastAdmin = "last_admin",
        "This would leave nobody with the role admin.", "此操作会使系统没有管理员。";
    /// Written on top of a version that is not the newest any more.
    VersionStale { newest: u32 } = "version_stale",
        "Version {newest} was saved meanwhile. Look at it, then save on top of it.",
        "期间已保存第 {newest} 版，请查看后在其基础上保存。";
    BlockListFull { max: u32 } = "block_list_full",
        "A block list holds {max} users at most.", "黑名单最多 {max} 人。";
    AlreadyDecided { state: String } = "already_decided",
        "This request is already {state}.", "该申请已处于 {state} 状态。";
    ScheduleInvalid { detail: String } = "schedule_invalid",
        "Not a schedule: {detail}.", "计划表达式无效：{detail}。";
    LeaseLost = "lease_lost",
        "Another worker has taken this over.", "该任务已由其他工作进程接管。";

    // Stock.
    PoolUnknown { pool: String } = "pool_unknown",
        "There is no pool {pool}.", "没有库存池 {pool}。";
    HoldUnknown = "hold_unknown", "There is no such hold.", "没有这个预扣。";
    /// Fewer units are free than were asked for.
    SoldOut { pool: String, left: u64 } = "sold_out",
        "{pool} has only {left} left.", "{pool} 仅剩 {left} 件。";
    LimitReached { pool: String, limit: u32, has: u32 } = "limit_reached",
        "One owner may have {limit} of {pool} and already has {has}.", "{pool} 每人限 {limit} 件，已有 {has} 件。";
    PoolFrozen { pool: String } = "frozen", "{pool} is frozen for now.", "{pool} 已冻结。";
    PoolClosed { pool: String } = "closed", "{pool} is closed.", "{pool} 已关闭。";
    /// An id was accepted before with another body.
    IdConflict = "conflict",
        "This id was used before with a different request. Use a new id.", "该 ID 已用于另一请求，请换一个新的。";
    AlreadyConfirmed = "already_confirmed", "This hold is already confirmed.", "该预扣已确认。";
    AlreadyCancelled = "already_cancelled", "This hold is already cancelled.", "该预扣已取消。";
    HoldExpired = "expired", "This hold has expired.", "该预扣已过期。";
    NotHeld { pool: String } = "not_held",
        "That is more of {pool} than the hold has.", "超出该预扣中 {pool} 的数量。";
    NotFree { pool: String, left: u64 } = "not_free",
        "Only {left} of {pool} are free to be taken away.", "{pool} 仅有 {left} 件可扣减。";
    TotalTooLarge { pool: String } = "total_too_large",
        "{pool} cannot hold that many.", "{pool} 的总量超出上限。";
    /// A pool of that name is there, or this round was opened before, or the round before is not closed.
    RoundStale { pool: String, round: u32 } = "round_stale",
        "Round {round} of {pool} cannot be opened: it is there already, or the round before it is not closed.",
        "无法开启 {pool} 的第 {round} 轮：该轮已存在，或上一轮尚未关闭。";
    ExtendTooFar { max_ms: i64 } = "extend_too_far",
        "A hold lives for {max_ms} ms at most, counted from its beginning.", "预扣自创建起最长保留 {max_ms} 毫秒。";
    /// Cancellations of holds that never arrived, not yet in the database.
    TombstonesFull { max: u32, retry_after_s: i64 } = "tombstones_full",
        "More than {max} cancellations of unknown holds are under way. Try again in {retry_after_s} s.",
        "未知预扣的取消请求超过 {max} 个，请 {retry_after_s} 秒后再试。";
    StreamsFull { max: u32, retry_after_s: i64 } = "streams_full",
        "All {max} live streams are taken. Try again in {retry_after_s} s.", "实时推送连接已达上限 {max}，请 {retry_after_s} 秒后再试。";

    // Activities.
    StepIllegal { state: State, action: Action } = "step_illegal",
        "An activity that is {state} does not take the step {action}.", "活动处于 {state} 状态，不能执行 {action}。";
    NotAuthor = "not_author", "Only those who wrote it can withdraw it.", "只有编辑者可以撤审。";
    NotDue { at: Timestamp } = "not_due", "Not before {at}.", "须等到 {at}。";
    WindowOver { at: Timestamp } = "window_over",
        "Its window ended at {at}. Give it a later window first.", "活动时间已于 {at} 结束，请先调整活动时间。";
    RoundsSpent = "rounds_spent", "It cannot be opened another time.", "活动重开次数已达上限。";
    /// What was read is no longer what is there.
    EditedMeanwhile { edition: u32 } = "edited_meanwhile",
        "Somebody changed it meanwhile: it is at edition {edition} now. Look again.",
        "内容已被他人修改，当前为第 {edition} 次编辑，请重新查看。";
    VersionUnchanged = "version_unchanged",
        "This version changes nothing.", "该版本没有任何变更。";

    // Playing.
    /// Published, and not known to the ledger.
    NotRunning = "not_running", "This activity is not running.", "活动未在进行中。";
    NotStarted { from: Timestamp } = "not_started", "This activity starts at {from}.", "活动将于 {from} 开始。";
    Ended = "ended", "This activity has ended.", "活动已结束。";
    Paused = "paused", "This activity is paused for now. Your chances are safe.", "活动暂停中，您的次数不受影响。";
    /// The switch that stops every activity.
    Halted = "halted", "All activities are paused for now. Your chances are safe.", "所有活动暂停中，您的次数不受影响。";
    /// The rule tree says no.
    NotEligible = "not_eligible", "This activity is not open to you.", "您不符合该活动的参与条件。";
    /// Fewer entries are left than draws were asked for.
    EntriesGone { left: u64 } = "entries_gone",
        "Only {left} entries are left for everybody.", "活动剩余名额仅 {left} 个。";
    ChancesSpent { left: u32 } = "chances_spent",
        "You have {left} chances left.", "您的剩余次数为 {left}。";
    ChancesSpentMonth { left: u32 } = "chances_spent_month",
        "You have {left} chances left this month.", "您本月的剩余次数为 {left}。";
    ChancesSpentDay { left: u32 } = "chances_spent_day",
        "You have {left} chances left today.", "您今日的剩余次数为 {left}。";
    ClientValueFixed = "client_value_fixed",
        "Your own lucky value was fixed by your first draw of this round.", "您的幸运值已在本轮首次抽奖时确定，不能更改。";
    GrantOutOfRange { max: u32 } = "grant_out_of_range",
        "At most {max} more chances can be granted here.", "此处最多还可赠送 {max} 次。";
    EntersOnly = "enters_only", "This is a raffle: enter it instead of drawing.", "这是开奖型活动，请报名参与，不能直接抽奖。";
    DrawsOnly = "draws_only", "One draws here at once; there is nothing to enter.", "这是即时抽奖活动，无需报名。";

    // Raffles.
    /// Nothing may depend on a roll that nobody has seen.
    RollUnpublished = "roll_unpublished",
        "The roll of this round is not public yet. It follows when entering is over.", "本轮名册尚未公布，报名结束后公布。";
    BeaconUnnamed = "beacon_unnamed",
        "The roll names no beacon: the winners follow from the secret and the roll alone.",
        "名册未指定信标，开奖结果仅由密钥与名册决定。";
    BeaconFixed = "beacon_fixed",
        "The beacon has another value already, and keeps it.", "信标已有另一个值，不能更改。";

    // Points.
    PointsShort { has: i64, needs: i64 } = "points_short",
        "This takes {needs} points, and there are {has}.", "此操作需要 {needs} 积分，当前可用 {has} 积分。";
    PointsOutOfRange { max: i64 } = "points_out_of_range",
        "An account may hold or owe {max} points at most.", "积分账户余额或欠额最多为 {max}。";
    PointsReversed { n: i64 } = "points_reversed",
        "Row {n} of the statement was taken back before.", "第 {n} 条积分记录已被冲正。";
    /// A row that is itself a reversal, or an expiry.
    PointsFinal { n: i64 } = "points_final",
        "Row {n} of the statement cannot be taken back: only credits and spendings can.",
        "第 {n} 条积分记录不能冲正，只有入账与消费记录可以冲正。";
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}

impl std::error::Error for Rejection {}

impl Rejection {
    pub fn invalid(field: &str, problem: FieldProblem) -> Self {
        Self::Invalid { field: field.to_owned(), problem }
    }

    /// The field a form should point at.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Invalid { field, .. } => Some(field),
            Self::CodeWrong { at, .. } | Self::CodeSpent { at } => Some(at.0),
            _ => None,
        }
    }

    /// Everything that is wrong, where there may be several things.
    pub fn flaws(&self) -> &[Flaw] {
        match self {
            Self::Flawed { flaws } => flaws.listed(),
            _ => &[],
        }
    }

    /// Seconds after which trying again makes sense.
    pub fn retry_after_s(&self) -> Option<i64> {
        match self {
            Self::RateLimited { retry_after_s }
            | Self::Overloaded { retry_after_s }
            | Self::LedgerUnavailable { retry_after_s }
            | Self::CodeTooSoon { retry_after_s }
            | Self::TombstonesFull { retry_after_s, .. }
            | Self::StreamsFull { retry_after_s, .. } => Some(*retry_after_s),
            _ => None,
        }
    }

    /// The figures in the sentence, for programs.
    pub fn details(&self) -> Details {
        let mut details = Details::default();
        match self {
            Self::SoldOut { pool, left } | Self::NotFree { pool, left } => {
                (details.pool, details.left) = (Some(pool.clone()), Some(*left));
            }
            Self::LimitReached { pool, limit, has } => {
                (details.pool, details.limit, details.has) = (Some(pool.clone()), Some(*limit), Some(*has));
            }
            Self::PoolUnknown { pool }
            | Self::PoolFrozen { pool }
            | Self::PoolClosed { pool }
            | Self::NotHeld { pool }
            | Self::TotalTooLarge { pool }
            | Self::RoundStale { pool, .. } => details.pool = Some(pool.clone()),
            _ => {}
        }
        details
    }
}

/// What a refusal of stock is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    pub pool: Option<String>,
    /// Units of it that are free.
    pub left: Option<u64>,
    /// Units of it that one owner may have.
    pub limit: Option<u32>,
    /// Units of it that this owner has.
    pub has: Option<u32>,
}

/// What can be wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldProblem {
    Missing,
    Unknown,
    Malformed,
    TooShort { min: u64 },
    TooLong { max: u64 },
    OutOfRange { min: i64, max: i64 },
    NotOneOf { allowed: &'static str },
    Duplicate,
}

impl FieldProblem {
    /// The stable name.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Unknown => "unknown",
            Self::Malformed => "malformed",
            Self::TooShort { .. } => "too_short",
            Self::TooLong { .. } => "too_long",
            Self::OutOfRange { .. } => "out_of_range",
            Self::NotOneOf { .. } => "not_one_of",
            Self::Duplicate => "duplicate",
        }
    }
}

/// What was looked for and is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    User,
    Session,
    Key,
    Address,
    Approval,
    Job,
    Activity,
    Version,
    Round,
    Prize,
    Page,
    Tree,
    /// Somebody on an activity's block list.
    Blocked,
    /// A draw or an entry of one's own.
    Ticket,
    /// A row of a statement of points.
    PointsRow,
}

/// The field a code was typed into: a request may take two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeField(pub &'static str);

/// When a ban ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BanEnd {
    Never,
    At(Timestamp),
}

/// A value inside a sentence, in the sentence's language.
struct Worded<'a, T>(Lang, &'a T);

macro_rules! worded_plainly {
    ($($type:ty),+) => {$(
        impl fmt::Display for Worded<'_, $type> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self.1, f)
            }
        }
    )+};
}
worded_plainly!(String, u32, u64, i64, Scope, Timestamp);

impl fmt::Display for Worded<'_, State> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1.name())
    }
}

impl fmt::Display for Worded<'_, Action> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1.name())
    }
}

/// Which field it was is for the form, not for the sentence.
impl fmt::Display for Worded<'_, CodeField> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1.0)
    }
}

/// How many there are; each has a text of its own in the list.
impl fmt::Display for Worded<'_, Flaws> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1.found()) {
            (Lang::En, 1) => f.write_str("1 problem"),
            (Lang::En, found) => write!(f, "{found} problems"),
            (Lang::Zh, found) => write!(f, "{found} 处问题"),
        }
    }
}

impl fmt::Display for Worded<'_, FieldProblem> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use FieldProblem::{Duplicate, Malformed, Missing, NotOneOf, OutOfRange, TooLong, TooShort, Unknown};
        match (self.0, self.1) {
            (Lang::En, Missing) => f.write_str("is missing"),
            (Lang::Zh, Missing) => f.write_str("缺失"),
            (Lang::En, Unknown) => f.write_str("is not a field of this request"),
            (Lang::Zh, Unknown) => f.write_str("不是此请求的字段"),
            (Lang::En, Malformed) => f.write_str("is not written as expected"),
            (Lang::Zh, Malformed) => f.write_str("格式不正确"),
            (Lang::En, TooShort { min }) => write!(f, "is too short (at least {min})"),
            (Lang::Zh, TooShort { min }) => write!(f, "太短（至少 {min} 个字符）"),
            (Lang::En, TooLong { max }) => write!(f, "is too long (at most {max})"),
            (Lang::Zh, TooLong { max }) => write!(f, "太长（最多 {max} 个字符）"),
            (Lang::En, OutOfRange { min, max }) => write!(f, "must be between {min} and {max}"),
            (Lang::Zh, OutOfRange { min, max }) => write!(f, "必须在 {min} 与 {max} 之间"),
            (Lang::En, NotOneOf { allowed }) => write!(f, "must be one of {allowed}"),
            (Lang::Zh, NotOneOf { allowed }) => write!(f, "必须是以下之一：{allowed}"),
            (Lang::En, Duplicate) => f.write_str("appears twice"),
            (Lang::Zh, Duplicate) => f.write_str("重复出现"),
        }
    }
}

impl fmt::Display for Worded<'_, Subject> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (en, zh) = match self.1 {
            Subject::User => ("user", "用户"),
            Subject::Session => ("session", "会话"),
            Subject::Key => ("API key", "API 密钥"),
            Subject::Address => ("address", "地址"),
            Subject::Approval => ("approval request", "审批申请"),
            Subject::Job => ("job", "任务"),
            Subject::Activity => ("activity", "活动"),
            Subject::Version => ("version", "版本"),
            Subject::Round => ("round", "轮次"),
            Subject::Prize => ("prize", "奖品"),
            Subject::Page => ("page", "页面"),
            Subject::Tree => ("rule tree, or no such version of it", "规则树或其版本"),
            Subject::Blocked => ("user on this block list", "黑名单用户"),
            Subject::Ticket => ("ticket", "抽奖记录"),
            Subject::PointsRow => ("row of this statement", "积分记录"),
        };
        f.write_str(if self.0 == Lang::En { en } else { zh })
    }
}

impl fmt::Display for Worded<'_, Role> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.0, self.1) {
            (Lang::En, role) => role.name(),
            (Lang::Zh, Role::Player) => "玩家",
            (Lang::Zh, Role::Operator) => "运营",
            (Lang::Zh, Role::Reviewer) => "审核",
            (Lang::Zh, Role::Admin) => "管理员",
        })
    }
}

impl fmt::Display for Worded<'_, BanEnd> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (Lang::En, BanEnd::Never) => f.write_str("for good"),
            (Lang::Zh, BanEnd::Never) => f.write_str("（永久）"),
            (Lang::En, BanEnd::At(at)) => write!(f, "until {at}"),
            (Lang::Zh, BanEnd::At(at)) => write!(f, "至 {at}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One row per rejection: its code and both texts. A rejection without a row fails the test below.
    fn rows() -> Vec<(Rejection, &'static str)> {
        use Rejection::*;
        vec![
            (
                Rejection::invalid("name", FieldProblem::TooLong { max: 40 }),
                "name: is too long (at most 40).",
            ),
            (
                Rejection::of_flaws([Flaw::new("a", "x", "x", "x"), Flaw::new("b", "y", "y", "y")])
                    .unwrap_err(),
                "This cannot work as it is: 2 problems.",
            ),
            (BodyMalformed { detail: "line 1".into() }, "The body is not the JSON expected here: line 1."),
            (BodyTooLarge { max_bytes: 9 }, "The body is larger than 9 bytes."),
            (HeadTooLarge { max_bytes: 9 }, "The address and headers are larger than 9 bytes."),
            (MediaType, "Send the body as application/json."),
            (CursorInvalid, "This cursor is not one of ours. Start again from the first page."),
            (NotFound { what: Subject::Key }, "There is no such API key."),
            (MethodNotAllowed, "This address does not take that method."),
            (
                IdempotencyConflict,
                "This Idempotency-Key was used before with a different request. Use a new key.",
            ),
            (CrossSite, "This request came from another site and was not carried out."),
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
            (RateLimited { retry_after_s: 3 }, "Too many requests. Try again in 3 s."),
            (Overloaded { retry_after_s: 1 }, "Too busy right now; nothing was done. Try again in 1 s."),
            (
                LedgerUnavailable { retry_after_s: 1 },
                "The ledger cannot write now; nothing was done. /readyz says why. Try again in 1 s.",
            ),
            (TimedOut, "The answer took too long. Repeat with the same Idempotency-Key or id."),
            (
                OutcomeUnknown,
                "It is not known whether this was saved. Repeat with the same Idempotency-Key or id.",
            ),
            (CodeTooSoon { retry_after_s: 60 }, "A code was sent a moment ago. Ask again in 60 s."),
            (CodeDailyCap, "Too many codes today. Try again tomorrow."),
            (CodeWrong { at: CodeField("code"), tries_left: 4 }, "That code is wrong; 4 tries left."),
            (CodeSpent { at: CodeField("code") }, "There is no live code for this phone. Ask for a new one."),
            (CredentialsWrong, "Phone or password is wrong."),
            (PasswordWrong, "That is not your password."),
            (
                PasswordWeak,
                "Choose a password of at least 8 characters that is not your phone number and not one repeated character.",
            ),
            (PhoneTaken, "This phone already belongs to an account."),
            (PhoneUnchanged, "The new phone is the one you already have."),
            (LinkSpent, "This sign-in link was used or has expired."),
            (AddressBookFull { max: 20 }, "An address book holds 20 entries at most."),
            (FactsFull { max: 64 }, "A user may have 64 facts at most."),
            (SelfBan, "You cannot ban yourself."),
            (LastAdmin, "This would leave nobody with the role admin."),
            (
                VersionStale { newest: 3 },
                "Version 3 was saved meanwhile. Look at it, then save on top of it.",
            ),
            (BlockListFull { max: 9 }, "A block list holds 9 users at most."),
            (AlreadyDecided { state: "approved".into() }, "This request is already approved."),
            (ScheduleInvalid { detail: "x".into() }, "Not a schedule: x."),
            (LeaseLost, "Another worker has taken this over."),
            (PoolUnknown { pool: "tea".into() }, "There is no pool tea."),
            (HoldUnknown, "There is no such hold."),
            (SoldOut { pool: "tea".into(), left: 2 }, "tea has only 2 left."),
            (
                LimitReached { pool: "tea".into(), limit: 3, has: 2 },
                "One owner may have 3 of tea and already has 2.",
            ),
            (PoolFrozen { pool: "tea".into() }, "tea is frozen for now."),
            (PoolClosed { pool: "tea".into() }, "tea is closed."),
            (IdConflict, "This id was used before with a different request. Use a new id."),
            (AlreadyConfirmed, "This hold is already confirmed."),
            (AlreadyCancelled, "This hold is already cancelled."),
            (HoldExpired, "This hold has expired."),
            (NotHeld { pool: "tea".into() }, "That is more of tea than the hold has."),
            (NotFree { pool: "tea".into(), left: 2 }, "Only 2 of tea are free to be taken away."),
            (TotalTooLarge { pool: "tea".into() }, "tea cannot hold that many."),
            (
                RoundStale { pool: "tea".into(), round: 2 },
                "Round 2 of tea cannot be opened: it is there already, or the round before it is not closed.",
            ),
            (ExtendTooFar { max_ms: 9 }, "A hold lives for 9 ms at most, counted from its beginning."),
            (
                TombstonesFull { max: 9, retry_after_s: 1 },
                "More than 9 cancellations of unknown holds are under way. Try again in 1 s.",
            ),
            (StreamsFull { max: 9, retry_after_s: 5 }, "All 9 live streams are taken. Try again in 5 s."),
            (
                StepIllegal { state: State::Closed, action: Action::Pause },
                "An activity that is closed does not take the step pause.",
            ),
            (NotAuthor, "Only those who wrote it can withdraw it."),
            (NotDue { at: Timestamp(0) }, "Not before 1970-01-01 00:00 UTC."),
            (
                WindowOver { at: Timestamp(0) },
                "Its window ended at 1970-01-01 00:00 UTC. Give it a later window first.",
            ),
            (RoundsSpent, "It cannot be opened another time."),
            (
                EditedMeanwhile { edition: 3 },
                "Somebody changed it meanwhile: it is at edition 3 now. Look again.",
            ),
            (VersionUnchanged, "This version changes nothing."),
            (NotRunning, "This activity is not running."),
            (NotStarted { from: Timestamp(0) }, "This activity starts at 1970-01-01 00:00 UTC."),
            (Ended, "This activity has ended."),
            (Paused, "This activity is paused for now. Your chances are safe."),
            (Halted, "All activities are paused for now. Your chances are safe."),
            (NotEligible, "This activity is not open to you."),
            (EntriesGone { left: 3 }, "Only 3 entries are left for everybody."),
            (ChancesSpent { left: 0 }, "You have 0 chances left."),
            (ChancesSpentMonth { left: 1 }, "You have 1 chances left this month."),
            (ChancesSpentDay { left: 2 }, "You have 2 chances left today."),
            (ClientValueFixed, "Your own lucky value was fixed by your first draw of this round."),
            (GrantOutOfRange { max: 5 }, "At most 5 more chances can be granted here."),
            (EntersOnly, "This is a raffle: enter it instead of drawing."),
            (DrawsOnly, "One draws here at once; there is nothing to enter."),
            (RollUnpublished, "The roll of this round is not public yet. It follows when entering is over."),
            (
                BeaconUnnamed,
                "The roll names no beacon: the winners follow from the secret and the roll alone.",
            ),
            (BeaconFixed, "The beacon has another value already, and keeps it."),
            (PointsShort { has: 2, needs: 5 }, "This takes 5 points, and there are 2."),
            (PointsOutOfRange { max: 9 }, "An account may hold or owe 9 points at most."),
            (PointsReversed { n: 3 }, "Row 3 of the statement was taken back before."),
            (
                PointsFinal { n: 3 },
                "Row 3 of the statement cannot be taken back: only credits and spendings can.",
            ),
        ]
    }

    #[test]
    fn every_rejection_has_a_row_and_two_texts() {
        let rows = rows();
        let codes: Vec<_> = rows.iter().map(|(rejection, _)| rejection.code()).collect();
        assert_eq!(codes, Rejection::CODES, "the rows follow the table");
        for (rejection, english) in rows {
            assert_eq!(rejection.text(Lang::En), english);
            let chinese = rejection.text(Lang::Zh);
            assert!(chinese.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{chinese}");
        }
    }

    #[test]
    fn codes_are_distinct() {
        let mut codes = Rejection::CODES.to_vec();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Rejection::CODES.len());
    }

    #[test]
    fn every_field_problem_speaks_both_languages() {
        use FieldProblem::*;
        for problem in [
            Missing,
            Unknown,
            Malformed,
            TooShort { min: 1 },
            TooLong { max: 2 },
            OutOfRange { min: 1, max: 2 },
            NotOneOf { allowed: "a, b" },
            Duplicate,
        ] {
            let rejection = Rejection::invalid("f", problem);
            assert_ne!(rejection.text(Lang::En), rejection.text(Lang::Zh));
        }
    }
}
