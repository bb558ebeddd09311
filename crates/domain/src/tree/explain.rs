//! Why facts took the path they took, decision by decision: what a dry run shows.
//!
//! The path itself comes from [`super::Tree::evaluate`]; nothing is decided here a second time.

use super::draft::{NodeId, NodeKind, TreeDraft};
use super::evaluate::{Evaluation, Facts};
use crate::Lang;
use crate::account::{FactKey, FactKind, FactValue};

/// One decision that was passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedStep<'a> {
    pub node: NodeId,
    pub name: &'a str,
    pub fact: &'a FactKey,
    pub kind: FactKind,
    /// What the fact was, of whatever type.
    pub value: Option<&'a FactValue>,
    /// The place of the edge at its node; the default is the last.
    pub edge: usize,
    pub why: EdgeReason,
    pub to: NodeId,
}

crate::names! {
    /// Why this edge.
    pub enum EdgeReason {
        /// The first one that fits the value.
        Fits = "fits",
        /// The default: the value fits none of the others.
        NoneFits = "none_fits",
        /// The default: the fact is not there.
        Missing = "missing",
        /// The default: the fact is of another type than the node expects.
        OtherType = "other_type",
    }
}

impl EdgeReason {
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

impl TreeDraft {
    /// The decisions of a verdict that the tree of this draft gave on these facts, from the root on.
    pub fn explain<'a>(&'a self, verdict: &Evaluation, facts: &'a Facts) -> Vec<ExplainedStep<'a>> {
        let steps = &verdict.path.steps;
        let ends = steps.iter().skip(1).map(|step| step.node).chain([verdict.path.end]);
        let told = steps.iter().zip(ends).filter_map(|(step, end)| {
            let node = self.nodes.get(usize::from(step.node))?;
            let NodeKind::Decide { fact, kind, edges } = &node.body else { return None };
            let value = facts.get(fact);
            let edge = usize::from(step.edge);
            let why = match value {
                _ if edge + 1 < edges.len() => EdgeReason::Fits,
                None => EdgeReason::Missing,
                Some(value) if value.kind() != *kind => EdgeReason::OtherType,
                Some(_) => EdgeReason::NoneFits,
            };
            let to = self.nodes.get(usize::from(end))?.id;
            Some(ExplainedStep { node: node.id, name: &node.name, fact, kind: *kind, value, edge, why, to })
        });
        told.collect()
    }
}
