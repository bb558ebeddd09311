//! What waits for a look after a restore: messages to others, and redeem codes.
//!
//! The live installation may have sent and given after the backup was made what the restored one believes it has not.
//! Nothing of this leaves before somebody says so.

use domain::ids::CodePoolId;
use domain::time::Timestamp;

use super::{AuditStamp, CodePoolRow};

/// Messages moved in one step, at most.
pub const QUARANTINE_MOVE_MAX: u32 = 1_000;

/// Puts what is there into quarantine.
#[derive(Clone, Debug)]
pub struct QuarantineBegin {
    /// Lanes whose messages reach others; those of webhooks are meant by `hooks`.
    pub lanes: Vec<&'static str>,
    pub signed: AuditStamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuarantineBegun {
    pub messages: u64,
    pub code_pools: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuarantinedLane {
    pub lane: String,
    pub messages: u64,
    /// When the oldest and the newest of them were made.
    pub oldest: Timestamp,
    pub newest: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuarantineContents {
    pub lanes: Vec<QuarantinedLane>,
    /// Pools that give no code.
    pub code_pools: Vec<CodePoolRow>,
}

/// What becomes of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuarantineAct {
    /// They are sent, in their order.
    Release,
    /// They are dead letters, and can be put back one by one.
    Discard,
}

#[derive(Clone, Debug)]
pub struct QuarantineMove {
    pub lane: String,
    /// Only this one of them.
    pub message: Option<i64>,
    pub act: QuarantineAct,
    pub signed: AuditStamp,
}

/// Lets a pool give codes again, from so many further on.
#[derive(Clone, Debug)]
pub struct CodePoolRelease {
    pub pool: CodePoolId,
    /// Codes that are never given: those that the live installation may have given since the backup.
    pub skip: u64,
    pub signed: AuditStamp,
}
