//! Everything that can be wrong with a draft, by name.

use super::draft::{NodeId, NodeKind, TreeDraft, When};
use crate::Lang;
use crate::flaw::Flaw;

/// One thing that is wrong, and where: the node, and the edge by its place at the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeProblem {
    pub what: TreeFlaw,
    pub node: Option<NodeId>,
    pub edge: Option<usize>,
}

impl TreeProblem {
    pub(super) fn of_tree(what: TreeFlaw) -> Self {
        Self { what, node: None, edge: None }
    }

    pub(super) fn at(what: TreeFlaw, node: NodeId) -> Self {
        Self { what, node: Some(node), edge: None }
    }

    pub(super) fn on(what: TreeFlaw, node: NodeId, edge: usize) -> Self {
        Self { what, node: Some(node), edge: Some(edge) }
    }
}

impl TreeDraft {
    /// A problem of this draft as it is told outside: `nodes.4.edges[1]` is the second edge of the node with the id 4,
    /// and `nodes.4.otherwise` its default.
    pub fn flaw(&self, problem: &TreeProblem) -> Flaw {
        let field = match (problem.node, problem.edge) {
            (None, _) => "nodes".to_owned(),
            (Some(node), None) if problem.what == TreeFlaw::DefaultMissing => {
                format!("nodes.{}.otherwise", node.0)
            }
            (Some(node), None) => format!("nodes.{}", node.0),
            (Some(node), Some(edge)) if self.is_default(node, edge) => format!("nodes.{}.otherwise", node.0),
            (Some(node), Some(edge)) => format!("nodes.{}.edges[{edge}]", node.0),
        };
        let what = problem.what;
        Flaw::new(field, what.name(), what.text(Lang::En), what.text(Lang::Zh))
    }

    fn is_default(&self, node: NodeId, place: usize) -> bool {
        self.nodes.iter().filter(|known| known.id == node).any(|known| match &known.body {
            NodeKind::Leaf(_) => false,
            NodeKind::Decide { edges, .. } => {
                place + 1 == edges.len() && edges[place].when == When::Otherwise
            }
        })
    }
}

macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $en:literal, $zh:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum TreeFlaw { $($(#[$doc])* $name),+ }

        impl TreeFlaw {
            pub const ALL: &'static [TreeFlaw] = &[$(Self::$name),+];

            /// The stable name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $code),+ }
            }

            /// What to tell a person.
            pub const fn text(self, lang: Lang) -> &'static str {
                match (self, lang) { $((Self::$name, Lang::En) => $en, (Self::$name, Lang::Zh) => $zh),+ }
            }
        }
    };
}

problems! {
    /// Nothing else is looked at then: the check itself is bounded too.
    TooManyNodes = "too_many_nodes", "The tree has too many nodes.", "节点数量过多。";
    IdRepeated = "id_repeated", "Another node has the same id.", "节点 ID 重复。";
    NameMalformed = "name_malformed",
        "The node's name is too long, has spaces around it, or has characters that cannot be seen.",
        "节点名称过长、首尾有空格或含有不可见字符。";
    RootMissing = "root_missing", "No node is the root.", "没有根节点。";
    /// Named at the second root and those after it.
    RootRepeated = "root_repeated", "There is another root before this one.", "存在多个根节点。";
    DefaultMissing = "default_missing", "This node has no default edge.", "节点缺少默认分支。";
    /// Every edge after a default edge would never be tried; a second default is one of them.
    DefaultNotLast = "default_not_last", "The default edge has to be the last one.", "默认分支必须是最后一个。";
    TooManyEdges = "too_many_edges", "This node has too many edges.", "节点的分支过多。";
    EdgeDangling = "edge_dangling", "This edge leads to a node that is not there.", "分支指向不存在的节点。";
    EdgeClosesCycle = "edge_closes_cycle", "This edge leads back to where it came from.", "分支形成循环。";
    TypeMismatch = "type_mismatch",
        "This condition does not fit the type of the fact.", "条件与属性类型不符。";
    /// Named at the later node.
    KindContradicted = "kind_contradicted",
        "An earlier node expects this fact to be of another type.", "同一属性在前面的节点中声明为其他类型。";
    RangeEmpty = "range_empty", "Nothing can fit this condition.", "条件范围为空，永远不会命中。";
    TooManyValues = "too_many_values", "This condition lists too many values.", "条件列出的取值过多。";
    ValueMalformed = "value_malformed", "No fact can have this value.", "该取值不可能是属性的值。";
    Unreachable = "unreachable", "No path leads to this node.", "节点不可达。";
    /// Named at the first node that is too deep on its path.
    TooDeep = "too_deep", "The path to this node is too long.", "节点层级过深。";
    LeafOutOfPlace = "leaf_out_of_place",
        "A routing tree names activities or denies; an admission tree allows or denies.",
        "分流树的叶子为活动或拒绝；准入树的叶子为允许或拒绝。";
}
