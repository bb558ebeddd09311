//! Taking the facts of one user through a checked tree.

use std::collections::BTreeMap;

use super::draft::Leaf;
use super::edge::Test;
use super::path::{PathStep, TreePath};
use crate::account::{FactKey, FactKind, FactValue};

/// What the server knows of one user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(BTreeMap<FactKey, FactValue>);

impl Facts {
    pub fn get(&self, key: &FactKey) -> Option<&FactValue> {
        self.0.get(key)
    }

    /// Another value in place of what is there; `None` takes it away.
    pub fn set(&mut self, key: FactKey, value: Option<FactValue>) {
        match value {
            Some(value) => self.0.insert(key, value),
            None => self.0.remove(&key),
        };
    }
}

impl FromIterator<(FactKey, FactValue)> for Facts {
    fn from_iter<T: IntoIterator<Item = (FactKey, FactValue)>>(facts: T) -> Self {
        Self(facts.into_iter().collect())
    }
}

/// A tree that passed the check, and the only kind that can be evaluated. Nodes are in the order of the draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    pub(super) root: u16,
    pub(super) nodes: Vec<Compiled>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Compiled {
    Decide {
        fact: FactKey,
        kind: FactKind,
        edges: Vec<(Test, u16)>,
        /// The default: its place is the one after the last of `edges`.
        otherwise: u16,
    },
    Leaf(Leaf),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    pub leaf: Leaf,
    pub path: TreePath,
}

impl Tree {
    /// The leaf these facts lead to, and how. Ends because every edge of a checked tree leads one node further down.
    pub fn evaluate(&self, facts: &Facts) -> Evaluation {
        let mut steps = Vec::new();
        let mut at = self.root;
        loop {
            match &self.nodes[usize::from(at)] {
                Compiled::Leaf(leaf) => return Evaluation { leaf: *leaf, path: TreePath { steps, end: at } },
                Compiled::Decide { fact, kind, edges, otherwise } => {
                    let value = facts.get(fact).filter(|value| value.kind() == *kind);
                    let hit =
                        value.and_then(|value| (0u8..).zip(edges).find(|(_, (test, _))| test.fits(value)));
                    let (edge, to) =
                        hit.map_or_else(|| (place(edges.len()), *otherwise), |(edge, (_, to))| (edge, *to));
                    steps.push(PathStep { node: at, edge });
                    at = to;
                }
            }
        }
    }

    /// The facts the tree looks at, each once, with the type it expects: what a caller has to load.
    pub fn facts(&self) -> BTreeMap<&FactKey, FactKind> {
        let looked_at = |node| match node {
            &Compiled::Decide { ref fact, kind, .. } => Some((fact, kind)),
            Compiled::Leaf(_) => None,
        };
        self.nodes.iter().filter_map(looked_at).collect()
    }

    /// Where an edge of a node leads, by their places. `None` for a leaf or an edge that is not there.
    pub(super) fn follow(&self, node: u16, edge: u8) -> Option<u16> {
        match self.nodes.get(usize::from(node))? {
            Compiled::Leaf(_) => None,
            Compiled::Decide { edges, otherwise, .. } => match edges.get(usize::from(edge)) {
                Some((_, to)) => Some(*to),
                None => (usize::from(edge) == edges.len()).then_some(*otherwise),
            },
        }
    }
}

fn place(edges: usize) -> u8 {
    u8::try_from(edges).expect("a node has at most EDGES_MAX edges")
}
