//! A rule tree as it is written in JSON: a list of nodes with ids, each with its edges or the leaf that it is.
//!
//! What a word means is looked at here (a type, a sign, an id), and every word that means nothing is told, by node.
//! Whether the tree as a whole works is the domain's question.

use domain::Rejection;
use domain::account::{FactKey, FactKind};
use domain::flaw::Flaw;
use domain::rejection::FieldProblem;
use domain::tree::{Edge, Leaf, NodeId, NodeKind, Operand, TreeDraft, TreeNode, TreePurpose, When};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A value that a fact is compared with: a whole number, a text, true or false.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(untagged)]
pub enum OperandBody {
    Flag(bool),
    Number(i64),
    Text(String),
}

/// An edge: taken when it is the first of its node that fits.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EdgeBody {
    /// `=`, `>`, `<`, `>=`, `<=` with `value`; `in` with `values`; `range` with `from` and `up_to`, both included.
    #[schema(example = ">=")]
    pub when: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<OperandBody>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<OperandBody>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<OperandBody>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to: Option<OperandBody>,
    /// The node it leads to.
    pub to: u32,
}

/// A decision (`fact`, `type`, `edges`, `otherwise`) or a leaf (`leaf`, and `activity` for one that names it).
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeBody {
    /// Your own number for it, within this tree.
    pub id: u32,
    /// For people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The fact it looks at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "registered_days_ago")]
    pub fact: Option<String>,
    /// `number`, `text`, `flag` or `tags`.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Tried in this order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<EdgeBody>>,
    /// Where it goes when no edge fits, or the fact is missing or of another type. Every decision has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<u32>,
    /// `allow`, `deny` or `activity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaf: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activity: Option<String>,
}

/// The draft, or every word that means nothing.
pub fn read(purpose: &str, root: u32, nodes: Vec<NodeBody>) -> Result<TreeDraft, Rejection> {
    let mut wrong = Wrong(Vec::new());
    let known = TreePurpose::parse(purpose);
    if known.is_none() {
        wrong.field("purpose", FieldProblem::NotOneOf { allowed: TreePurpose::NAMES });
    }
    // Of two nodes with the root's id the first is meant; the check tells of the other.
    let at = nodes.iter().position(|node| node.id == root);
    let nodes: Vec<TreeNode> = nodes
        .into_iter()
        .enumerate()
        .filter_map(|(place, node)| read_node(&mut wrong, Some(place) == at, node))
        .collect();
    Rejection::of_flaws(wrong.0)?;
    Ok(TreeDraft { purpose: known.unwrap_or(TreePurpose::Admission), nodes })
}

struct Wrong(Vec<Flaw>);

impl Wrong {
    fn field(&mut self, field: &str, problem: FieldProblem) {
        self.0.push(Rejection::invalid(field, problem).into());
    }
}

fn read_node(wrong: &mut Wrong, root: bool, node: NodeBody) -> Option<TreeNode> {
    let at = format!("nodes.{}", node.id);
    let (id, name) = (NodeId(node.id), node.name.clone());
    let body = match (&node.fact, &node.leaf) {
        (Some(_), None) => read_decision(wrong, &at, node),
        (None, Some(_)) => read_leaf(wrong, &at, &node),
        (Some(_), Some(_)) | (None, None) => {
            let text = "A node either looks at a fact or is a leaf.";
            wrong.0.push(Flaw::new(at, "node_ambiguous", text, "节点须为判断节点或叶子节点之一。"));
            None
        }
    };
    Some(TreeNode { id, root, name, body: body? })
}

fn read_leaf(wrong: &mut Wrong, at: &str, node: &NodeBody) -> Option<NodeKind> {
    for (field, given) in [
        ("type", node.kind.is_some()),
        ("edges", node.edges.is_some()),
        ("otherwise", node.otherwise.is_some()),
    ] {
        if given {
            wrong.field(&format!("{at}.{field}"), FieldProblem::Unknown);
        }
    }
    let leaf = match (node.leaf.as_deref(), node.activity.as_deref()) {
        (Some("activity"), None) => {
            wrong.field(&format!("{at}.activity"), FieldProblem::Missing);
            None
        }
        (Some("activity"), Some(text)) => {
            let activity = text.parse().ok();
            if activity.is_none() {
                wrong.field(&format!("{at}.activity"), FieldProblem::Malformed);
            }
            activity.map(Leaf::Activity)
        }
        (Some("allow" | "deny"), Some(_)) => {
            wrong.field(&format!("{at}.activity"), FieldProblem::Unknown);
            None
        }
        (Some("allow"), None) => Some(Leaf::Allow),
        (Some("deny"), None) => Some(Leaf::Deny),
        (_, _) => {
            wrong.field(&format!("{at}.leaf"), FieldProblem::NotOneOf { allowed: "allow, deny, activity" });
            None
        }
    };
    leaf.map(NodeKind::Leaf)
}

fn read_decision(wrong: &mut Wrong, at: &str, node: NodeBody) -> Option<NodeKind> {
    if node.activity.is_some() {
        wrong.field(&format!("{at}.activity"), FieldProblem::Unknown);
    }
    let fact = FactKey::parse(node.fact.as_deref().unwrap_or_default()).ok();
    if fact.is_none() {
        wrong.field(&format!("{at}.fact"), FieldProblem::Malformed);
    }
    let kind = node.kind.as_deref().and_then(FactKind::parse);
    match (&node.kind, kind) {
        (None, _) => wrong.field(&format!("{at}.type"), FieldProblem::Missing),
        (Some(_), None) => {
            wrong.field(&format!("{at}.type"), FieldProblem::NotOneOf { allowed: FactKind::NAMES });
        }
        (Some(_), Some(_)) => {}
    }
    let mut edges = Vec::new();
    for (place, edge) in node.edges.unwrap_or_default().into_iter().enumerate() {
        edges.extend(read_edge(wrong, &format!("{at}.edges[{place}]"), edge));
    }
    edges.extend(node.otherwise.map(|to| Edge { when: When::Otherwise, to: NodeId(to) }));
    Some(NodeKind::Decide { fact: fact?, kind: kind?, edges })
}

fn read_edge(wrong: &mut Wrong, at: &str, edge: EdgeBody) -> Option<Edge> {
    let EdgeBody { when: symbol, value, values, from, up_to, to } = edge;
    let (one, many, range) = match symbol.as_str() {
        "=" | ">" | "<" | ">=" | "<=" => (true, false, false),
        "in" => (false, true, false),
        "range" => (false, false, true),
        _ => {
            wrong.field(&format!("{at}.when"), FieldProblem::NotOneOf { allowed: When::SYMBOLS });
            return None;
        }
    };
    let mut fits = true;
    for (field, wanted, given) in [
        ("value", one, value.is_some()),
        ("values", many, values.is_some()),
        ("from", range, from.is_some()),
        ("up_to", range, up_to.is_some()),
    ] {
        match (wanted, given) {
            (true, false) => wrong.field(&format!("{at}.{field}"), FieldProblem::Missing),
            (false, true) => wrong.field(&format!("{at}.{field}"), FieldProblem::Unknown),
            (true, true) | (false, false) => continue,
        }
        fits = false;
    }
    let operands = value.into_iter().chain(values.unwrap_or_default()).chain(from).chain(up_to);
    let when = When::of(&symbol, operands.map(read_operand).collect()).filter(|_| fits)?;
    Some(Edge { when, to: NodeId(to) })
}

fn read_operand(operand: OperandBody) -> Operand {
    match operand {
        OperandBody::Flag(flag) => Operand::Flag(flag),
        OperandBody::Number(number) => Operand::Number(number),
        OperandBody::Text(text) => Operand::Text(text),
    }
}

/// The root and the nodes, as they were written.
pub fn write(draft: &TreeDraft) -> (u32, Vec<NodeBody>) {
    let root = draft.nodes.iter().find(|node| node.root).map_or(0, |node| node.id.0);
    (root, draft.nodes.iter().map(write_node).collect())
}

fn write_node(node: &TreeNode) -> NodeBody {
    let body = NodeBody { id: node.id.0, name: node.name.clone(), ..NodeBody::default() };
    match &node.body {
        NodeKind::Leaf(leaf) => {
            let (leaf, activity) = write_leaf(*leaf);
            NodeBody { leaf: Some(leaf.to_owned()), activity, ..body }
        }
        NodeKind::Decide { fact, kind, edges } => NodeBody {
            fact: Some(fact.as_str().to_owned()),
            kind: Some(kind.name().to_owned()),
            edges: Some(edges.iter().filter_map(write_edge).collect()),
            otherwise: edges.iter().find(|edge| edge.when == When::Otherwise).map(|edge| edge.to.0),
            ..body
        },
    }
}

pub fn write_leaf(leaf: Leaf) -> (&'static str, Option<String>) {
    match leaf {
        Leaf::Allow => ("allow", None),
        Leaf::Deny => ("deny", None),
        Leaf::Activity(activity) => ("activity", Some(activity.to_string())),
    }
}

/// Nothing for the default, which has a field of its own.
fn write_edge(edge: &Edge) -> Option<EdgeBody> {
    let body = EdgeBody { when: edge.when.symbol().to_owned(), to: edge.to.0, ..EdgeBody::default() };
    let value = |operand: &Operand| match operand {
        Operand::Flag(flag) => OperandBody::Flag(*flag),
        Operand::Number(number) => OperandBody::Number(*number),
        Operand::Text(text) => OperandBody::Text(text.clone()),
    };
    match &edge.when {
        When::Otherwise => None,
        When::OneOf(operands) => {
            Some(EdgeBody { values: Some(operands.iter().map(value).collect()), ..body })
        }
        When::Between { from, to } => {
            Some(EdgeBody { from: Some(value(from)), up_to: Some(value(to)), ..body })
        }
        When::Equal(operand)
        | When::Above(operand)
        | When::Below(operand)
        | When::AtLeast(operand)
        | When::AtMost(operand) => Some(EdgeBody { value: Some(value(operand)), ..body }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read_json(nodes: Value) -> Result<TreeDraft, Rejection> {
        read("routing", 1, serde_json::from_value(nodes).unwrap())
    }

    #[test]
    fn what_was_written_is_what_is_shown() {
        let nodes = json!([
            { "id": 1, "name": "Age", "fact": "age", "type": "number", "otherwise": 3, "edges": [
                { "when": "=", "value": 1, "to": 2 },
                { "when": ">", "value": 90, "to": 2 },
                { "when": "<", "value": -1, "to": 2 },
                { "when": ">=", "value": 80, "to": 2 },
                { "when": "<=", "value": 0, "to": 2 },
                { "when": "in", "values": [3, 4], "to": 2 },
                { "when": "range", "from": 5, "up_to": 6, "to": 2 },
            ] },
            { "id": 2, "fact": "city", "type": "text", "otherwise": 3, "edges": [
                { "when": "=", "value": "上海", "to": 4 },
            ] },
            { "id": 3, "fact": "vip", "type": "flag", "otherwise": 5, "edges": [
                { "when": "=", "value": true, "to": 4 },
            ] },
            { "id": 4, "leaf": "activity", "activity": "9007199254740993" },
            { "id": 5, "leaf": "deny" },
        ]);
        let draft = read_json(nodes.clone()).unwrap();
        draft.check().unwrap();
        let (root, shown) = write(&draft);
        assert_eq!((root, serde_json::to_value(shown).unwrap()), (1, nodes));
    }

    /// Nodes, and what is wrong with them as `field code`.
    #[test]
    fn every_word_that_means_nothing_is_told() {
        let edge = |edge: Value| json!([{ "id": 1, "fact": "age", "type": "number", "otherwise": 1, "edges": [edge] }]);
        for (nodes, expected) in [
            (json!([{ "id": 4 }]), vec!["nodes.4 node_ambiguous"]),
            (json!([{ "id": 4, "leaf": "deny", "fact": "age" }]), vec!["nodes.4 node_ambiguous"]),
            (
                json!([{ "id": 4, "leaf": "maybe" }, { "id": 5, "leaf": "activity" }]),
                vec!["nodes.4.leaf not_one_of", "nodes.5.activity missing"],
            ),
            (json!([{ "id": 4, "leaf": "activity", "activity": "x" }]), vec!["nodes.4.activity malformed"]),
            (
                json!([{ "id": 4, "leaf": "allow", "activity": "1", "type": "text", "edges": [], "otherwise": 1 }]),
                vec![
                    "nodes.4.type unknown",
                    "nodes.4.edges unknown",
                    "nodes.4.otherwise unknown",
                    "nodes.4.activity unknown",
                ],
            ),
            (
                json!([{ "id": 4, "fact": "Age", "activity": "1" }, { "id": 5, "fact": "age", "type": "date" }]),
                vec![
                    "nodes.4.activity unknown",
                    "nodes.4.fact malformed",
                    "nodes.4.type missing",
                    "nodes.5.type not_one_of",
                ],
            ),
            (edge(json!({ "when": "!=", "value": 1, "to": 1 })), vec!["nodes.1.edges[0].when not_one_of"]),
            (edge(json!({ "when": "otherwise", "to": 1 })), vec!["nodes.1.edges[0].when not_one_of"]),
            (
                edge(json!({ "when": "=", "values": [1], "to": 1 })),
                vec!["nodes.1.edges[0].value missing", "nodes.1.edges[0].values unknown"],
            ),
            (
                edge(json!({ "when": "range", "value": 1, "from": 1, "to": 1 })),
                vec!["nodes.1.edges[0].value unknown", "nodes.1.edges[0].up_to missing"],
            ),
        ] {
            let told = read_json(nodes.clone()).err().map(|rejection| {
                rejection
                    .flaws()
                    .iter()
                    .map(|flaw| format!("{} {}", flaw.field, flaw.code))
                    .collect::<Vec<_>>()
            });
            assert_eq!(told, Some(expected.into_iter().map(str::to_owned).collect()), "{nodes}");
        }
    }
}
