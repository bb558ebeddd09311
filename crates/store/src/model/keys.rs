//! API keys of the company's backend, its users, and one-time sign-in links.

use domain::access::Scopes;
use domain::ids::{ApprovalId, KeyId, UserId};
use domain::time::Timestamp;

use super::{AccountMark, AuditStamp, CreateOutcome, NewSession, Once, SecondPerson};

#[derive(Clone, Debug)]
pub struct KeyCreate {
    pub id: KeyId,
    pub name: String,
    pub scopes: Scopes,
    pub secret_hash: [u8; 32],
    /// A key with `admin` waits for one.
    pub second: SecondPerson,
    /// Keys of one person that work or wait.
    pub live_max: u32,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

/// What came of making a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyMade {
    pub made: CreateOutcome,
    /// The request that a second person has to approve before it works.
    pub waits: Option<ApprovalId>,
}

/// A new secret; the old one works until `overlap_until`.
#[derive(Clone, Debug)]
pub struct KeyRotate {
    pub id: KeyId,
    pub secret_hash: [u8; 32],
    pub overlap_until: Timestamp,
    /// Keys of one person that work or wait: whoever rotates a key answers for it from then on.
    pub live_max: u32,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    pub id: KeyId,
    pub name: String,
    pub scopes: Scopes,
    pub created: Timestamp,
    pub last_used: Option<Timestamp>,
    pub previous_until: Option<Timestamp>,
    pub revoked: Option<Timestamp>,
    /// Who made it; nobody for a key of the command line.
    pub maker: Option<UserId>,
    /// The request that a second person has to approve before it works.
    pub waits: Option<ApprovalId>,
}

/// The account behind one of the company's own user ids, made on first use.
#[derive(Clone, Debug)]
pub struct ExternalUser {
    pub external_id: String,
    /// A keyed hash of it.
    pub mark: AccountMark,
    /// Used when there is none yet.
    pub id: UserId,
    pub name: String,
    pub sign_up_day: i64,
    pub now: Timestamp,
}

#[derive(Clone, Debug)]
pub struct LinkCreate {
    pub token_hash: [u8; 32],
    pub user: UserId,
    pub expires: Timestamp,
}

#[derive(Clone, Debug)]
pub struct LinkRedeem {
    pub token_hash: [u8; 32],
    pub session: NewSession,
    pub now: Timestamp,
}
