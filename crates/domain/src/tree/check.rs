//! The check of a draft when it is saved: everything that is wrong is listed, not only the first.
//!
//! It walks with a stack of its own and in linear time, so that no draft can exhaust it.

use std::collections::HashMap;

use super::draft::{Edge, Leaf, NodeId, NodeKind, TreeDraft, TreePurpose, When};
use super::edge::{Test, compile};
use super::evaluate::{Compiled, Tree};
use super::problem::{TreeFlaw, TreeProblem};
use crate::account::name::short_text;
use crate::account::{FactKey, FactKind};

/// Edges on the longest path from the root to a leaf.
pub const DEPTH_MAX: usize = 32;
/// Nodes in one tree.
pub const NODES_MAX: usize = 1_024;
/// Edges of one node, with the default.
pub const EDGES_MAX: usize = 64;
/// Characters of a node's name.
pub const NODE_NAME_MAX: usize = 80;
/// Values one condition may list.
pub const VALUES_MAX: usize = 256;

impl TreeDraft {
    /// The tree that may be evaluated, or everything that is wrong: first node by node, then the shape.
    pub fn check(&self) -> Result<Tree, Vec<TreeProblem>> {
        if self.nodes.len() > NODES_MAX {
            return Err(vec![TreeProblem::of_tree(TreeFlaw::TooManyNodes)]);
        }
        let mut check = Check::new(self);
        check.ids();
        let compiled = check.nodes();
        check.shape();
        match (check.roots.as_slice(), check.problems.is_empty()) {
            ([root], true) => Ok(Tree { root: *root, nodes: compiled }),
            _ => Err(check.problems),
        }
    }
}

struct Check<'a> {
    draft: &'a TreeDraft,
    problems: Vec<TreeProblem>,
    /// The first node of each id.
    by_id: HashMap<NodeId, u16>,
    repeated: Vec<bool>,
    /// The type in which each fact is first expected.
    kinds: HashMap<&'a FactKey, FactKind>,
    roots: Vec<u16>,
    /// Where the edges of each node lead, dangling ones left out, with the edge's place.
    next: Vec<Vec<(usize, u16)>>,
}

impl<'a> Check<'a> {
    fn new(draft: &'a TreeDraft) -> Self {
        Self {
            draft,
            problems: Vec::new(),
            by_id: HashMap::new(),
            repeated: vec![false; draft.nodes.len()],
            kinds: HashMap::new(),
            roots: Vec::new(),
            next: Vec::with_capacity(draft.nodes.len()),
        }
    }

    fn ids(&mut self) {
        for (at, node) in (0u16..).zip(&self.draft.nodes) {
            if *self.by_id.entry(node.id).or_insert(at) != at {
                self.repeated[usize::from(at)] = true;
                self.problems.push(TreeProblem::at(TreeFlaw::IdRepeated, node.id));
            }
            if short_text("name", &node.name, 0, NODE_NAME_MAX).as_ref() != Ok(&node.name) {
                self.problems.push(TreeProblem::at(TreeFlaw::NameMalformed, node.id));
            }
            if node.root {
                if !self.roots.is_empty() {
                    self.problems.push(TreeProblem::at(TreeFlaw::RootRepeated, node.id));
                }
                self.roots.push(at);
            }
        }
        if self.roots.is_empty() {
            self.problems.push(TreeProblem::of_tree(TreeFlaw::RootMissing));
        }
    }

    /// What each node says by itself. What is compiled is of use only when nothing is wrong.
    fn nodes(&mut self) -> Vec<Compiled> {
        let draft = self.draft;
        draft
            .nodes
            .iter()
            .map(|node| match &node.body {
                NodeKind::Leaf(leaf) => {
                    let fits = match (draft.purpose, leaf) {
                        (TreePurpose::Routing, Leaf::Activity(_) | Leaf::Deny)
                        | (TreePurpose::Admission, Leaf::Allow | Leaf::Deny) => true,
                        (TreePurpose::Routing, Leaf::Allow) | (TreePurpose::Admission, Leaf::Activity(_)) => {
                            false
                        }
                    };
                    if !fits {
                        self.problems.push(TreeProblem::at(TreeFlaw::LeafOutOfPlace, node.id));
                    }
                    self.next.push(Vec::new());
                    Compiled::Leaf(*leaf)
                }
                NodeKind::Decide { fact, kind, edges } => {
                    if *self.kinds.entry(fact).or_insert(*kind) != *kind {
                        self.problems.push(TreeProblem::at(TreeFlaw::KindContradicted, node.id));
                    }
                    let tests = self.edges(node.id, fact, *kind, edges);
                    let default = edges.last().and_then(|edge| self.by_id.get(&edge.to)).copied();
                    Compiled::Decide {
                        fact: fact.clone(),
                        kind: *kind,
                        edges: tests,
                        otherwise: default.unwrap_or(0),
                    }
                }
            })
            .collect()
    }

    fn edges(&mut self, node: NodeId, fact: &FactKey, kind: FactKind, edges: &[Edge]) -> Vec<(Test, u16)> {
        if edges.len() > EDGES_MAX {
            self.problems.push(TreeProblem::at(TreeFlaw::TooManyEdges, node));
        }
        if !edges.iter().any(|edge| edge.when == When::Otherwise) {
            self.problems.push(TreeProblem::at(TreeFlaw::DefaultMissing, node));
        }
        let (mut tests, mut next) = (Vec::with_capacity(edges.len()), Vec::with_capacity(edges.len()));
        for (place, edge) in edges.iter().enumerate() {
            if edge.when == When::Otherwise && place + 1 < edges.len() {
                self.problems.push(TreeProblem::on(TreeFlaw::DefaultNotLast, node, place));
            }
            let test = compile(fact, kind, &edge.when).unwrap_or_else(|what| {
                self.problems.push(TreeProblem::on(what, node, place));
                None
            });
            match self.by_id.get(&edge.to) {
                Some(&to) => {
                    next.push((place, to));
                    tests.extend(test.map(|test| (test, to)));
                }
                None => self.problems.push(TreeProblem::on(TreeFlaw::EdgeDangling, node, place)),
            }
        }
        self.next.push(next);
        tests
    }

    /// What only the whole shows: cycles, nodes that nothing reaches, paths that are too long.
    fn shape(&mut self) {
        let (finished, cyclic) = self.walk();
        if self.roots.is_empty() {
            return;
        }
        let depths = self.depths(&finished, cyclic);
        for (at, depth) in depths.into_iter().enumerate() {
            let id = self.draft.nodes[at].id;
            match depth {
                None if !self.repeated[at] => self.problems.push(TreeProblem::at(TreeFlaw::Unreachable, id)),
                Some(depth) if !cyclic && depth == DEPTH_MAX + 1 => {
                    self.problems.push(TreeProblem::at(TreeFlaw::TooDeep, id));
                }
                None | Some(_) => {}
            }
        }
    }

    /// Depth first from every node, the roots first. Gives the nodes in the order in which they were finished (what
    /// follows a node comes before it), and whether there is a cycle; each edge that closes one is named.
    fn walk(&mut self) -> (Vec<u16>, bool) {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let count = self.next.len();
        let mut marks = vec![Mark::New; count];
        let mut finished = Vec::with_capacity(count);
        let mut closing = Vec::new();
        let starts = self.roots.iter().map(|root| usize::from(*root)).chain(0..count);
        for start in starts {
            if marks[start] != Mark::New {
                continue;
            }
            marks[start] = Mark::Open;
            let mut stack = vec![(start, 0)];
            while let Some((at, tried)) = stack.last_mut() {
                let from = *at;
                let Some(&(place, to)) = self.next[from].get(*tried) else {
                    marks[from] = Mark::Done;
                    finished.push(u16::try_from(from).expect("fewer nodes than NODES_MAX"));
                    stack.pop();
                    continue;
                };
                *tried += 1;
                let to = usize::from(to);
                match marks[to] {
                    Mark::New => {
                        marks[to] = Mark::Open;
                        stack.push((to, 0));
                    }
                    Mark::Open => {
                        closing.push(TreeProblem::on(
                            TreeFlaw::EdgeClosesCycle,
                            self.draft.nodes[from].id,
                            place,
                        ));
                    }
                    Mark::Done => {}
                }
            }
        }
        let cyclic = !closing.is_empty();
        self.problems.extend(closing);
        (finished, cyclic)
    }

    /// The longest path from a root to each node, `None` where none leads. With a cycle there is no longest path:
    /// then only whether there is one counts.
    fn depths(&self, finished: &[u16], cyclic: bool) -> Vec<Option<usize>> {
        let mut depths = vec![None; self.next.len()];
        for root in &self.roots {
            depths[usize::from(*root)] = Some(0);
        }
        if cyclic {
            let mut stack: Vec<usize> = self.roots.iter().map(|root| usize::from(*root)).collect();
            while let Some(at) = stack.pop() {
                for to in self.next[at].iter().map(|(_, to)| usize::from(*to)) {
                    if depths[to].is_none() {
                        depths[to] = Some(0);
                        stack.push(to);
                    }
                }
            }
            return depths;
        }
        for at in finished.iter().rev().map(|at| usize::from(*at)) {
            let Some(depth) = depths[at] else { continue };
            for (_, to) in &self.next[at] {
                let known = &mut depths[usize::from(*to)];
                *known = Some(known.unwrap_or(0).max(depth + 1));
            }
        }
        depths
    }
}
