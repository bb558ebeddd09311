//! Rule trees: saved version by version, read back as they were, never changed.

use domain::account::{FactKey, FactKind};
use domain::ids::{ActivityId, TreeId, UserId};
use domain::page::PageRequest;
use domain::tree::{Edge, Leaf, NodeId, NodeKind, Operand, TreeDraft, TreeNode, TreePurpose, When};
use futures::future::join_all;
use store::model::*;
use store::{Db, params};

use crate::fixtures::*;

const ANN: Actor = Actor::Person(UserId(1));

fn node(id: u32, body: NodeKind) -> TreeNode {
    TreeNode { id: NodeId(id), root: id == 1, name: format!("节点 {id}"), body }
}

fn decide(id: u32, fact: &str, kind: FactKind, edges: Vec<(When, u32)>) -> TreeNode {
    let edges = edges.into_iter().map(|(when, to)| Edge { when, to: NodeId(to) }).collect();
    node(id, NodeKind::Decide { fact: FactKey::parse(fact).unwrap(), kind, edges })
}

/// Every kind of node, condition and value; `age` makes it another tree.
fn draft(age: i64) -> TreeDraft {
    let (n, t) = (Operand::Number, |text: &str| Operand::Text(text.to_owned()));
    let numbers = vec![
        (When::Equal(n(age)), 2),
        (When::Above(n(i64::MAX - 1)), 2),
        (When::Below(n(i64::MIN + 1)), 2),
        (When::AtLeast(n(90)), 2),
        (When::AtMost(n(-90)), 2),
        (When::OneOf(vec![n(3), n(4)]), 2),
        (When::Between { from: n(5), to: n(6) }, 2),
        (When::Otherwise, 3),
    ];
    let nodes = vec![
        decide(1, "age", FactKind::Number, numbers),
        decide(2, "city", FactKind::Text, vec![(When::Equal(t("上海 \"5\"")), 9), (When::Otherwise, 3)]),
        decide(3, "vip", FactKind::Flag, vec![(When::Equal(Operand::Flag(true)), 9), (When::Otherwise, 4)]),
        decide(
            4,
            "tags",
            FactKind::Tags,
            vec![(When::OneOf(vec![t("5"), t("true")]), 9), (When::Otherwise, 8)],
        ),
        node(8, NodeKind::Leaf(Leaf::Deny)),
        node(9, NodeKind::Leaf(Leaf::Activity(ActivityId(i64::MAX)))),
    ];
    TreeDraft { purpose: TreePurpose::Routing, nodes }
}

fn create(id: i64, name: &str, draft: TreeDraft) -> TreeCreate {
    TreeCreate { id: TreeId(id), name: name.into(), draft, once: None, signed: signed(ANN, id) }
}

fn save(base: u32, name: &str, draft: TreeDraft, audit: i64) -> TreeSave {
    TreeSave { tree: TreeId(1), base, name: name.into(), draft, once: None, signed: signed(ANN, audit) }
}

on_both! {
    a_tree_comes_back_as_it_was_saved,
    the_same_key_makes_one_tree,
    a_version_is_saved_on_top_of_the_newest,
    of_many_at_once_one_saves,
    what_was_changed_behind_our_back_is_a_fault,
    trees_are_listed_newest_first,
}

async fn a_tree_comes_back_as_it_was_saved(db: &Db) {
    draft(18).check().unwrap();
    db.tree_create(create(1, "Who may", draft(18))).await.unwrap();
    let admission =
        TreeDraft { purpose: TreePurpose::Admission, nodes: vec![node(1, NodeKind::Leaf(Leaf::Allow))] };
    db.tree_create(create(2, "Everybody", admission.clone())).await.unwrap();
    for (id, name, draft) in [(1, "Who may", draft(18)), (2, "Everybody", admission)] {
        let hash = draft.hash();
        let expected = TreeVersion {
            tree: TreeId(id),
            version: 1,
            name: name.into(),
            draft,
            hash,
            saved_by: ANN,
            saved_at: T0,
            newest: 1,
        };
        assert_eq!(db.tree_find(TreeId(id), None).await.unwrap(), Some(expected.clone()));
        assert_eq!(db.tree_find(TreeId(id), Some(1)).await.unwrap(), Some(expected));
        assert_eq!(db.tree_find(TreeId(id), Some(2)).await.unwrap(), None);
    }
    assert_eq!(db.tree_find(TreeId(404), None).await.unwrap(), None);
}

async fn the_same_key_makes_one_tree(db: &Db) {
    let step = |id, body| TreeCreate { once: once("k", body), ..create(id, "Who may", draft(18)) };
    for (id, body, expected) in [(1, "a", Ok(1)), (2, "a", Ok(1)), (3, "b", Err("idempotency_conflict"))] {
        let got = db.tree_create(step(id, body)).await;
        assert_eq!(
            got.map(|made| made.id).map_err(|failure| failure.code().unwrap()),
            expected,
            "{id} {body}"
        );
    }
    assert_eq!(db.tree_list(TreeQuery::default(), PageRequest::default()).await.unwrap().items.len(), 1);
    assert_eq!(audited(db, "tree:1").await, ["tree.create"]);
}

/// What is saved, on top of which version, and the version it makes or is.
async fn a_version_is_saved_on_top_of_the_newest(db: &Db) {
    db.tree_create(create(1, "Who may", draft(18))).await.unwrap();
    let other =
        TreeDraft { purpose: TreePurpose::Admission, nodes: vec![node(1, NodeKind::Leaf(Leaf::Allow))] };
    for (audit, base, name, draft, expected) in [
        (10, 1, "Who may", draft(18), Ok(1)),
        (11, 1, "Who may", draft(21), Ok(2)),
        (12, 1, "Who may", draft(21), Ok(2)),
        (13, 1, "Who may", draft(30), Err("version_stale")),
        (14, 3, "Who may", draft(30), Err("version_stale")),
        (15, 0, "Who may", draft(21), Err("version_stale")),
        (16, 2, "Who else", draft(21), Ok(3)),
        (17, 3, "Who else", other, Err("invalid_field")),
        // Back to what an earlier version said is a new version too.
        (18, 3, "Who may", draft(18), Ok(4)),
    ] {
        let got = db.tree_save(save(base, name, draft, audit)).await;
        assert_eq!(got.map_err(|failure| failure.code().unwrap()), expected, "row {audit}");
    }
    let missing = TreeSave { tree: TreeId(404), ..save(1, "x", draft(1), 30) };
    assert_eq!(said(db.tree_save(missing).await), "not_found");
    for (version, name, age) in
        [(1, "Who may", 18), (2, "Who may", 21), (3, "Who else", 21), (4, "Who may", 18)]
    {
        let found = db.tree_find(TreeId(1), Some(version)).await.unwrap().unwrap();
        assert_eq!(
            (found.name.as_str(), found.draft, found.newest),
            (name, draft(age), 4),
            "version {version}"
        );
    }
    assert_eq!(audited(db, "tree:1").await, ["tree.create", "tree.save", "tree.save", "tree.save"]);
}

async fn of_many_at_once_one_saves(db: &Db) {
    db.tree_create(create(1, "Who may", draft(18))).await.unwrap();
    let saves = (0..50).map(|n| db.tree_save(save(1, "Who may", draft(100 + n), 10 + n)));
    let told: Vec<_> = join_all(saves).await.into_iter().map(said).collect();
    assert_eq!(told.iter().filter(|told| **told == "ok").count(), 1);
    assert_eq!(told.iter().filter(|told| **told == "version_stale").count(), 49);
    assert_eq!(db.tree_find(TreeId(1), None).await.unwrap().unwrap().version, 2);
}

/// A draw is judged by what was published: a version that reads back differently is not used.
async fn what_was_changed_behind_our_back_is_a_fault(db: &Db) {
    for (id, sql) in [
        (
            1,
            "UPDATE rule_tree_edges SET operands = '[17]' WHERE tree_id = $1 AND node_place = 0 AND place = 0",
        ),
        (2, "UPDATE rule_tree_nodes SET name = 'x' WHERE tree_id = $1 AND place = 0"),
        (
            3,
            "UPDATE rule_tree_edges SET operands = '[1.5]' WHERE tree_id = $1 AND node_place = 0 AND place = 0",
        ),
        (4, "UPDATE rule_tree_edges SET symbol = '~' WHERE tree_id = $1 AND node_place = 0 AND place = 0"),
        (5, "DELETE FROM rule_tree_edges WHERE tree_id = $1 AND node_place = 3 AND place = 0"),
    ] {
        db.tree_create(create(id, "Who may", draft(18))).await.unwrap();
        db.write((sql, id), |tx, (sql, id)| Box::pin(async move { tx.execute(sql, params![*id]).await }))
            .await
            .unwrap();
        let found = db.tree_find(TreeId(id), None).await;
        assert!(matches!(found, Err(store::failure::Failure::Fault(_))), "{sql}: {found:?}");
    }
}

async fn trees_are_listed_newest_first(db: &Db) {
    let admission =
        TreeDraft { purpose: TreePurpose::Admission, nodes: vec![node(1, NodeKind::Leaf(Leaf::Allow))] };
    for (id, name, draft) in
        [(1, "Spring 100%", draft(1)), (2, "春天", admission.clone()), (3, "SPRING", admission)]
    {
        db.tree_create(create(id, name, draft)).await.unwrap();
    }
    for (name, purpose, expected) in [
        (None, None, vec![3, 2, 1]),
        (Some("spring"), None, vec![3, 1]),
        (Some("天"), None, vec![2]),
        (Some("0%"), None, vec![1]),
        (Some("%"), Some(TreePurpose::Admission), vec![]),
        (None, Some(TreePurpose::Admission), vec![3, 2]),
        (None, Some(TreePurpose::Routing), vec![1]),
    ] {
        let query = TreeQuery { name: name.map(str::to_owned), purpose };
        let page = db.tree_list(query, PageRequest::default()).await.unwrap();
        let ids: Vec<_> = page.items.iter().map(|row| row.id.0).collect();
        assert_eq!(ids, expected, "{name:?} {purpose:?}");
    }
    let first = db.tree_list(TreeQuery::default(), PageRequest::first(2)).await.unwrap();
    let rest = PageRequest { after: first.next, limit: 2 };
    let rest = db.tree_list(TreeQuery::default(), rest).await.unwrap();
    assert_eq!((first.items.len(), rest.items.len(), rest.next), (2, 1, None));
}
