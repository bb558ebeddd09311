//! Why facts took the path they took, decision by decision: what a dry run shows.
//!
//! The path itself comes from [`super::Tree::evaluate`]; nothing is decided here a second time.

use super::draft::{Body, Draft, NodeId};
use super::evaluate::{Facts, Verdict};
use crate::Lang;
use crate::account::{FactKey, FactKind, FactValue};

/// One decision that was passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told<'a> {
    pub node: NodeId,
    pub name: &'a str,
    pub fact: &'a FactKey,
    pub kind: FactKind,
    /// What the fact was, of whatever type.
    pub value: Option<&'a FactValue>,
    /// The place of the edge at its node; the default is the last.
    pub edge: usize,
    pub why: Why,
    pub to: NodeId,
}

/// Why this edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The first one that fits the value.
    Fits,
    /// The default: the value fits none of the others.
    NoneFits,
    /// The default: the fact is not there.
    Missing,
    /// The default: the fact is of another type than the node expects.
    OtherType,
}

impl Why {
    pub const ALL: [Why; 4] = [Self::Fits, Self::NoneFits, Self::Missing, Self::OtherType];

    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fits => "fits",
            Self::NoneFits => "none_fits",
            Self::Missing => "missing",
            Self::OtherType => "other_type",
        }
    }

    /// What to tell a person.
    pub const fn text(self, lang: Lang) -> &'static str {
        match (self, lang) {
            (Self::Fits, Lang::En) => "The value fits this edge, and none before it.",
            (Self::Fits, Lang::Zh) => "取值命中该分支，且未命中之前的分支。",
            (Self::NoneFits, Lang::En) => "The value fits no edge: the default is taken.",
            (Self::NoneFits, Lang::Zh) => "取值未命中任何分支，走默认分支。",
            (Self::Missing, Lang::En) => "The fact is missing: the default is taken.",
            (Self::Missing, Lang::Zh) => "缺少该属性，走默认分支。",
            (Self::OtherType, Lang::En) => "The fact is of another type: the default is taken.",
            (Self::OtherType, Lang::Zh) => "属性类型不符，走默认分支。",
        }
    }
}

impl Draft {
    /// The decisions of a verdict that the tree of this draft gave on these facts, from the root on.
    pub fn explain<'a>(&'a self, verdict: &Verdict, facts: &'a Facts) -> Vec<Told<'a>> {
        let steps = &verdict.path.steps;
        let ends = steps.iter().skip(1).map(|step| step.node).chain([verdict.path.end]);
        let told = steps.iter().zip(ends).filter_map(|(step, end)| {
            let node = self.nodes.get(usize::from(step.node))?;
            let Body::Decide { fact, kind, edges } = &node.body else { return None };
            let value = facts.get(fact);
            let edge = usize::from(step.edge);
            let why = match value {
                _ if edge + 1 < edges.len() => Why::Fits,
                None => Why::Missing,
                Some(value) if value.kind() != *kind => Why::OtherType,
                Some(_) => Why::NoneFits,
            };
            let to = self.nodes.get(usize::from(end))?.id;
            Some(Told { node: node.id, name: &node.name, fact, kind: *kind, value, edge, why, to })
        });
        told.collect()
    }
}
