//! A rule tree as somebody wrote it: nothing is checked yet.

use crate::Rejection;
use crate::account::name::short_text;
use crate::account::{FactKey, FactKind};
use crate::ids::ActivityId;

/// Characters of a tree's name.
pub const NAME_MAX: usize = 80;

/// A tree's name, trimmed.
pub fn tree_name(text: &str) -> Result<String, Rejection> {
    short_text("name", text, 1, NAME_MAX)
}

/// A node's name within its tree, chosen by whoever drew it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

crate::names! {
    /// What the tree is for, and so which leaves make sense.
    pub enum TreePurpose {
        /// Who gets which activity: leaves name one, or deny.
        Routing = "routing",
        /// Who may take part: leaves allow or deny.
        Admission = "admission",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeDraft {
    pub purpose: TreePurpose,
    pub nodes: Vec<TreeNode>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    pub id: NodeId,
    /// Where evaluation begins; exactly one node says so.
    pub root: bool,
    /// For people; no decision looks at it.
    pub name: String,
    pub body: NodeKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
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

impl When {
    /// How conditions are written, the default left out.
    pub const SYMBOLS: &'static str = "=, >, <, >=, <=, in, range";

    pub const fn symbol(&self) -> &'static str {
        match self {
            Self::Equal(_) => "=",
            Self::Above(_) => ">",
            Self::Below(_) => "<",
            Self::AtLeast(_) => ">=",
            Self::AtMost(_) => "<=",
            Self::OneOf(_) => "in",
            Self::Between { .. } => "range",
            Self::Otherwise => "otherwise",
        }
    }

    /// What the value is compared with, in order.
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Self::Otherwise => Vec::new(),
            Self::Equal(operand)
            | Self::Above(operand)
            | Self::Below(operand)
            | Self::AtLeast(operand)
            | Self::AtMost(operand) => vec![operand],
            Self::OneOf(operands) => operands.iter().collect(),
            Self::Between { from, to } => vec![from, to],
        }
    }

    /// The condition of a symbol and its operands; `None` when there is no such symbol or they are too few or too many.
    pub fn of(symbol: &str, operands: Vec<Operand>) -> Option<Self> {
        let one: fn(Operand) -> Self = match symbol {
            "otherwise" => return operands.is_empty().then_some(Self::Otherwise),
            "in" => return Some(Self::OneOf(operands)),
            "range" => {
                let [from, to] = <[Operand; 2]>::try_from(operands).ok()?;
                return Some(Self::Between { from, to });
            }
            "=" => Self::Equal,
            ">" => Self::Above,
            "<" => Self::Below,
            ">=" => Self::AtLeast,
            "<=" => Self::AtMost,
            _ => return None,
        };
        let [operand] = <[Operand; 1]>::try_from(operands).ok()?;
        Some(one(operand))
    }
}
