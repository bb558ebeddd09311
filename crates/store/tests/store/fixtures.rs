//! Inputs of steps, and what tests ask about their outcomes.

use domain::access::{DailyAllowance, KeyCaps, Role, Roles};
use domain::account::{Ban, CodeHolder, CodePurpose, SendCaps, SessionPolicy};
use domain::fingerprint::Fingerprint;
use domain::ids::{ApprovalId, OrderId, SessionId, UserId};
use domain::rejection::BanEnd;
use domain::rejection::CodeField;
use domain::time::{DAY_MS, Timestamp};
use store::Db;
use store::failure::{Failure, Result};
use store::model::*;

pub const T0: Timestamp = Timestamp(1_700_000_000_000);
pub const POLICY: SessionPolicy = SessionPolicy { idle_ms: DAY_MS, absolute_ms: 30 * DAY_MS };
pub const RIGHT: [u8; 32] = [1; 32];
pub const WRONG: [u8; 32] = [2; 32];

/// "ok", or the code of the rejection. A fault fails the test with its story.
pub fn said<T>(outcome: Result<T>) -> &'static str {
    match outcome {
        Ok(_) => "ok",
        Err(Failure::Rejected(rejection)) => rejection.code(),
        Err(Failure::Fault(fault)) => panic!("{}", fault.story()),
    }
}

/// The n-th phone.
pub fn phone(n: u8) -> PhoneIndex {
    [n; 32]
}

pub fn hash(n: i64) -> [u8; 32] {
    Fingerprint::of(&[&n.to_be_bytes()]).0
}

pub fn issue(n: u8, purpose: CodePurpose, now: Timestamp) -> CodeIssue {
    let caps = SendCaps { phone_daily: 100, ip_daily: 100, site_daily: 1_000 };
    let network = "10.0.0.1".into();
    let holder = CodeHolder::Strangers;
    CodeIssue { phone: phone(n), purpose, holder, code: RIGHT, network, day: 20_231_114, caps, now }
}

pub fn try_(n: u8, purpose: CodePurpose, code: [u8; 32], now: Timestamp) -> CodeTry {
    let (holder, network) = (CodeHolder::Strangers, "10.0.0.1".into());
    CodeTry { at: CodeField("code"), phone: phone(n), purpose, holder, network, code, now }
}

pub fn new_user(id: i64) -> NewUser {
    NewUser {
        id: UserId(id),
        name: format!("Player {id}"),
        phone_sealed: vec![9],
        password_hash: None,
        sign_up_day: 20_231_114,
    }
}

pub fn new_session(id: i64) -> NewSession {
    NewSession {
        id: SessionId(id),
        token_hash: hash(id),
        device_hash: hash(id),
        agent: "test".into(),
        address: "10.0.0.1".into(),
        consent: Consent::default(),
    }
}

pub fn once(key: &str, body: &str) -> Option<Once> {
    let fingerprint = Fingerprint::of(&[body.as_bytes()]);
    Some(Once { principal: "p".into(), key: key.into(), fingerprint, sealed: Some(body.as_bytes().to_vec()) })
}

/// The id of the audit line doubles as the request's id.
pub fn signed(actor: Actor, audit_id: i64) -> AuditStamp {
    let responsible = match actor {
        Actor::Person(user) => Some(user),
        Actor::Key(_) | Actor::Console | Actor::System => None,
    };
    AuditStamp {
        actor,
        responsible,
        reason: "because".into(),
        request_id: audit_id.to_string(),
        at: T0,
        audit_id,
        key_caps: KeyCaps {
            stops: DailyAllowance { day: 20_261_115, max: 5 },
            bars: DailyAllowance { day: 20_261_115, max: 5 },
        },
    }
}

/// A deletion that the owner of the n-th phone has proved with a code.
pub fn delete_by_code(user: UserId, n: u8, code: [u8; 32]) -> AccountDelete {
    let proof = DeletionProof::Code(try_(n, CodePurpose::ConfirmPhone, code, T0));
    AccountDelete { user, proof, limits_kept_until: T0 + DAY_MS, now: T0 }
}

/// A deletion by the company whose user it is.
pub fn delete_by_company(user: UserId, mark: AccountMark) -> AccountDelete {
    let proof = DeletionProof::Company { mark, signed: signed(Actor::Console, user.0 + 3) };
    AccountDelete { user, proof, limits_kept_until: T0 + DAY_MS, now: T0 }
}

/// One of the company's own users, as asked for at a moment.
pub fn external(external_id: &str, id: i64) -> ExternalUser {
    ExternalUser {
        external_id: external_id.into(),
        mark: mark_of(external_id),
        id: UserId(id),
        name: format!("Player {id}"),
        sign_up_day: 20_231_114,
        now: T0,
    }
}

pub fn mark_of(external_id: &str) -> AccountMark {
    Fingerprint::of(&[external_id.as_bytes()]).0
}

pub fn sign_in(n: u8, user: i64, session: i64, code: [u8; 32], now: Timestamp) -> SignInByCode {
    SignInByCode {
        try_: try_(n, CodePurpose::SignIn, code, now),
        user: new_user(user),
        second: None,
        session: new_session(session),
        once: None,
    }
}

/// An account with the n-th phone and some roles, made by the console.
pub async fn user(db: &Db, n: u8, roles: &[Role]) -> UserId {
    let id = i64::from(n) * 1_000;
    let step = UserCreate {
        user: new_user(id),
        phone: Some(phone(n)),
        roles: Roles::of(roles),
        signed: signed(Actor::Console, id + 1),
    };
    db.user_create(step).await.unwrap().user
}

/// Bans somebody for good.
pub async fn ban(db: &Db, user: UserId) {
    let ban = Some(Ban { reason: "spam".into(), since: T0, until: BanEnd::Never });
    db.user_ban(UserBan { user, ban, signed: signed(Actor::Console, user.0 + 2) }).await.unwrap();
}

/// A session of somebody, by a fresh code.
pub async fn session(db: &Db, n: u8, session: i64, now: Timestamp) -> UserId {
    db.code_issue(issue(n, CodePurpose::SignIn, now)).await.unwrap();
    UserId(db.sign_in_by_code(sign_in(n, i64::from(n) * 1_000, session, RIGHT, now)).await.unwrap().id)
}

pub async fn live_sessions(db: &Db, user: UserId) -> Vec<i64> {
    db.session_list(user, POLICY, T0).await.unwrap().into_iter().map(|row| row.id.0).collect()
}

/// The actions on record about a subject, oldest first.
pub async fn audited(db: &Db, subject: &str) -> Vec<String> {
    let query = AuditQuery { subject: Some(subject.into()), ..AuditQuery::default() };
    let page = db.audit_list(query, Default::default()).await.unwrap();
    page.items.into_iter().rev().map(|line| line.action).collect()
}

/// So much that nobody needs a second person.
pub const MUCH: DailyAllowance = DailyAllowance { day: 20_231_114, max: i64::MAX };

/// What asks a second person, should it come to that.
pub fn second(id: i64) -> SecondPerson {
    SecondPerson { approval: ApprovalId(60_000_000 + id), audit_id: 61_000_000 + id }
}

pub fn refund(order: i64, message: i64, signed: AuditStamp) -> RefundAsk {
    RefundAsk { order: OrderId(order), message, alone: MUCH, second: second(message), signed }
}

pub fn giving_caps(id: i64, max: i64) -> GivingCaps {
    let alone = DailyAllowance { max, ..MUCH };
    GivingCaps { points: alone, chances: alone, second: second(id) }
}
