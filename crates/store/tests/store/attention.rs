//! What needs an operator: counted from the rows, and told once to those who want it.

use domain::attention::{AttentionItem, AttentionKind, AttentionLevel, LaneFact};
use domain::fulfilment::{FulfilmentState, PrizeKind};
use domain::ids::WebhookId;
use domain::time::{DAY_MS, Timestamp};
use domain::webhook::{EventFilter, HookFormat};
use store::model::*;
use store::{Db, params};

use crate::activity_fixtures::fence;
use crate::fixtures::*;
use crate::outbox::hold_lane;

on_both! {
    what_does_not_move_is_counted,
    what_needs_somebody_is_told_once_and_again_when_it_is_over,
}

async fn execute(db: &Db, sql: &'static str) {
    db.write(sql, |tx, sql| Box::pin(async move { tx.execute(sql, params![]).await.map(drop) }))
        .await
        .unwrap();
}

async fn what_does_not_move_is_counted(db: &Db) {
    assert_eq!(db.attention_count().await.unwrap(), AttentionCounts::default());
    for (id, kind, state, pool, changed, due) in [
        (1, "code", "ready", "7", 30, "NULL"),
        (2, "code", "ready", "7", 20, "NULL"),
        (3, "code", "ready", "8", 40, "NULL"),
        (4, "text", "waiting", "NULL", 50, "NULL"),
        (5, "text", "waiting", "NULL", 60, "99"),
        (6, "points", "given", "NULL", 70, "NULL"),
        (7, "parcel", "failed", "NULL", 80, "NULL"),
        (8, "parcel", "claimable", "NULL", 90, "NULL"),
    ] {
        let sql = format!(
            "INSERT INTO fulfilments (id, source, user_id, activity_id, prize_id, kind, amount, pool_id, state, made_ms,
                                      changed_ms, due_ms)
             VALUES ({id}, 'win', 70, 5, 1, '{kind}', 1, {pool}, '{state}', 1, {changed}, {due})"
        );
        execute(db, sql.leak()).await;
    }
    execute(
        db,
        "INSERT INTO dead_letters (id, lane, user_id, attempts, kind, subject, body, made_ms, died_ms, error)
         VALUES (9, 'codes', 0, 20, 'fulfil', 1, '', 1, 5, 'x'), (10, 'codes', 0, 20, 'fulfil', 2, '', 1, 4, 'x')",
    )
    .await;
    let counts = db.attention_count().await.unwrap();
    let told: Vec<_> = counts
        .prizes
        .iter()
        .map(|fact| (fact.state, fact.kind, fact.pool.map(|pool| pool.0), fact.count, fact.oldest.0))
        .collect();
    assert_eq!(
        told,
        [
            (FulfilmentState::Failed, PrizeKind::Parcel, None, 1, 80),
            (FulfilmentState::Ready, PrizeKind::Code, Some(7), 2, 20),
            (FulfilmentState::Ready, PrizeKind::Code, Some(8), 1, 40),
            (FulfilmentState::Waiting, PrizeKind::Text, None, 1, 50),
        ]
    );
    assert_eq!(counts.lanes, [LaneFact { lane: "codes".to_owned(), count: 2, oldest: Timestamp(4) }]);
}

fn item(kind: AttentionKind, subject: &str) -> AttentionItem {
    let (level, name) = (AttentionLevel::Urgent, "tea".to_owned());
    AttentionItem { kind, level, subject: subject.to_owned(), name, count: 9, of: 0, since: None }
}

async fn what_needs_somebody_is_told_once_and_again_when_it_is_over(db: &Db) {
    let signed = signed(Actor::Console, 1);
    db.webhook_create(WebhookCreate {
        id: WebhookId(40),
        name: "ops".to_owned(),
        url: "https://example.com/hook".to_owned(),
        format: HookFormat::Dingtalk,
        wants: EventFilter::parse(&["attention.raised", "attention.cleared"]).unwrap(),
        secret: vec![1],
        once: None,
        signed,
    })
    .await
    .unwrap();
    assert_eq!(db.webhook_find(WebhookId(40)).await.unwrap().unwrap().format, HookFormat::Dingtalk);
    let fence = fence(db).await;
    let tell = async |items: Vec<AttentionItem>, after_ms: i64| {
        db.attention_tell(fence.clone(), AttentionTell { items, now: T0 + after_ms }).await.unwrap()
    };
    let (codes, disk) = (item(AttentionKind::CodesMissing, "7"), item(AttentionKind::DiskLow, "data"));
    assert_eq!(tell(vec![codes.clone(), disk.clone()], 1).await, (2, 0));
    assert_eq!(tell(vec![codes.clone(), disk.clone()], 2).await, (0, 0), "the same again is no news");
    let more = AttentionItem { count: 10, ..codes.clone() };
    assert_eq!(tell(vec![more, disk.clone()], 3).await, (0, 0), "nor is more of the same");
    assert_eq!(tell(vec![disk.clone()], 4).await, (0, 1));
    let notes = db.attention_notes().await.unwrap();
    let note = AttentionNote { kind: AttentionKind::DiskLow, subject: "data".to_owned(), since: T0 + 1 };
    assert_eq!(notes, [note]);
    assert_eq!(tell(vec![codes, disk], 5).await, (1, 0), "it can come back");
    let lane = hold_lane(db, EVENTS).await;
    let told = db.outbox_due(lane, T0 + DAY_MS, MESSAGES_MAX).await.unwrap();
    let mut kinds: Vec<&str> = told.iter().map(|message| message.kind.as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["attention.cleared", "attention.raised", "attention.raised", "attention.raised"]);
}
