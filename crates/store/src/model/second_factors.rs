//! The second factor of staff.

use domain::ids::{SessionId, UserId};
use domain::time::Timestamp;

use super::AuditStamp;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondFactorRow {
    pub sealed: Vec<u8>,
    /// Asked for at every sign-in; before that it has only begun.
    pub confirmed: bool,
    /// Digits of this step of time and before are used up.
    pub last_step: i64,
    pub recovery_left: i64,
}

#[derive(Clone, Debug)]
pub struct SecondFactorBegin {
    pub user: UserId,
    pub sealed: Vec<u8>,
    pub now: Timestamp,
}

/// Somebody has shown that their app works. Every other session ends.
#[derive(Clone, Debug)]
pub struct SecondFactorConfirm {
    pub user: UserId,
    /// The secret the digits were checked against; nothing happens if it was begun anew meanwhile.
    pub seen: Vec<u8>,
    pub step: i64,
    /// Keyed hashes of the recovery codes.
    pub recovery: Vec<[u8; 32]>,
    pub keep: SessionId,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug)]
pub struct SecondFactorRemove {
    pub user: UserId,
    pub proof: SecondProof,
    pub signed: AuditStamp,
}

/// What somebody gave as a second factor, checked as far as it can be outside of the step that spends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecondProof {
    /// Right digits of a step of time.
    Totp {
        step: i64,
    },
    /// The keyed hash of a recovery code.
    Recovery {
        hash: [u8; 32],
    },
    Wrong,
}
