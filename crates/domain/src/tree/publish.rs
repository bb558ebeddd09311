//! A rule tree as it is published: its bytes and their hash.
//!
//! The path that is kept with a draw is read with the tree it was taken through, so players are shown that tree, and the
//! hash says that it is the one. The form is described in `docs/fairness.md` and pinned by a test. Everything that was
//! drawn up is in it, names too, in the order in which it was drawn up. Bytes that are written differently are refused;
//! whether the tree works is the question of [`TreeDraft::check`].

use sha2::{Digest, Sha256};

use super::draft::{Edge, Leaf, NodeId, NodeKind, Operand, TreeDraft, TreeNode, TreePurpose, When};
use crate::account::{FactKey, FactKind};
use crate::ids::ActivityId;
use crate::lottery::LotteryWireError;
use crate::lottery::wire::{Reader, Writer};

const FORM: u8 = 1;

/// SHA-256 of a tree's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeHash(pub [u8; 32]);

impl TreeDraft {
    pub fn hash(&self) -> TreeHash {
        TreeHash(Sha256::digest(self.encode()).into())
    }

    /// Of a draft that passed the check: its lists and texts have lengths that can be written.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer { bytes: vec![b'W', b'T', FORM] };
        out.u8(match self.purpose {
            TreePurpose::Routing => 0,
            TreePurpose::Admission => 1,
        });
        out.list(&self.nodes, write_node);
        out.bytes
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, LotteryWireError> {
        let mut input = Reader::new(bytes);
        if input.take(2)? != b"WT" {
            return Err(LotteryWireError::Value("the beginning of a tree"));
        }
        match input.u8()? {
            FORM => {}
            other => return Err(LotteryWireError::Version(other)),
        }
        let purpose = match input.u8()? {
            0 => TreePurpose::Routing,
            1 => TreePurpose::Admission,
            _ => return Err(LotteryWireError::Value("a purpose")),
        };
        let nodes = input.list(read_node)?;
        input.end()?;
        Ok(Self { purpose, nodes })
    }
}

fn write_node(out: &mut Writer, node: &TreeNode) {
    out.u32(node.id.0);
    out.u8(u8::from(node.root));
    write_text(out, &node.name);
    match &node.body {
        NodeKind::Leaf(Leaf::Deny) => out.u8(0),
        NodeKind::Leaf(Leaf::Allow) => out.u8(1),
        NodeKind::Leaf(Leaf::Activity(activity)) => {
            out.u8(2);
            out.i64(activity.0);
        }
        NodeKind::Decide { fact, kind, edges } => {
            out.u8(3);
            write_text(out, fact.as_str());
            out.u8(match kind {
                FactKind::Number => 0,
                FactKind::Text => 1,
                FactKind::Flag => 2,
                FactKind::Tags => 3,
            });
            out.list(edges, write_edge);
        }
    }
}

fn read_node(input: &mut Reader<'_>) -> Result<TreeNode, LotteryWireError> {
    let id = NodeId(input.u32()?);
    let root = read_flag(input)?;
    let name = read_text(input)?;
    let body = match input.u8()? {
        0 => NodeKind::Leaf(Leaf::Deny),
        1 => NodeKind::Leaf(Leaf::Allow),
        2 => NodeKind::Leaf(Leaf::Activity(ActivityId(input.i64()?))),
        3 => {
            let fact =
                FactKey::parse(&read_text(input)?).map_err(|_| LotteryWireError::Value("a fact's name"))?;
            let kind = match input.u8()? {
                0 => FactKind::Number,
                1 => FactKind::Text,
                2 => FactKind::Flag,
                3 => FactKind::Tags,
                _ => return Err(LotteryWireError::Value("a fact's type")),
            };
            NodeKind::Decide { fact, kind, edges: input.list(read_edge)? }
        }
        _ => return Err(LotteryWireError::Value("a node")),
    };
    Ok(TreeNode { id, root, name, body })
}

fn write_edge(out: &mut Writer, edge: &Edge) {
    out.u32(edge.to.0);
    let one = |out: &mut Writer, tag: u8, operand: &Operand| {
        out.u8(tag);
        write_operand(out, operand);
    };
    match &edge.when {
        When::Otherwise => out.u8(0),
        When::Equal(operand) => one(out, 1, operand),
        When::Above(operand) => one(out, 2, operand),
        When::Below(operand) => one(out, 3, operand),
        When::AtLeast(operand) => one(out, 4, operand),
        When::AtMost(operand) => one(out, 5, operand),
        When::OneOf(operands) => {
            out.u8(6);
            out.list(operands, write_operand);
        }
        When::Between { from, to } => {
            out.u8(7);
            write_operand(out, from);
            write_operand(out, to);
        }
    }
}

fn read_edge(input: &mut Reader<'_>) -> Result<Edge, LotteryWireError> {
    let to = NodeId(input.u32()?);
    let when = match input.u8()? {
        0 => When::Otherwise,
        1 => When::Equal(read_operand(input)?),
        2 => When::Above(read_operand(input)?),
        3 => When::Below(read_operand(input)?),
        4 => When::AtLeast(read_operand(input)?),
        5 => When::AtMost(read_operand(input)?),
        6 => When::OneOf(input.list(read_operand)?),
        7 => When::Between { from: read_operand(input)?, to: read_operand(input)? },
        _ => return Err(LotteryWireError::Value("a condition")),
    };
    Ok(Edge { when, to })
}

fn write_operand(out: &mut Writer, operand: &Operand) {
    match operand {
        Operand::Number(number) => {
            out.u8(0);
            out.i64(*number);
        }
        Operand::Text(text) => {
            out.u8(1);
            write_text(out, text);
        }
        Operand::Flag(flag) => {
            out.u8(2);
            out.u8(u8::from(*flag));
        }
    }
}

fn read_operand(input: &mut Reader<'_>) -> Result<Operand, LotteryWireError> {
    match input.u8()? {
        0 => Ok(Operand::Number(input.i64()?)),
        1 => Ok(Operand::Text(read_text(input)?)),
        2 => Ok(Operand::Flag(read_flag(input)?)),
        _ => Err(LotteryWireError::Value("a value")),
    }
}

fn read_flag(input: &mut Reader<'_>) -> Result<bool, LotteryWireError> {
    match input.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(LotteryWireError::Value("a flag")),
    }
}

fn write_text(out: &mut Writer, text: &str) {
    out.list(text.as_bytes(), |out, byte| out.u8(*byte));
}

fn read_text(input: &mut Reader<'_>) -> Result<String, LotteryWireError> {
    let length = usize::from(input.u16()?);
    let bytes = input.take(length)?.to_vec();
    String::from_utf8(bytes).map_err(|_| LotteryWireError::Value("a text"))
}
