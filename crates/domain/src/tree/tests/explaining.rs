//! What a dry run says of each decision.

use super::*;
use crate::Lang;
use FactKind::{Number, Tags};
use When::*;

/// Facts, the decisions as `node edge why -> to`, and the leaf.
#[test]
fn every_decision_says_why() {
    let draft = draft(
        TreePurpose::Admission,
        vec![
            decide(1, "age", Number, vec![(AtLeast(n(18)), 2), (Otherwise, 9)]),
            decide(2, "tags", Tags, vec![(Equal(t("staff")), 9), (Equal(t("vip")), 8), (Otherwise, 8)]),
            leaf(8, Leaf::Allow),
            leaf(9, Leaf::Deny),
        ],
    );
    let tree = draft.check().unwrap();
    let tags = |tag: &str| FactValue::Tags(vec![tag.to_owned()]);
    for (given, expected, end) in [
        (vec![], vec!["1 1 missing -> 9"], Leaf::Deny),
        (vec![("age", FactValue::Number(17))], vec!["1 1 none_fits -> 9"], Leaf::Deny),
        (vec![("age", FactValue::Text("18".into()))], vec!["1 1 other_type -> 9"], Leaf::Deny),
        (vec![("age", FactValue::Number(18))], vec!["1 0 fits -> 2", "2 2 missing -> 8"], Leaf::Allow),
        (
            vec![("age", FactValue::Number(30)), ("tags", tags("vip"))],
            vec!["1 0 fits -> 2", "2 1 fits -> 8"],
            Leaf::Allow,
        ),
        (
            vec![("age", FactValue::Number(30)), ("tags", tags("staff"))],
            vec!["1 0 fits -> 2", "2 0 fits -> 9"],
            Leaf::Deny,
        ),
    ] {
        let facts = facts(&given);
        let verdict = tree.evaluate(&facts);
        let told: Vec<_> = draft
            .explain(&verdict, &facts)
            .iter()
            .map(|told| format!("{} {} {} -> {}", told.node.0, told.edge, told.why.name(), told.to.0))
            .collect();
        assert_eq!((told, verdict.leaf), (expected.iter().map(|&row| row.to_owned()).collect(), end));
    }
}

#[test]
fn every_reason_has_two_texts() {
    for why in EdgeReason::ALL {
        assert!(why.text(Lang::En).is_ascii() && !why.text(Lang::Zh).is_ascii(), "{why:?}");
    }
}
