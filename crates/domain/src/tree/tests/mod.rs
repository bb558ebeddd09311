//! Trees as rows, and as random graphs held against a naive evaluator.

mod evaluation;
mod explaining;
mod problems;
mod publishing;
mod random;

use super::*;
use crate::account::{FactKey, FactKind, FactValue};
use crate::ids::ActivityId;

pub fn key(text: &str) -> FactKey {
    FactKey::parse(text).unwrap()
}

pub fn leaf(id: u32, leaf: Leaf) -> TreeNode {
    TreeNode { id: NodeId(id), root: false, name: String::new(), body: NodeKind::Leaf(leaf) }
}

pub fn decide(id: u32, fact: &str, kind: FactKind, edges: Vec<(When, u32)>) -> TreeNode {
    let edges = edges.into_iter().map(|(when, to)| Edge { when, to: NodeId(to) }).collect();
    TreeNode {
        id: NodeId(id),
        root: false,
        name: String::new(),
        body: NodeKind::Decide { fact: key(fact), kind, edges },
    }
}

/// The first node is the root.
pub fn draft(purpose: TreePurpose, mut nodes: Vec<TreeNode>) -> TreeDraft {
    if let Some(first) = nodes.first_mut() {
        first.root = true;
    }
    TreeDraft { purpose, nodes }
}

pub fn n(number: i64) -> Operand {
    Operand::Number(number)
}

pub fn t(text: &str) -> Operand {
    Operand::Text(text.to_owned())
}

pub fn facts(facts: &[(&str, FactValue)]) -> Facts {
    facts.iter().map(|(name, value)| (key(name), value.clone())).collect()
}

pub fn activity(id: i64) -> Leaf {
    Leaf::Activity(ActivityId(id))
}
