//! Rule trees (规则树): which activity a user is sent to, or whether they may take part.
//!
//! A tree is drawn up as a [`TreeDraft`] of nodes and edges. [`TreeDraft::check`] either gives a [`Tree`] or lists everything
//! that is wrong with the draft, by stable name and node. Only a [`Tree`] can be evaluated, so whatever is evaluated
//! has one root, no cycle, a default edge at every decision and a leaf at the end of every path.
//!
//! What always holds:
//! - [`Tree::evaluate`] ends after at most [`DEPTH_MAX`] edges, with a leaf, whatever the facts are.
//! - A fact that is missing, or is of another type than the node expects, takes the default edge.
//! - The path that was taken can be kept in at most [`PATH_BYTES_MAX`] bytes and read again with the same tree.
//!
//! Nodes may share what follows them (one "deny" for many), so a tree is strictly a graph without cycles. Deliberately
//! absent: where facts come from. The caller hands in what the server knows of a user, never what a request said.

mod check;
mod draft;
mod edge;
mod evaluate;
mod explain;
mod path;
mod problem;
mod publish;
#[cfg(test)]
mod tests;

pub use check::{DEPTH_MAX, EDGES_MAX, NODE_NAME_MAX, NODES_MAX, VALUES_MAX};
pub use draft::{
    Edge, Leaf, NAME_MAX, NodeId, NodeKind, Operand, TreeDraft, TreeNode, TreePurpose, When, tree_name,
};
pub use evaluate::{Evaluation, Facts, Tree};
pub use explain::{EdgeReason, ExplainedStep};
pub use path::{PATH_BYTES_MAX, PathStep, PathUnreadable, TreePath};
pub use problem::{TreeFlaw, TreeProblem};
pub use publish::TreeHash;
