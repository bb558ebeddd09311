//! Redeem codes: pools, chunks of encrypted codes, and which code was given for what.

use domain::ids::CodePoolId;
use domain::time::Timestamp;

use super::{AuditStamp, Once};

/// Codes in one installation, given ones included: whoever imports holds eight bytes of each in memory.
pub const CODES_MAX: u32 = 50_000_000;
/// Pools in one installation.
pub const CODE_POOLS_MAX: u32 = 10_000;
/// Chunks added in one step.
pub const ADD_CHUNKS_MAX: usize = 50;
/// Codes that are retired by name in one step.
pub const RETIRE_MAX: usize = 1_000;
/// Retired codes of one pool that the cursor has not reached: whoever gives codes reads them.
pub const RETIRED_MAX: u64 = 10_000;
/// The highest threshold of a pool.
pub const LOW_BELOW_MAX: u32 = CODES_MAX;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodePoolRow {
    pub id: CodePoolId,
    pub name: String,
    /// Operators are told when fewer are left; 0 is never.
    pub low_below: u32,
    pub made: Timestamp,
    pub imported: u64,
    /// The cursor: the number of the next code that is looked at.
    pub given: u64,
    /// Retired codes that the cursor has not reached.
    pub retired: u64,
    /// Retired codes that it has passed.
    pub passed: u64,
    /// Since when fewer are left than that.
    pub low_since: Option<Timestamp>,
    /// Since when it gives nothing, because somebody has to look first.
    pub quarantined_since: Option<Timestamp>,
}

impl CodePoolRow {
    pub fn left(&self) -> u64 {
        self.imported.saturating_sub(self.given).saturating_sub(self.retired)
    }

    /// Codes that somebody has.
    pub fn handed_out(&self) -> u64 {
        self.given.saturating_sub(self.passed)
    }

    /// One that never had a code is being set up.
    pub fn is_low(&self) -> bool {
        self.imported > 0 && self.left() < u64::from(self.low_below)
    }
}

#[derive(Clone, Debug)]
pub struct CodePoolMake {
    pub id: CodePoolId,
    pub name: String,
    pub low_below: u32,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

/// Another threshold for a pool.
#[derive(Clone, Debug)]
pub struct CodePoolEdit {
    pub pool: CodePoolId,
    pub low_below: u32,
    pub signed: AuditStamp,
}

/// Codes that are ready to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewChunk {
    pub codes: u32,
    /// Eight bytes of each, sorted.
    pub prints: Vec<u8>,
    /// [`domain::redeem::Chunk`], encrypted.
    pub sealed: Vec<u8>,
}

#[derive(Clone, Debug)]
pub struct CodesAdd {
    pub pool: CodePoolId,
    /// The newest chunk there was when these codes were found to be new.
    pub after: i64,
    /// At most [`ADD_CHUNKS_MAX`].
    pub chunks: Vec<NewChunk>,
    pub signed: AuditStamp,
}

/// A chunk with its first number, for whoever looks for a code in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedChunk {
    pub first_number: u64,
    /// Eight bytes of each code, sorted.
    pub prints: Vec<u8>,
    /// Encrypted.
    pub sealed: Vec<u8>,
}

/// Codes that nobody shall get.
#[derive(Clone, Debug)]
pub struct CodesRetire {
    pub pool: CodePoolId,
    pub which: RetireWhich,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RetireWhich {
    /// Those with these numbers, at most [`RETIRE_MAX`].
    Numbers(Vec<u64>),
    /// All that are left.
    Rest,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodesRetired {
    pub retired: u64,
    /// Somebody has them already.
    pub given: u64,
    /// The pool afterwards.
    pub pool: CodePoolRow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodesAdded {
    /// And so this is the newest chunk.
    Added(i64),
    /// Others were added meanwhile. Nothing was written: look again what is new.
    Behind,
}

/// The fingerprints of a chunk, and its place in the order in which chunks were added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownChunk {
    pub seq: i64,
    pub prints: Vec<u8>,
}

/// Where a given code is: in this chunk, encrypted, at this place from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodePlace {
    pub sealed: Vec<u8>,
    pub place: u32,
}

/// What somebody got who was to be given a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeOutcome {
    /// The code with this number, now or before.
    Code(u64),
    /// None is left; later perhaps.
    NoneLeft,
    /// The pool is in quarantine.
    Quarantined,
}
