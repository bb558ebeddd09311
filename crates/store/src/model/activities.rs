//! Activities: written, reviewed, run by people and the clock, and carried to the ledger.
//!
//! A step of an activity's life is decided and kept in one transaction with its line in the audit log. What the ledger
//! has to hear of it is marked there too ([`Carry`]), and is sent until it is there; so a crash in between leads to the
//! same end.

use domain::access::Decider;
use domain::activity::{Action, ActivityKind, Content, Life, LifeState, PoolUse, Window};
use domain::ids::ActivityId;
use domain::ledger::play::ActivityState;
use domain::lottery::publish::StrategyHash;
use domain::lottery::random::Commitment;
use domain::time::Timestamp;

use super::{Actor, AuditStamp, Once};

#[derive(Clone, Debug)]
pub struct ActivityCreate {
    pub id: ActivityId,
    /// Placed as version 1.
    pub content: Content,
    pub cloned_from: Option<ActivityId>,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

/// Writes the version in the making; on a published activity without one, begins the next.
#[derive(Clone, Debug)]
pub struct ActivityEdit {
    pub id: ActivityId,
    /// What its author saw: 0 where no version was in the making.
    pub edition: u32,
    /// The number the content was placed as.
    pub number: u32,
    pub content: Content,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

/// A step that a person takes.
#[derive(Clone, Debug)]
pub struct ActivityAct {
    pub id: ActivityId,
    pub action: Action,
    pub by: Decider,
    /// Which version and edition of it the person saw; not looked at where it is not given.
    pub seen: Option<SeenEdition>,
    /// Of the tree, pinned by submitting.
    pub tree_version: Option<u32>,
    /// For the steps that begin a chain of draws: approving and reopening.
    pub secret: Option<NewSecret>,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenEdition {
    pub number: u32,
    pub edition: u32,
}

/// A secret, sealed, and what is published of it.
#[derive(Clone, Debug)]
pub struct NewSecret {
    pub sealed: Vec<u8>,
    pub commitment: Commitment,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityRow {
    pub id: ActivityId,
    /// As it was last kept; by the clock it may stand further on ([`Life::at`]).
    pub life: Life,
    pub live: Option<u32>,
    /// The version in the making.
    pub draft: Option<Making>,
    pub step: i64,
    /// Whether the ledger has heard of the last step.
    pub carried: bool,
    pub cloned_from: Option<ActivityId>,
    pub created_by: Actor,
    pub created_at: Timestamp,
    /// Of the version in place, or of the first one in the making.
    pub name: String,
    /// The same for readers of English; empty where it is the same.
    pub name_en: String,
    pub window: Window,
    pub kind: ActivityKind,
    /// When its round ended, where that was kept; by the clock it may have ended since.
    pub ended: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Making {
    pub number: u32,
    pub edition: u32,
    pub review: LifeState,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivitySearch {
    /// By the clock, at `now`.
    pub state: Option<LifeState>,
    pub now: Timestamp,
    /// What stands anywhere in the name, in upper or lower case; empty leaves nothing out.
    pub text: String,
    /// Only what is closed and ended at this moment or later.
    pub ended_from: Option<Timestamp>,
}

impl ActivityRow {
    /// When it ended, if it is closed as it stands.
    pub fn ended_at(&self) -> Option<Timestamp> {
        (self.life.state == LifeState::Closed).then(|| self.ended.unwrap_or(self.window.until))
    }
}

/// Takes back the version in the making; an activity that was never published goes with it.
#[derive(Clone, Debug)]
pub struct ActivityDiscard {
    pub id: ActivityId,
    /// What its author saw.
    pub edition: u32,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

/// A version that asks a rule tree who may take part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeUse {
    pub activity: ActivityId,
    pub name: String,
    pub version: u32,
    /// Whether it is the version in place; otherwise it is in the making.
    pub live: bool,
    /// Of the tree; nothing before the version is submitted.
    pub tree_version: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionRow {
    pub activity: ActivityId,
    pub number: u32,
    pub review: LifeState,
    pub edition: u32,
    pub content: Content,
    pub tree_version: Option<u32>,
    pub made: (Actor, Timestamp),
    pub submitted: Option<(Actor, Timestamp)>,
    pub decided: Option<(Actor, Timestamp)>,
    pub decision_reason: String,
}

/// What the ledger has to hear of an activity, whichever steps led here.
#[derive(Clone, Debug)]
pub struct Carry {
    pub activity: ActivityId,
    pub step: i64,
    pub life: Life,
    pub version: u32,
    pub content: Content,
    pub commitment: Commitment,
    pub strategy: StrategyHash,
    /// What it was last known to have; nothing before its first round.
    pub ledger: Option<LedgerMark>,
    /// Changes of pools that it does not have yet, in the order of versions.
    pub stock: Vec<StockChange>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerMark {
    pub round: u32,
    pub version: u32,
    pub state: ActivityState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StockChange {
    pub version: u32,
    pub part: PoolUse,
    /// Opens the pool with these units; otherwise they are a difference.
    pub opens: bool,
    pub units: i64,
}

/// The ledger has it.
#[derive(Clone, Copy, Debug)]
pub struct LedgerSynced {
    pub activity: ActivityId,
    pub step: i64,
    pub ledger: LedgerMark,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretRow {
    pub round: u32,
    pub version: u32,
    pub sealed: Vec<u8>,
    pub commitment: Commitment,
    pub strategy: StrategyHash,
    pub made_at: Timestamp,
    pub revealed_at: Option<Timestamp>,
}

/// Little is left of a prize, or of what a sale sells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LowStock {
    pub part: PoolUse,
    /// When it was noticed: units that were free, and of how many.
    pub left: u64,
    pub total: u64,
    pub since: Timestamp,
}

/// Something crossed the threshold: downwards with a notice, upwards without.
#[derive(Clone, Debug)]
pub struct LowStockSet {
    pub activity: ActivityId,
    pub part: PoolUse,
    pub alert: Option<LowStock>,
    pub signed: AuditStamp,
}

/// What is published and drawn from: the version in place, in the current round.
#[derive(Clone, Debug)]
pub struct PublishedActivityRow {
    pub activity: ActivityId,
    pub life: Life,
    /// When its round ended, where that was kept.
    pub ended: Option<Timestamp>,
    pub version: u32,
    pub content: Content,
    /// The tree that says who may take part, and its version.
    pub tree: Option<(i64, u32)>,
    pub sealed_secret: Vec<u8>,
    pub commitment: Commitment,
    pub strategy: StrategyHash,
}
