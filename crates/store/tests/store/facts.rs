//! Facts about users.

use domain::account::{FACTS_MAX, FactKey, FactValue};
use domain::ids::{KeyId, UserId};
use store::Db;
use store::model::*;

use crate::fixtures::*;

fn put(user: UserId, facts: &[(&str, Option<FactValue>)], audit: i64) -> FactsPut {
    let facts = facts.iter().map(|(key, value)| (FactKey::parse(key).unwrap(), value.clone())).collect();
    FactsPut { user, facts, signed: signed(Actor::Key(KeyId(5)), audit) }
}

on_both! {
    facts_are_set_changed_and_taken_away,
    what_is_so_already_is_not_recorded,
    a_full_set_takes_no_more,
}

async fn facts_are_set_changed_and_taken_away(db: &Db) {
    let user = user(db, 1, &[]).await;
    let tags = FactValue::Tags(vec!["new".into(), "vip".into()]);
    let first = [
        ("age", Some(FactValue::Number(30))),
        ("tags", Some(tags.clone())),
        ("city", Some(FactValue::Text("上海".into()))),
    ];
    db.facts_set(put(user, &first, 1)).await.unwrap();
    db.facts_set(put(user, &[("age", Some(FactValue::Number(31))), ("city", None)], 2)).await.unwrap();
    let facts = db.facts_of(user).await.unwrap();
    let seen: Vec<_> =
        facts.iter().map(|fact| (fact.key.as_str(), fact.value.clone(), fact.set_by)).collect();
    let by = Actor::Key(KeyId(5));
    assert_eq!(seen, [("age", FactValue::Number(31), by), ("tags", tags, by)]);
    let query = AuditQuery { action: Some("user.facts".into()), ..AuditQuery::default() };
    let lines = db.audit_list(query, Default::default()).await.unwrap().items;
    assert_eq!(lines[0].before, r#"{"age":30,"city":"上海"}"#);
    assert_eq!(lines[0].after, r#"{"age":31,"city":null}"#);
}

async fn what_is_so_already_is_not_recorded(db: &Db) {
    let user = user(db, 1, &[]).await;
    for audit in [1, 2] {
        db.facts_set(put(user, &[("age", Some(FactValue::Number(30))), ("gone", None)], audit))
            .await
            .unwrap();
    }
    assert_eq!(audited(db, "user:1000").await.iter().filter(|action| *action == "user.facts").count(), 1);
    assert_eq!(said(db.facts_set(put(UserId(404), &[], 3)).await), "not_found");
}

/// All or none: what fitted before the limit was reached is not kept either.
async fn a_full_set_takes_no_more(db: &Db) {
    let user = user(db, 1, &[]).await;
    let named = |n: u32| (FactKey::parse(&format!("k{n}")).unwrap(), Some(FactValue::Flag(true)));
    let step = |from: u32, to: u32, audit| FactsPut {
        user,
        facts: (from..to).map(named).collect(),
        signed: signed(Actor::Console, audit),
    };
    for (from, to, expected, count) in [
        (0, FACTS_MAX - 1, "ok", FACTS_MAX - 1),
        (FACTS_MAX - 1, FACTS_MAX + 1, "facts_full", FACTS_MAX - 1),
        (FACTS_MAX - 1, FACTS_MAX, "ok", FACTS_MAX),
        (0, FACTS_MAX, "ok", FACTS_MAX),
    ] {
        assert_eq!(said(db.facts_set(step(from, to, i64::from(to))).await), expected, "{from}..{to}");
        assert_eq!(db.facts_of(user).await.unwrap().len(), count as usize);
    }
}
