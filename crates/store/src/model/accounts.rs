//! Sign-in, registration, profile, sessions, addresses.

use domain::access::Roles;
use domain::account::{Ban, CodeHolder, CodePurpose, SendCaps, SessionTimes};
use domain::ids::{AddressId, SessionId, UserId};
use domain::rejection::CodeField;
use domain::time::Timestamp;

use super::{AuditStamp, Once, SecondProof};

/// A keyed hash of a phone (made by the vault): how accounts and codes are found.
pub type PhoneIndex = [u8; 32];

/// A keyed hash by which a deleted account is found again: a phone's [`PhoneIndex`], or that of an external id.
pub type AccountMark = [u8; 32];

#[derive(Clone, Debug)]
pub struct CodeIssue {
    pub phone: PhoneIndex,
    pub purpose: CodePurpose,
    /// Keyed hash of the digits, bound to phone and purpose.
    pub code: [u8; 32],
    pub holder: CodeHolder,
    /// The network counted for the daily caps.
    pub network: String,
    /// The day in the site's zone, as yyyymmdd.
    pub day: i64,
    pub caps: SendCaps,
    pub now: Timestamp,
}

/// A try at a code: where it applies and the keyed hash of what was typed.
#[derive(Clone, Debug)]
pub struct CodeTry {
    /// Where it was typed, should it be wrong.
    pub at: CodeField,
    pub phone: PhoneIndex,
    pub purpose: CodePurpose,
    pub holder: CodeHolder,
    /// Where a stranger's wrong tries are counted.
    pub network: String,
    pub code: [u8; 32],
    pub now: Timestamp,
}

/// A session about to start.
#[derive(Clone, Debug)]
pub struct NewSession {
    pub id: SessionId,
    pub token_hash: [u8; 32],
    /// The browser it is in: known to this account from now on.
    pub device_hash: [u8; 32],
    pub agent: String,
    pub address: String,
    pub consent: Consent,
}

/// What a player agrees to by signing in.
#[derive(Clone, Debug, Default)]
pub struct Consent {
    /// The name of the terms that hold now; without it nobody is asked.
    pub terms: Option<String>,
    /// Whether the player agreed to them with this sign-in.
    pub given: bool,
}

/// An account about to be made, should the phone have none.
#[derive(Clone, Debug)]
pub struct NewUser {
    pub id: UserId,
    pub name: String,
    pub phone_sealed: Vec<u8>,
    pub password_hash: Option<String>,
    pub sign_up_day: i64,
}

#[derive(Clone, Debug)]
pub struct SignInByCode {
    pub try_: CodeTry,
    pub user: NewUser,
    /// For an account that has a second factor.
    pub second: Option<SecondProof>,
    pub session: NewSession,
    pub once: Option<Once>,
}

#[derive(Clone, Debug)]
pub struct Register {
    pub try_: CodeTry,
    pub user: NewUser,
    pub session: NewSession,
    pub once: Option<Once>,
}

/// Starts a session for somebody whose password was just verified against `password_hash`.
#[derive(Clone, Debug)]
pub struct SignInByPassword {
    pub user: UserId,
    pub password_hash: String,
    /// The same password at today's cost, when the stored one was cheaper or dearer.
    pub rehashed: Option<String>,
    /// For an account that has a second factor.
    pub second: Option<SecondProof>,
    pub session: NewSession,
    pub now: Timestamp,
    pub once: Option<Once>,
}

/// Verifies the code and sets the password in one step; ends every session.
#[derive(Clone, Debug)]
pub struct PasswordReset {
    pub try_: CodeTry,
    pub password_hash: String,
}

/// Ends every session but the caller's.
#[derive(Clone, Debug)]
pub struct PasswordChange {
    pub user: UserId,
    pub keep: SessionId,
    /// The hash the old password was verified against; nothing happens if it changed meanwhile.
    pub seen_hash: Option<String>,
    pub password_hash: String,
    pub now: Timestamp,
}

#[derive(Clone, Debug)]
pub struct PhoneChange {
    pub user: UserId,
    pub old: CodeTry,
    pub new: CodeTry,
    pub new_sealed: Vec<u8>,
    /// The session that goes on; all others end.
    pub keep: SessionId,
}

/// Personal data goes; the id stays, so that the ledger still adds up.
#[derive(Clone, Debug)]
pub struct AccountDelete {
    pub user: UserId,
    pub proof: DeletionProof,
    /// Until then whoever returns goes on with the limits they left.
    pub limits_kept_until: Timestamp,
    pub now: Timestamp,
}

/// Who says that the account is to be deleted.
#[derive(Clone, Debug)]
pub enum DeletionProof {
    /// Its owner, by a code to its phone.
    Code(CodeTry),
    /// The company, whose own user has no phone here.
    Company { mark: AccountMark, signed: AuditStamp },
}

#[derive(Clone, Debug)]
pub struct ProfileEdit {
    pub user: UserId,
    pub name: Option<String>,
    pub avatar: Option<String>,
    pub now: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    pub id: UserId,
    pub name: String,
    pub avatar: String,
    pub level: i64,
    /// yyyymmdd in the site's zone.
    pub sign_up_day: i64,
    pub posts: i64,
    pub followers: i64,
    pub following: i64,
}

/// What only the owner and staff see.
#[derive(Clone, Debug)]
pub struct AccountRow {
    pub profile: Profile,
    pub phone_sealed: Option<Vec<u8>>,
    pub phone_index: Option<PhoneIndex>,
    pub external_id: Option<String>,
    pub password_hash: Option<String>,
    pub roles: Roles,
    pub ban: Option<Ban>,
    pub deleted: bool,
    pub created: Timestamp,
    /// Every sign-in asks for one.
    pub second_factor: bool,
}

#[derive(Clone, Debug)]
pub struct SessionRow {
    pub id: SessionId,
    pub user: UserId,
    pub times: SessionTimes,
    /// Alive only while equal to the user's: "sign out everywhere" raises the user's.
    pub epoch: i64,
    pub agent: String,
    pub address: String,
}

/// What every request needs to know about its user.
#[derive(Clone, Debug)]
pub struct AccountStatus {
    pub user: UserId,
    pub roles: Roles,
    pub ban: Option<Ban>,
    pub epoch: i64,
    pub deleted: bool,
    pub second_factor: bool,
    /// When the account came back after a deletion: nothing from before is its owner's to see.
    pub revived: Option<Timestamp>,
}

/// An address as stored: encrypted whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressRow {
    pub id: AddressId,
    pub sealed: Vec<u8>,
    pub default: bool,
}

#[derive(Clone, Debug)]
pub struct AddressSave {
    pub user: UserId,
    pub address: AddressRow,
    pub now: Timestamp,
    pub once: Option<Once>,
}
