//! What the check says of drafts that are wrong: every problem, by name, node and edge.

use super::*;
use crate::Lang;
use FactKind::{Flag, Number, Tags, Text};
use When::*;

fn allow(id: u32) -> TreeNode {
    leaf(id, Leaf::Allow)
}

fn check(what: &str, nodes: Vec<TreeNode>, expected: &[&str]) {
    check_draft(what, &draft(TreePurpose::Admission, nodes), expected);
}

/// Problems written as `name node.edge`.
fn check_draft(what: &str, draft: &TreeDraft, expected: &[&str]) {
    let written = |problem: &TreeProblem| match (problem.node, problem.edge) {
        (Some(node), Some(edge)) => format!("{} {}.{edge}", problem.what.name(), node.0),
        (Some(node), None) => format!("{} {}", problem.what.name(), node.0),
        (None, _) => problem.what.name().to_owned(),
    };
    let got: Vec<_> = draft.check().err().unwrap_or_default().iter().map(written).collect();
    assert_eq!(got, expected, "{what}");
}

#[test]
fn shapes() {
    let d = |id, edges| decide(id, "age", Number, edges);
    let to = |id| vec![(Otherwise, id)];
    check("one leaf is a tree", vec![allow(1)], &[]);
    check("a shared leaf", vec![d(1, vec![(Equal(n(1)), 2), (Otherwise, 2)]), allow(2)], &[]);
    check("nothing", vec![], &["root_missing"]);
    check("an orphan", vec![allow(1), allow(2)], &["unreachable 2"]);
    check(
        "dangling",
        vec![d(1, vec![(Equal(n(1)), 9), (Otherwise, 8)])],
        &["edge_dangling 1.0", "edge_dangling 1.1"],
    );
    check("no edge at all", vec![d(1, vec![])], &["default_missing 1"]);
    check("no default", vec![d(1, vec![(Equal(n(1)), 2)]), allow(2)], &["default_missing 1"]);
    check(
        "default first",
        vec![d(1, vec![(Otherwise, 2), (Equal(n(1)), 2)]), allow(2)],
        &["default_not_last 1.0"],
    );
    check(
        "two defaults",
        vec![d(1, vec![(Otherwise, 2), (Otherwise, 2)]), allow(2)],
        &["default_not_last 1.0"],
    );
    check("same id", vec![d(1, to(2)), allow(2), leaf(2, Leaf::Deny)], &["id_repeated 2"]);
    check("to itself", vec![d(1, to(1))], &["edge_closes_cycle 1.0"]);
    check("two in a ring", vec![d(1, to(2)), d(2, to(1))], &["edge_closes_cycle 2.0"]);
    check(
        "a ring nobody reaches",
        vec![allow(1), d(2, to(3)), d(3, to(2))],
        &["edge_closes_cycle 3.0", "unreachable 2", "unreachable 3"],
    );
    check(
        "a diamond is no cycle",
        vec![d(1, vec![(Equal(n(1)), 2), (Otherwise, 3)]), d(2, to(4)), d(3, to(4)), allow(4)],
        &[],
    );
}

#[test]
fn roots() {
    let two = |first, second| TreeDraft {
        purpose: TreePurpose::Admission,
        nodes: vec![
            TreeNode { root: first, ..decide(1, "age", Number, vec![(Otherwise, 2)]) },
            TreeNode { root: second, ..allow(2) },
        ],
    };
    check_draft("one", &two(true, false), &[]);
    check_draft("none", &two(false, false), &["root_missing"]);
    check_draft("two", &two(true, true), &["root_repeated 2"]);
    check_draft("not the first", &two(false, true), &["unreachable 1"]);
}

#[test]
fn conditions() {
    let long = "x".repeat(257);
    for (kind, when, expected) in [
        (Number, Equal(t("1")), "type_mismatch"),
        (Number, Above(Operand::Flag(true)), "type_mismatch"),
        (Number, OneOf(vec![n(1), t("1")]), "type_mismatch"),
        (Number, Between { from: n(1), to: t("2") }, "type_mismatch"),
        (Number, Between { from: n(2), to: n(1) }, "range_empty"),
        (Number, Above(n(i64::MAX)), "range_empty"),
        (Number, Below(n(i64::MIN)), "range_empty"),
        (Number, OneOf(vec![]), "range_empty"),
        (Number, OneOf(vec![n(1); 257]), "too_many_values"),
        (Text, Above(t("a")), "type_mismatch"),
        (Text, Below(t("a")), "type_mismatch"),
        (Text, Between { from: t("a"), to: t("b") }, "type_mismatch"),
        (Text, Equal(n(1)), "type_mismatch"),
        (Text, Equal(t(&long)), "value_malformed"),
        (Text, OneOf(vec![t("a"), t("b\n")]), "value_malformed"),
        (Text, OneOf(vec![]), "range_empty"),
        (Tags, AtLeast(t("a")), "type_mismatch"),
        (Tags, OneOf(vec![t("a"), Operand::Flag(true)]), "type_mismatch"),
        (Flag, Equal(t("true")), "type_mismatch"),
        (Flag, Equal(n(1)), "type_mismatch"),
        (Flag, OneOf(vec![Operand::Flag(true)]), "type_mismatch"),
        (Flag, AtMost(Operand::Flag(true)), "type_mismatch"),
    ] {
        let text = format!("{kind:?} {when:?}");
        let nodes = vec![decide(1, "fact", kind, vec![(when, 2), (Otherwise, 2)]), allow(2)];
        check(&text, nodes, &[&format!("{expected} 1.0")]);
    }
}

#[test]
fn leaves_serve_the_purpose() {
    for (purpose, kind, expected) in [
        (TreePurpose::Routing, activity(1), None),
        (TreePurpose::Routing, Leaf::Deny, None),
        (TreePurpose::Routing, Leaf::Allow, Some("leaf_out_of_place 1")),
        (TreePurpose::Admission, Leaf::Allow, None),
        (TreePurpose::Admission, Leaf::Deny, None),
        (TreePurpose::Admission, activity(1), Some("leaf_out_of_place 1")),
    ] {
        let expected: Vec<_> = expected.into_iter().collect();
        check_draft("", &draft(purpose, vec![leaf(1, kind)]), &expected);
    }
}

#[test]
fn limits() {
    let wide = |edges: usize| {
        let mut all = vec![(Equal(n(1)), 2); edges - 1];
        all.push((Otherwise, 2));
        vec![decide(1, "age", Number, all), allow(2)]
    };
    let named = |name: &str| vec![TreeNode { name: name.to_owned(), ..allow(1) }];
    check("a name of 80", named(&"名".repeat(80)), &[]);
    check("a name of 81", named(&"名".repeat(81)), &["name_malformed 1"]);
    check("a name with a space before it", named(" x"), &["name_malformed 1"]);
    check("a name that hides", named("a\u{202e}b"), &["name_malformed 1"]);
    check("64 edges", wide(64), &[]);
    check("65 edges", wide(65), &["too_many_edges 1"]);
    // A tree of the largest size: 16 nodes with 63 leaves each, in a row.
    let mut nodes = Vec::new();
    for id in 0..16 {
        let mut edges: Vec<_> = (0..63).map(|edge| (Equal(n(edge.into())), 100 + id * 63 + edge)).collect();
        let last = if id == 15 { 100 } else { id + 1 };
        edges.push((Otherwise, last));
        nodes.push(decide(id, "age", Number, edges));
        nodes.extend((0..63).map(|edge| allow(100 + id * 63 + edge)));
    }
    assert_eq!(nodes.len(), NODES_MAX);
    check("1024 nodes", nodes.clone(), &[]);
    nodes.push(allow(9_999));
    check("1025 nodes", nodes, &["too_many_nodes"]);
}

#[test]
fn everything_is_said_at_once() {
    let nodes = vec![
        decide(1, "age", Number, vec![(Between { from: n(9), to: n(1) }, 2), (Equal(t("x")), 7)]),
        decide(2, "age", Text, vec![(Otherwise, 1), (Equal(t("x")), 3)]),
        leaf(3, activity(1)),
        leaf(3, Leaf::Allow),
        leaf(4, Leaf::Deny),
    ];
    check(
        "all",
        nodes,
        &[
            "id_repeated 3",
            "default_missing 1",
            "range_empty 1.0",
            "type_mismatch 1.1",
            "edge_dangling 1.1",
            "kind_contradicted 2",
            "default_not_last 2.0",
            "leaf_out_of_place 3",
            "edge_closes_cycle 2.0",
            "unreachable 4",
        ],
    );
}

/// Where a form should point.
#[test]
fn the_field_to_blame() {
    let d = |id, edges| decide(id, "age", Number, edges);
    for (nodes, expected) in [
        (vec![], vec!["nodes root_missing"]),
        (vec![allow(1), allow(7)], vec!["nodes.7 unreachable"]),
        (vec![d(1, vec![(Equal(n(1)), 2)]), allow(2)], vec!["nodes.1.otherwise default_missing"]),
        (
            vec![d(4, vec![(Equal(t("x")), 2), (Otherwise, 9)]), allow(2)],
            vec!["nodes.4.edges[0] type_mismatch", "nodes.4.otherwise edge_dangling"],
        ),
    ] {
        let draft = draft(TreePurpose::Admission, nodes);
        let flaws = draft.check().unwrap_err().into_iter().map(|problem| draft.flaw(&problem));
        let got: Vec<_> = flaws.map(|flaw| format!("{} {}", flaw.field, flaw.code)).collect();
        assert_eq!(got, expected);
    }
}

#[test]
fn every_problem_has_a_name_of_its_own_and_two_texts() {
    let mut names: Vec<_> = TreeFlaw::ALL.iter().map(|what| what.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), TreeFlaw::ALL.len());
    for what in TreeFlaw::ALL {
        assert!(what.text(Lang::En).is_ascii() && !what.text(Lang::Zh).is_ascii(), "{what:?}");
    }
}
