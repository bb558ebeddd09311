//! The nodes and edges of one version of a rule tree, written once and read whole.

use domain::account::{FactKey, FactKind};
use domain::ids::{ActivityId, TreeId};
use domain::tree::{Edge, Leaf, NodeId, NodeKind, Operand, TreeDraft, TreeNode, When};
use serde_json::{Value as Json, json};

use super::trees::number;
use crate::each::once_each;
use crate::failure::{Fault, Result};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::Value;

pub(super) async fn write(tx: &Tx<'_>, tree: TreeId, version: u32, draft: &TreeDraft) -> Result<()> {
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for (place, node) in (0_u32..).zip(&draft.nodes) {
        let (mut fact, mut kind, mut leaf, mut activity) = (None, None, None, None);
        match &node.body {
            NodeKind::Decide { fact: looked_at, kind: expected, edges: all } => {
                (fact, kind) = (Some(looked_at.as_str()), Some(expected.name()));
                edges.extend((0_u32..).zip(all).map(|(at, edge)| edge_row(tree, version, place, at, edge)));
            }
            NodeKind::Leaf(Leaf::Allow) => leaf = Some("allow"),
            NodeKind::Leaf(Leaf::Deny) => leaf = Some("deny"),
            NodeKind::Leaf(Leaf::Activity(id)) => (leaf, activity) = (Some("activity"), Some(*id)),
        }
        nodes.push([
            tree.into(),
            version.into(),
            place.into(),
            node.id.0.into(),
            node.root.into(),
            Value::from(&node.name),
            fact.into(),
            kind.into(),
            leaf.into(),
            activity.into(),
        ]);
    }
    once_each(
        tx,
        "INSERT INTO rule_tree_nodes
             (tree_id, version, place, node_id, is_root, name, fact, fact_type, leaf, activity_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        nodes,
    )
    .await?;
    once_each(
        tx,
        "INSERT INTO rule_tree_edges (tree_id, version, node_place, place, symbol, operands, to_node)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        edges,
    )
    .await
}

fn edge_row(tree: TreeId, version: u32, node: u32, place: u32, edge: &Edge) -> [Value; 7] {
    let operands = Json::from_iter(edge.when.operands().into_iter().map(to_json));
    [
        tree.into(),
        version.into(),
        node.into(),
        place.into(),
        edge.when.symbol().into(),
        operands.to_string().into(),
        edge.to.0.into(),
    ]
}

/// In the order in which they were drawn up.
pub(super) async fn read(tx: &Tx<'_>, tree: TreeId, version: u32) -> Result<Vec<TreeNode>> {
    let mut nodes = tx
        .all(
            "SELECT node_id, is_root, name, fact, fact_type, leaf, activity_id FROM rule_tree_nodes
             WHERE tree_id = $1 AND version = $2 ORDER BY place",
            params![tree, version],
            read_node,
        )
        .await?;
    let edges = tx
        .all(
            "SELECT node_place, to_node, symbol, operands FROM rule_tree_edges
             WHERE tree_id = $1 AND version = $2 ORDER BY node_place, place",
            params![tree, version],
            read_edge,
        )
        .await?;
    for (place, edge) in edges {
        let node = usize::try_from(place).ok().and_then(|place| nodes.get_mut(place));
        match node.map(|node| &mut node.body) {
            Some(NodeKind::Decide { edges, .. }) => edges.push(edge),
            Some(NodeKind::Leaf(_)) | None => {
                return Err(Fault::new(format!("an edge of rule tree {tree} has no decision")).into());
            }
        }
    }
    Ok(nodes)
}

fn read_node(row: &mut Row) -> Result<TreeNode, Fault> {
    let (id, root, name) = (NodeId(number(row)?), row.flag()?, row.text()?);
    let fact = row.opt_named(|text| FactKey::parse(text).ok())?;
    let kind = row.opt_named(FactKind::parse)?;
    let (leaf, activity) = (row.opt_text()?, row.opt_int()?);
    let body = match (fact, kind, leaf.as_deref(), activity) {
        (Some(fact), Some(kind), None, None) => NodeKind::Decide { fact, kind, edges: Vec::new() },
        (None, None, Some("allow"), None) => NodeKind::Leaf(Leaf::Allow),
        (None, None, Some("deny"), None) => NodeKind::Leaf(Leaf::Deny),
        (None, None, Some("activity"), Some(id)) => NodeKind::Leaf(Leaf::Activity(ActivityId(id))),
        _ => return Err(Fault::new(format!("node {} of a rule tree is neither decision nor leaf", id.0))),
    };
    Ok(TreeNode { id, root, name, body })
}

fn read_edge(row: &mut Row) -> Result<(u32, Edge), Fault> {
    let (place, to, symbol) = (number(row)?, NodeId(number(row)?), row.text()?);
    let when = row.named(|text| When::of(&symbol, operands(text)?))?;
    Ok((place, Edge { when, to }))
}

fn to_json(operand: &Operand) -> Json {
    match operand {
        Operand::Number(number) => json!(number),
        Operand::Text(text) => json!(text),
        Operand::Flag(flag) => json!(flag),
    }
}

fn operands(text: &str) -> Option<Vec<Operand>> {
    let Json::Array(values) = serde_json::from_str(text).ok()? else { return None };
    let operand = |value: Json| match value {
        Json::Number(number) => number.as_i64().map(Operand::Number),
        Json::String(text) => Some(Operand::Text(text)),
        Json::Bool(flag) => Some(Operand::Flag(flag)),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    };
    values.into_iter().map(operand).collect()
}
