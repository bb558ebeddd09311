//! The path through a tree, kept with the draw it led to.
//!
//! Layout: one byte with the number of edges taken, then one byte per edge, its place at its node. The nodes follow
//! from the tree, so the same tree (by its version) is needed to read a path, and the whole is at most 33 bytes.

use super::check::DEPTH_MAX;
use super::evaluate::{Compiled, Evaluation, Tree};

pub const PATH_BYTES_MAX: usize = 1 + DEPTH_MAX;

/// A decision that was passed: the node's place in the draft, and the place of the edge at the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    pub node: u16,
    pub edge: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreePath {
    /// At most [`DEPTH_MAX`], from the root on.
    pub steps: Vec<PathStep>,
    /// The leaf's place in the draft.
    pub end: u16,
}

/// The bytes are not a path through this tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathUnreadable {
    #[error("the length of the path and its edges differ")]
    Length,
    #[error("edge {step} of the path is not in this tree")]
    Edge { step: usize },
    #[error("the path ends before a leaf")]
    NoLeaf,
}

impl TreePath {
    pub fn encode(&self) -> Vec<u8> {
        let length = u8::try_from(self.steps.len()).expect("a path has at most DEPTH_MAX edges");
        std::iter::once(length).chain(self.steps.iter().map(|step| step.edge)).collect()
    }
}

impl Tree {
    /// Reads a path that was taken through this tree, and the leaf it led to.
    pub fn read_path(&self, bytes: &[u8]) -> Result<Evaluation, PathUnreadable> {
        let (&length, edges) = bytes.split_first().ok_or(PathUnreadable::Length)?;
        if usize::from(length) != edges.len() || edges.len() > DEPTH_MAX {
            return Err(PathUnreadable::Length);
        }
        let mut node = self.root;
        let mut steps = Vec::with_capacity(edges.len());
        for (step, &edge) in edges.iter().enumerate() {
            steps.push(PathStep { node, edge });
            node = self.follow(node, edge).ok_or(PathUnreadable::Edge { step })?;
        }
        match &self.nodes[usize::from(node)] {
            Compiled::Leaf(leaf) => Ok(Evaluation { leaf: *leaf, path: TreePath { steps, end: node } }),
            Compiled::Decide { .. } => Err(PathUnreadable::NoLeaf),
        }
    }
}
