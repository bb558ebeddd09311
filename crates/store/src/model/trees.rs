//! Rule trees as they are kept: every version as nodes and edges, none of them ever changed.

use domain::ids::TreeId;
use domain::time::Timestamp;
use domain::tree::{TreeDraft, TreeHash, TreePurpose};

use super::{Actor, AuditStamp, Once};

/// A new tree with its first version. The draft has passed the check.
#[derive(Clone, Debug)]
pub struct TreeCreate {
    pub id: TreeId,
    pub name: String,
    pub draft: TreeDraft,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

/// The next version, on top of the newest one its author has seen. The draft has passed the check.
#[derive(Clone, Debug)]
pub struct TreeSave {
    pub tree: TreeId,
    /// The version it is written on top of.
    pub base: u32,
    pub name: String,
    pub draft: TreeDraft,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

/// A tree without its nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRow {
    pub id: TreeId,
    /// As the newest version has it.
    pub name: String,
    pub purpose: TreePurpose,
    pub newest: u32,
    pub created_by: Actor,
    pub created_at: Timestamp,
    pub changed_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeVersion {
    pub tree: TreeId,
    pub version: u32,
    pub name: String,
    pub draft: TreeDraft,
    pub hash: TreeHash,
    pub saved_by: Actor,
    pub saved_at: Timestamp,
    /// The version that is the newest now.
    pub newest: u32,
}

#[derive(Clone, Debug, Default)]
pub struct TreeQuery {
    /// Part of a name, case ignored.
    pub name: Option<String>,
    pub purpose: Option<TreePurpose>,
}
