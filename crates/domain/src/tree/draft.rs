//! A rule tree as somebody wrote it: nothing is checked yet.

use crate::account::{FactKey, FactKind};
use crate::ids::ActivityId;

/// A node's name within its tree, chosen by whoever drew it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// What the tree is for, and so which leaves make sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Who gets which activity: leaves name one, or deny.
    Routing,
    /// Who may take part: leaves allow or deny.
    Admission,
}

impl Purpose {
    pub const ALL: [Purpose; 2] = [Self::Routing, Self::Admission];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Routing => "routing",
            Self::Admission => "admission",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.name() == text)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub purpose: Purpose,
    pub nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub id: NodeId,
    /// Where evaluation begins; exactly one node says so.
    pub root: bool,
    /// For people; no decision looks at it.
    pub name: String,
    pub body: Body,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Looks at one fact and takes the first edge that fits.
    Decide {
        fact: FactKey,
        kind: FactKind,
        edges: Vec<Edge>,
    },
    Leaf(Leaf),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    Activity(ActivityId),
    Allow,
    Deny,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub when: When,
    pub to: NodeId,
}

/// The condition of an edge. Numbers take all of them; texts and flags take [`When::Equal`], texts also
/// [`When::OneOf`]. Of tags, equal means "has this tag" and one of "has any of these".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    Equal(Operand),
    Above(Operand),
    Below(Operand),
    AtLeast(Operand),
    AtMost(Operand),
    OneOf(Vec<Operand>),
    /// Both ends belong to it.
    Between {
        from: Operand,
        to: Operand,
    },
    /// The default edge: mandatory, and the last one.
    Otherwise,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    Number(i64),
    Text(String),
    Flag(bool),
}
