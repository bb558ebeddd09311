//! Which leaf which facts lead to, and the path that is kept.

use super::*;
use When::*;

/// One decision over `fact`: allowed when the condition fits, denied otherwise.
fn fits(kind: FactKind, when: &When, value: Option<FactValue>) -> bool {
    let node = decide(1, "fact", kind, vec![(when.clone(), 2), (Otherwise, 3)]);
    let tree =
        draft(TreePurpose::Admission, vec![node, leaf(2, Leaf::Allow), leaf(3, Leaf::Deny)]).check().unwrap();
    let given: Facts = value.map(|value| (key("fact"), value)).into_iter().collect();
    tree.evaluate(&given).leaf == Leaf::Allow
}

#[test]
fn conditions_on_numbers() {
    let range = Between { from: n(18), to: n(30) };
    for (when, yes, no) in [
        (Equal(n(18)), vec![18], vec![17, 19]),
        (Above(n(18)), vec![19, i64::MAX], vec![18, i64::MIN]),
        (Below(n(18)), vec![17, i64::MIN], vec![18, i64::MAX]),
        (AtLeast(n(18)), vec![18, 19], vec![17]),
        (AtMost(n(18)), vec![18, 17], vec![19]),
        (OneOf([9, 1, 7, 3, 5].map(n).to_vec()), vec![1, 3, 5, 7, 9], vec![0, 4, 10]),
        (range, vec![18, 24, 30], vec![17, 31]),
        (AtMost(n(i64::MIN)), vec![i64::MIN], vec![i64::MIN + 1]),
        (AtLeast(n(i64::MAX)), vec![i64::MAX], vec![i64::MAX - 1]),
    ] {
        for (values, expected) in [(yes, true), (no, false)] {
            for value in values {
                let got = fits(FactKind::Number, &when, Some(FactValue::Number(value)));
                assert_eq!(got, expected, "{value} {when:?}");
            }
        }
    }
}

#[test]
fn conditions_on_texts_flags_and_tags() {
    let text = |text: &str| FactValue::Text(text.to_owned());
    let tags = |tags: &[&str]| FactValue::Tags(tags.iter().map(|tag| (*tag).to_owned()).collect());
    let some = OneOf(vec![t("vip"), t("new")]);
    for (kind, when, value, expected) in [
        (FactKind::Text, Equal(t("gold")), text("gold"), true),
        (FactKind::Text, Equal(t("gold")), text("Gold"), false),
        (FactKind::Text, some.clone(), text("new"), true),
        (FactKind::Text, some.clone(), text("old"), false),
        (FactKind::Flag, Equal(Operand::Flag(true)), FactValue::Flag(true), true),
        (FactKind::Flag, Equal(Operand::Flag(true)), FactValue::Flag(false), false),
        (FactKind::Flag, Equal(Operand::Flag(false)), FactValue::Flag(false), true),
        (FactKind::Tags, Equal(t("vip")), tags(&["new", "vip"]), true),
        (FactKind::Tags, Equal(t("vip")), tags(&[]), false),
        (FactKind::Tags, some.clone(), tags(&["a", "new"]), true),
        (FactKind::Tags, some.clone(), tags(&["a", "b"]), false),
        // A fact of another type than the node expects is as good as missing.
        (FactKind::Text, some.clone(), tags(&["new"]), false),
        (FactKind::Tags, some, text("new"), false),
        (FactKind::Number, AtLeast(n(0)), text("7"), false),
    ] {
        assert_eq!(fits(kind, &when, Some(value.clone())), expected, "{value:?} {when:?}");
    }
}

/// 1: age < 18 → deny; else 2: vip → 200; level 3.. → 300; else 100.
fn campaign() -> TreeDraft {
    let vip = (Equal(t("vip")), 20);
    draft(
        TreePurpose::Routing,
        vec![
            decide(1, "age", FactKind::Number, vec![(Below(n(18)), 10), (Otherwise, 2)]),
            decide(2, "tags", FactKind::Tags, vec![vip, (Otherwise, 3)]),
            decide(
                3,
                "level",
                FactKind::Number,
                vec![(Above(n(9)), 10), (AtLeast(n(3)), 30), (Otherwise, 40)],
            ),
            leaf(10, Leaf::Deny),
            leaf(20, activity(200)),
            leaf(30, activity(300)),
            leaf(40, activity(100)),
        ],
    )
}

#[test]
fn a_campaign_is_chosen_and_the_path_is_kept() {
    let tree = campaign().check().unwrap();
    let age = |age| ("age", FactValue::Number(age));
    let level = |level| ("level", FactValue::Number(level));
    let vip = ("tags", FactValue::Tags(vec!["vip".into()]));
    for (given, expected, path) in [
        (vec![age(17), vip.clone()], Leaf::Deny, vec![1, 0]),
        (vec![age(18), vip.clone()], activity(200), vec![2, 1, 0]),
        (vec![vip], activity(200), vec![2, 1, 0]),
        (vec![age(40), level(3)], activity(300), vec![3, 1, 1, 1]),
        (vec![age(40), level(10)], Leaf::Deny, vec![3, 1, 1, 0]),
        (vec![], activity(100), vec![3, 1, 1, 2]),
    ] {
        let verdict = tree.evaluate(&facts(&given));
        assert_eq!((verdict.leaf, verdict.path.encode()), (expected, path.clone()), "{given:?}");
        assert_eq!(tree.read_path(&path), Ok(verdict), "{given:?}");
    }
    let kinds: Vec<_> = tree.facts().into_iter().map(|(key, kind)| (key.as_str(), kind)).collect();
    assert_eq!(kinds, [("age", FactKind::Number), ("level", FactKind::Number), ("tags", FactKind::Tags)]);
}

#[test]
fn bytes_that_are_no_path_are_refused() {
    let tree = campaign().check().unwrap();
    let long: Vec<u8> = std::iter::once(33).chain([0; 33]).collect();
    for (bytes, expected) in [
        (&[][..], PathUnreadable::Length),
        (&[1], PathUnreadable::Length),
        (&[1, 0, 0], PathUnreadable::Length),
        (&long, PathUnreadable::Length),
        (&[0], PathUnreadable::NoLeaf),
        (&[2, 1, 1], PathUnreadable::NoLeaf),
        (&[1, 2], PathUnreadable::Edge { step: 0 }),
        (&[2, 0, 0], PathUnreadable::Edge { step: 1 }),
    ] {
        assert_eq!(tree.read_path(bytes), Err(expected), "{bytes:?}");
    }
}

/// Hole 47: a tree asks for named facts and takes them from nowhere else; without a matching edge there is the
/// default; a cycle does not get as far as being evaluated.
#[test]
fn hole_47_no_matching_edge_and_no_fact_take_the_default() {
    let tree = campaign().check().unwrap();
    let told = facts(&[("user_says_age", FactValue::Number(99)), ("vip", FactValue::Flag(true))]);
    assert_eq!(
        tree.evaluate(&told),
        tree.evaluate(&Facts::default()),
        "facts the tree does not name change nothing"
    );
    assert_eq!(tree.evaluate(&Facts::default()).leaf, activity(100));
    let unmatched = facts(&[("level", FactValue::Number(-1))]);
    assert_eq!(tree.evaluate(&unmatched).leaf, activity(100));
}

#[test]
fn hole_47_a_cycle_is_refused_at_save() {
    let mut looped = campaign();
    let NodeKind::Decide { edges, .. } = &mut looped.nodes[2].body else { panic!("a decision") };
    edges[2].to = NodeId(1);
    let problems = looped.check().unwrap_err();
    assert!(problems.contains(&TreeProblem {
        what: TreeFlaw::EdgeClosesCycle,
        node: Some(NodeId(3)),
        edge: Some(2)
    }));
}

#[test]
fn a_path_of_32_edges_is_the_longest() {
    let chain = |edges: u32| {
        let mut nodes: Vec<_> = (0..edges)
            .map(|id| decide(id, "age", FactKind::Number, vec![(Equal(n(1)), id + 1), (Otherwise, id + 1)]))
            .collect();
        nodes.push(leaf(edges, Leaf::Allow));
        draft(TreePurpose::Admission, nodes)
    };
    let verdict = chain(32).check().unwrap().evaluate(&Facts::default());
    assert_eq!((verdict.leaf, verdict.path.encode().len()), (Leaf::Allow, PATH_BYTES_MAX));
    let too_deep = TreeProblem { what: TreeFlaw::TooDeep, node: Some(NodeId(33)), edge: None };
    assert_eq!(chain(33).check(), Err(vec![too_deep]));
    assert_eq!(chain(1_000).check(), Err(vec![too_deep]), "only the first that is too deep is named");
}
