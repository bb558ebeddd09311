//! Random graphs: what passes the check always ends in a leaf, as a naive evaluator of the draft says; what has been
//! broken on purpose is refused.

use proptest::prelude::*;

use super::*;

const KEYS: [(&str, FactKind); 4] =
    [("a", FactKind::Number), ("b", FactKind::Text), ("c", FactKind::Flag), ("d", FactKind::Tags)];

fn label() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["x", "y", "z"]).prop_map(str::to_owned)
}

fn when(kind: FactKind) -> BoxedStrategy<When> {
    let number = || (-3i64..=3).prop_map(Operand::Number);
    let text = || label().prop_map(Operand::Text);
    match kind {
        FactKind::Number => prop_oneof![
            number().prop_map(When::Equal),
            number().prop_map(When::Above),
            number().prop_map(When::Below),
            number().prop_map(When::AtLeast),
            number().prop_map(When::AtMost),
            prop::collection::vec(number(), 1..7).prop_map(When::OneOf),
            (-3i64..=3, 0i64..3).prop_map(|(from, more)| When::Between { from: n(from), to: n(from + more) }),
        ]
        .boxed(),
        FactKind::Flag => any::<bool>().prop_map(|flag| When::Equal(Operand::Flag(flag))).boxed(),
        FactKind::Text | FactKind::Tags => prop_oneof![
            text().prop_map(When::Equal),
            prop::collection::vec(text(), 1..5).prop_map(When::OneOf)
        ]
        .boxed(),
    }
}

fn any_facts() -> impl Strategy<Value = Facts> {
    let value = prop_oneof![
        (-4i64..=4).prop_map(FactValue::Number),
        label().prop_map(FactValue::Text),
        any::<bool>().prop_map(FactValue::Flag),
        prop::collection::btree_set(label(), 0..3)
            .prop_map(|tags| FactValue::Tags(tags.into_iter().collect())),
    ];
    // The type is chosen freely: facts of the wrong type happen.
    prop::collection::vec((prop::sample::select(vec!["a", "b", "c", "d"]), value), 0..5)
        .prop_map(|facts| facts.into_iter().map(|(name, value)| (key(name), value)).collect())
}

/// Nodes 0..n; the edges of a node lead anywhere when `free`, else only to later nodes.
fn graph(free: bool) -> impl Strategy<Value = TreeDraft> {
    let node = prop::sample::select(KEYS.to_vec()).prop_flat_map(|(name, kind)| {
        (
            Just((name, kind)),
            prop::collection::vec((when(kind), any::<prop::sample::Index>()), 0..4),
            any::<prop::sample::Index>(),
        )
    });
    prop::collection::vec((prop::option::weighted(0.6, node), 0u8..3), 1..14).prop_map(move |nodes| {
        let count = nodes.len();
        let built = nodes.into_iter().enumerate().map(|(at, (decision, kind))| {
            let id = u32::try_from(at).unwrap();
            let (low, room) = if free { (0, count + 1) } else { (at + 1, count - at - 1) };
            match decision.filter(|_| room > 0) {
                None => leaf(id, [Leaf::Deny, activity(1), activity(2)][usize::from(kind)]),
                Some(((name, fact), edges, default)) => {
                    let to = |index: prop::sample::Index| u32::try_from(low + index.index(room)).unwrap();
                    let mut all: Vec<_> = edges.into_iter().map(|(when, index)| (when, to(index))).collect();
                    all.push((When::Otherwise, to(default)));
                    decide(id, name, fact, all)
                }
            }
        });
        draft(TreePurpose::Routing, built.collect())
    })
}

/// A graph without cycles, and without what its root does not reach.
fn sound() -> impl Strategy<Value = TreeDraft> {
    graph(false).prop_map(|mut draft| {
        let mut reached = std::collections::BTreeSet::from([NodeId(0)]);
        for node in &draft.nodes {
            if let NodeKind::Decide { edges, .. } = &node.body
                && reached.contains(&node.id)
            {
                reached.extend(edges.iter().map(|edge| edge.to));
            }
        }
        draft.nodes.retain(|node| reached.contains(&node.id));
        draft
    })
}

fn node(draft: &TreeDraft, id: NodeId) -> Option<&TreeNode> {
    draft.nodes.iter().find(|node| node.id == id)
}

/// Whether a condition fits, straight from its meaning.
fn holds(when: &When, value: &FactValue) -> bool {
    let is = |operand: &Operand| match (operand, value) {
        (Operand::Number(a), FactValue::Number(b)) => a == b,
        (Operand::Text(a), FactValue::Text(b)) => a == b,
        (Operand::Text(a), FactValue::Tags(tags)) => tags.contains(a),
        (Operand::Flag(a), FactValue::Flag(b)) => a == b,
        _ => false,
    };
    let compare = |operand: &Operand, wanted: fn(&i64, &i64) -> bool| match (operand, value) {
        (Operand::Number(operand), FactValue::Number(value)) => wanted(value, operand),
        _ => false,
    };
    match when {
        When::Otherwise => true,
        When::Equal(operand) => is(operand),
        When::OneOf(operands) => operands.iter().any(is),
        When::Above(operand) => compare(operand, i64::gt),
        When::Below(operand) => compare(operand, i64::lt),
        When::AtLeast(operand) => compare(operand, i64::ge),
        When::AtMost(operand) => compare(operand, i64::le),
        When::Between { from, to } => compare(from, i64::ge) && compare(to, i64::le),
    }
}

/// Walks the draft itself, by ids; `None` when it dangles or goes on for longer than there are nodes.
fn naive(draft: &TreeDraft, facts: &Facts) -> Option<Leaf> {
    let mut at = draft.nodes.iter().find(|node| node.root)?;
    for _ in 0..=draft.nodes.len() {
        match &at.body {
            NodeKind::Leaf(leaf) => return Some(*leaf),
            NodeKind::Decide { fact, kind, edges } => {
                let value = facts.get(fact).filter(|value| value.kind() == *kind);
                let hit = edges.iter().find(|edge| match value {
                    Some(value) => holds(&edge.when, value),
                    None => edge.when == When::Otherwise,
                })?;
                at = node(draft, hit.to)?;
            }
        }
    }
    None
}

/// Whether the shape is right, by following every path of it.
fn naive_shape(draft: &TreeDraft) -> bool {
    fn follow(draft: &TreeDraft, id: NodeId, above: &mut Vec<NodeId>, seen: &mut Vec<NodeId>) -> bool {
        if above.contains(&id) {
            return false;
        }
        let Some(node) = node(draft, id) else { return false };
        seen.push(id);
        above.push(id);
        let sound = match &node.body {
            NodeKind::Leaf(_) => true,
            NodeKind::Decide { edges, .. } => edges.iter().all(|edge| follow(draft, edge.to, above, seen)),
        };
        above.pop();
        sound
    }
    let mut seen = Vec::new();
    follow(draft, NodeId(0), &mut Vec::new(), &mut seen)
        && draft.nodes.iter().all(|node| seen.contains(&node.id))
}

proptest! {
    #[test]
    fn a_sound_tree_passes_and_leads_where_the_naive_evaluator_says(draft in sound(), given in any_facts()) {
        let tree = draft.check().expect("a sound tree passes");
        let verdict = tree.evaluate(&given);
        prop_assert_eq!(Some(verdict.leaf), naive(&draft, &given));
        prop_assert!(verdict.path.steps.len() <= DEPTH_MAX);
        let bytes = verdict.path.encode();
        prop_assert!(bytes.len() <= PATH_BYTES_MAX);
        prop_assert_eq!(tree.read_path(&bytes), Ok(verdict.clone()));
        let told = draft.explain(&verdict, &given);
        prop_assert_eq!(told.len(), verdict.path.steps.len(), "every decision is explained");
        prop_assert_eq!(TreeDraft::decode(&draft.encode()), Ok(draft.clone()));
    }

    #[test]
    fn any_graph_is_judged_as_by_following_every_path(draft in graph(true), given in any_facts()) {
        let checked = draft.check();
        prop_assert_eq!(checked.is_ok(), naive_shape(&draft));
        match checked {
            Ok(tree) => prop_assert_eq!(Some(tree.evaluate(&given).leaf), naive(&draft, &given)),
            Err(problems) => prop_assert!(!problems.is_empty()),
        }
    }

    #[test]
    fn a_sound_tree_that_is_broken_is_refused(
        draft in sound(), at in any::<prop::sample::Index>(), which in any::<prop::sample::Index>(), how in 0..5,
    ) {
        let mut broken = draft;
        let (count, root) = (broken.nodes.len(), broken.nodes[0].id);
        let at = at.index(count);
        let id = broken.nodes[at].id;
        let expected = match (&mut broken.nodes[at].body, how) {
            (NodeKind::Decide { edges, .. }, 0) => {
                let place = which.index(edges.len());
                // Everything is reached from the root, so an edge to the root closes a ring, whatever else it breaks.
                edges[place].to = root;
                TreeFlaw::EdgeClosesCycle
            }
            (NodeKind::Decide { edges, .. }, 1) => {
                let place = which.index(edges.len());
                edges[place].to = NodeId(1_000);
                TreeFlaw::EdgeDangling
            }
            (NodeKind::Decide { edges, .. }, 2) => {
                edges.pop();
                TreeFlaw::DefaultMissing
            }
            (_, 3) => {
                let copy = broken.nodes[at].clone();
                broken.nodes.push(TreeNode { root: false, ..copy });
                TreeFlaw::IdRepeated
            }
            (NodeKind::Decide { .. } | NodeKind::Leaf(_), _) => {
                broken.nodes.push(leaf(1_000, Leaf::Deny));
                TreeFlaw::Unreachable
            }
        };
        let problems = broken.check().expect_err("a broken tree is refused");
        prop_assert!(problems.iter().any(|problem| problem.what == expected), "{:?} at {:?}: {:?}", expected, id, problems);
    }
}
