//! What staff do with accounts: look up, ban, set facts, read the audit log.

use domain::access::Roles;
use domain::account::{Ban, FactKey, FactValue};
use domain::ids::{AuditId, UserId};
use domain::time::Timestamp;

use super::{Actor, AuditStamp, NewUser, PhoneIndex};

#[derive(Clone, Debug, Default)]
pub struct UserQuery {
    /// Part of a name, case ignored.
    pub name: Option<String>,
    pub phone: Option<PhoneIndex>,
    pub external_id: Option<String>,
    /// Only users with all of these roles.
    pub roles: Roles,
    pub banned: bool,
    pub now: Timestamp,
}

#[derive(Clone, Debug)]
pub struct UserCreate {
    pub user: NewUser,
    pub phone: Option<PhoneIndex>,
    pub roles: Roles,
    pub signed: AuditStamp,
}

/// An account that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserMade {
    pub user: UserId,
    /// False when the phone already had it.
    pub new: bool,
}

#[derive(Clone, Debug)]
pub struct UserBan {
    pub user: UserId,
    /// `None` lifts the ban.
    pub ban: Option<Ban>,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug)]
pub struct FactsPut {
    pub user: UserId,
    /// `None` removes the fact.
    pub facts: Vec<(FactKey, Option<FactValue>)>,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactRow {
    pub key: String,
    pub value: FactValue,
    pub set_at: Timestamp,
    pub set_by: Actor,
}

#[derive(Clone, Debug, Default)]
pub struct AuditQuery {
    pub actor: Option<UserId>,
    pub action: Option<String>,
    pub subject: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRow {
    pub id: AuditId,
    pub at: Timestamp,
    pub actor: Actor,
    pub action: String,
    pub subject: String,
    pub reason: String,
    /// JSON texts, empty when there was nothing.
    pub before: String,
    pub after: String,
    pub request_id: String,
}

/// Names asked for at once.
pub const NAMES_MAX: usize = 1_000;
