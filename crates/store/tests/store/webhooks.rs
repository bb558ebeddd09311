//! Subscriptions as rows: who is told of what, what the log keeps, and what is put back.

use domain::fulfilment::{FulfilmentState, FulfilmentStep, PrizeKind};
use domain::ids::{FulfilmentId, UserId, WebhookId};
use domain::page::PageRequest;
use domain::time::{DAY_MS, Timestamp};
use domain::webhook::{EventFilter, HookFormat};
use store::model::*;
use store::{Db, params};

use crate::activity_fixtures::fence;
use crate::fixtures::*;
use crate::fulfilments::prize;
use crate::outbox::{finish, hold_lane};

const HOOK: WebhookId = WebhookId(40);
const OTHER: WebhookId = WebhookId(41);
const USER: UserId = UserId(70);

on_both! {
    a_subscription_is_made_once_and_changed_as_told,
    there_are_only_so_many,
    two_secrets_sign_while_one_is_replaced,
    an_event_is_told_only_to_those_who_want_it_and_are_on,
    every_copy_and_its_event_are_one_transaction,
    a_receiver_that_fails_for_three_days_is_switched_off_and_others_hear_of_it,
    a_replay_keeps_the_delivery_id_and_happens_once,
    a_range_is_replayed_in_order_and_once,
    the_log_is_bounded_and_what_was_removed_is_cleared_away,
    secrets_are_sealed_anew_one_by_one,
    whoever_leaves_goes_from_the_log,
}

async fn create(db: &Db, id: WebhookId, kinds: &[&str]) {
    db.webhook_create(created(id, kinds)).await.unwrap();
}

fn created(id: WebhookId, kinds: &[&str]) -> WebhookCreate {
    WebhookCreate {
        id,
        name: format!("hook {id}"),
        url: "https://example.com/hook".into(),
        format: HookFormat::Event,
        wants: EventFilter::parse(kinds).unwrap(),
        secret: vec![1],
        once: None,
        signed: signed(Actor::Console, id.0 * 1_000),
    }
}

fn at(when: Timestamp, audit_id: i64) -> AuditStamp {
    AuditStamp { at: when, ..signed(Actor::System, audit_id) }
}

async fn waiting(db: &Db, lane: &str) -> Vec<Message> {
    let fence = hold_lane(db, lane).await;
    db.outbox_due(fence, T0 + 100 * DAY_MS, MESSAGES_MAX).await.unwrap()
}

fn kinds(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(|message| message.kind.as_str()).collect()
}

/// An attempt of a delivery.
fn attempt(id: i64, delivery: i64, came: AttemptOutcome) -> DeliveryRow {
    DeliveryRow {
        id,
        webhook: HOOK,
        delivery,
        user: Some(USER),
        kind: "win.made".into(),
        subject: delivery,
        attempt: 1,
        at: T0 + id,
        took_ms: 3,
        came,
        status: (came == AttemptOutcome::Done).then_some(200),
        error: (came != AttemptOutcome::Done).then(|| "refused".into()),
        request_head: "POST https://example.com/hook".into(),
        request_body: format!("body {delivery}"),
        answer: "ok".into(),
        replayed: None,
    }
}

async fn attempted(db: &Db, rows: Vec<DeliveryRow>, when: Timestamp) -> bool {
    let audit_id = rows.first().map_or(1, |row| row.id) + 900_000;
    db.deliveries_write(AttemptBatch { webhook: HOOK, rows, signed: at(when, audit_id) }).await.unwrap()
}

async fn log(db: &Db) -> Vec<DeliveryRow> {
    db.deliveries(HOOK, None, PageRequest::first(200)).await.unwrap().items
}

async fn a_subscription_is_made_once_and_changed_as_told(db: &Db) {
    let step = WebhookCreate { once: once("k", "b"), ..created(HOOK, &["*", "coupon.due"]) };
    assert_eq!(db.webhook_create(step.clone()).await.unwrap(), CreateOutcome::now(HOOK.0));
    let again = WebhookCreate { id: OTHER, ..step };
    let replayed = CreateOutcome { id: HOOK.0, replayed: Some(Some(b"b".to_vec())) };
    assert_eq!(db.webhook_create(again).await.unwrap(), replayed);
    assert_eq!(db.webhook_list().await.unwrap().len(), 1);

    let edit = |audit| WebhookEdit {
        id: HOOK,
        name: None,
        url: Some("https://example.org".into()),
        wants: Some(EventFilter::parse(&["win.made"]).unwrap()),
        signed: signed(Actor::Console, audit),
    };
    for audit in [2, 3] {
        let row = db.webhook_edit(edit(audit)).await.unwrap();
        assert_eq!((row.url.as_str(), row.wants.names()), ("https://example.org", vec!["win.made"]));
        assert_eq!(db.webhook_find(HOOK).await.unwrap(), Some(row));
    }
    for (on, audit) in [(false, 4), (false, 5), (true, 6), (true, 7)] {
        let row = db.webhook_switch(HOOK, on, signed(Actor::Console, audit)).await.unwrap();
        assert_eq!(row.off, (!on).then_some((OffReason::ByHand, T0)));
    }
    db.webhook_remove(HOOK, signed(Actor::Console, 8)).await.unwrap();
    assert_eq!(said(db.webhook_remove(HOOK, signed(Actor::Console, 9)).await), "not_found");
    assert_eq!(said(db.webhook_edit(edit(10)).await), "not_found");
    assert_eq!(db.webhook_find(HOOK).await.unwrap(), None);
    let expected =
        ["webhook.edit", "webhook.off", "webhook.on", "webhook.remove", "webhook.create"].map(String::from);
    assert_eq!(audited(db, "webhook:40").await, expected, "a repetition is no act");
}

async fn there_are_only_so_many(db: &Db) {
    for id in 0..i64::from(WEBHOOKS_MAX) {
        create(db, WebhookId(100 + id), &["*"]).await;
    }
    assert_eq!(said(db.webhook_create(created(HOOK, &["*"])).await), "webhooks_full");
    db.webhook_remove(WebhookId(100), signed(Actor::Console, 1)).await.unwrap();
    create(db, HOOK, &["*"]).await;
}

async fn two_secrets_sign_while_one_is_replaced(db: &Db) {
    create(db, HOOK, &["*"]).await;
    for (n, secret) in [(1, 2), (2, 3)] {
        let step = WebhookRotate {
            id: HOOK,
            secret: vec![secret],
            overlap_until: T0 + n,
            once: once(&n.to_string(), "b"),
            signed: signed(Actor::Console, n),
        };
        db.webhook_rotate(step.clone()).await.unwrap();
        let again = WebhookRotate { secret: vec![99], ..step };
        assert!(db.webhook_rotate(again).await.unwrap().replayed.is_some());
        let row = db.webhook_find(HOOK).await.unwrap().unwrap();
        assert_eq!((row.secret, row.previous), (vec![secret], Some((vec![secret - 1], T0 + n))));
    }
}

async fn an_event_is_told_only_to_those_who_want_it_and_are_on(db: &Db) {
    let given = async |id: i64| {
        prize(db, id, PrizeKind::Coupon, FulfilmentState::HandedOver).await;
        let step = FulfilmentAct {
            id: FulfilmentId(id),
            step: FulfilmentStep::ReportGiven,
            details: StepDetails::default(),
            once: None,
            signed: signed(Actor::Console, id + 5_000),
        };
        db.fulfilment_act(step).await.unwrap();
        kinds(&waiting(db, EVENTS).await).len()
    };
    assert_eq!(given(1).await, 0, "nobody listens");
    create(db, HOOK, &["activity.opened", "coupon.due"]).await;
    assert_eq!(given(2).await, 0, "nobody wants this");
    create(db, OTHER, &["win.given"]).await;
    assert_eq!(given(3).await, 1);
    db.webhook_switch(OTHER, false, signed(Actor::Console, 9)).await.unwrap();
    assert_eq!(given(4).await, 1, "it is off");
    db.webhook_switch(OTHER, true, signed(Actor::Console, 10)).await.unwrap();
    assert_eq!(given(5).await, 2);
    db.webhook_remove(OTHER, signed(Actor::Console, 11)).await.unwrap();
    assert_eq!(given(6).await, 2, "it is gone");
    let events = waiting(db, EVENTS).await;
    assert_eq!(kinds(&events), ["win.given", "win.given"]);
    assert!(events[0].body.contains(r#""win_id":"5""#) || events[1].body.contains(r#""win_id":"5""#));
}

async fn every_copy_and_its_event_are_one_transaction(db: &Db) {
    create(db, HOOK, &["*"]).await;
    prize(db, 3, PrizeKind::Coupon, FulfilmentState::Ready).await;
    let coupon = hold_lane(db, "coupons").await;
    let message = Message {
        id: 3,
        lane: "coupons".into(),
        due: T0,
        user: Some(USER),
        attempts: 0,
        kind: FULFIL.into(),
        subject: 3,
        body: r#"{"activity":"500","prize":1,"amount":1}"#.into(),
        made: T0,
    };
    // The prize's message is not there: nothing happened, and nothing is told.
    finish(db, &coupon, &message, DeliveryOutcome::Dead { error: "gone".into() }, T0).await;
    assert_eq!(waiting(db, EVENTS).await, []);
    prize(db, 4, PrizeKind::Coupon, FulfilmentState::Waiting).await;
    let step = FulfilmentAct {
        id: FulfilmentId(4),
        step: FulfilmentStep::Void,
        details: StepDetails::default(),
        once: None,
        signed: signed(Actor::Console, 5),
    };
    db.fulfilment_act(step).await.unwrap();
    let events = waiting(db, EVENTS).await;
    assert_eq!(kinds(&events), ["win.voided"]);
    let fence = hold_lane(db, EVENTS).await;
    let copy = |id: i64| NewMessage {
        id,
        lane: hook_lane(HOOK),
        user: Some(USER),
        kind: "win.voided",
        subject: 3,
        body: "{}".into(),
        made: T0,
        due: T0,
    };
    let out = |fence: LaneFence, copies| FanOut { fence, events: events.clone(), copies, now: T0 };
    let old = LaneFence { term: fence.term - 1, ..fence.clone() };
    assert_eq!(said(db.fan_out(out(old, vec![copy(8)])).await), "lease_lost");
    let twice = out(fence.clone(), vec![copy(8), copy(8)]);
    assert!(db.fan_out(twice).await.is_err(), "one of the copies cannot be written");
    assert_eq!(waiting(db, EVENTS).await.len(), 1, "so the event is still there");
    db.fan_out(out(fence, vec![copy(8), copy(9)])).await.unwrap();
    assert_eq!(waiting(db, EVENTS).await, []);
    let copies = waiting(db, &hook_lane(HOOK)).await;
    assert_eq!(copies.iter().map(|copy| copy.id).collect::<Vec<_>>(), [8, 9]);
}

async fn a_receiver_that_fails_for_three_days_is_switched_off_and_others_hear_of_it(db: &Db) {
    create(db, HOOK, &["*"]).await;
    create(db, OTHER, &["webhook.off"]).await;
    let failed =
        |from: i64| (from..from + 6).map(|id| attempt(id, id, AttemptOutcome::Again)).collect::<Vec<_>>();
    let end = T0 + 3 * DAY_MS;
    for (from, rows, when, off) in [
        (10, failed(10), T0, false),
        (20, failed(20), end - 1, false),
        (30, vec![attempt(30, 30, AttemptOutcome::Done)], end, false),
        (40, failed(40), end, false),
        (50, failed(50), end + 3 * DAY_MS - 1, false),
        (60, failed(60), end + 3 * DAY_MS, true),
        (70, failed(70), end + 4 * DAY_MS, false),
    ] {
        assert_eq!(attempted(db, rows, when).await, off, "{from}");
    }
    let row = db.webhook_find(HOOK).await.unwrap().unwrap();
    assert_eq!(row.off, Some((OffReason::Failing, end + 3 * DAY_MS)));
    assert_eq!(audited(db, "webhook:40").await, ["webhook.create", "webhook.off"]);
    let events = waiting(db, EVENTS).await;
    assert_eq!(kinds(&events), ["webhook.off"]);
    assert_eq!(log(db).await.len(), 37);
    let row = db.webhook_switch(HOOK, true, signed(Actor::Console, 7)).await.unwrap();
    assert_eq!((row.off, row.health.failures), (None, 0), "a new beginning");
}

async fn a_replay_keeps_the_delivery_id_and_happens_once(db: &Db) {
    create(db, HOOK, &["*"]).await;
    let rows = vec![
        attempt(1, 500, AttemptOutcome::Again),
        attempt(2, 500, AttemptOutcome::Done),
        attempt(3, 600, AttemptOutcome::Again),
    ];
    attempted(db, rows, T0).await;
    let replay = async |delivery, audit| {
        let step = Replay {
            webhook: HOOK,
            which: ReplayWhich::One(delivery),
            signed: signed(Actor::Console, audit),
        };
        said(db.delivery_replay(step).await)
    };
    for (delivery, expected) in
        [(700, "not_found"), (600, "delivery_waiting"), (500, "ok"), (500, "delivery_waiting")]
    {
        assert_eq!(replay(delivery, delivery).await, expected, "{delivery}");
    }
    let messages = waiting(db, &hook_lane(HOOK)).await;
    let [message] = messages.as_slice() else { panic!("{messages:?}") };
    assert_eq!((message.id, message.body.as_str(), message.user), (500, "body 500", Some(USER)));

    // A dead letter is put back, and is none any more.
    let fence = hold_lane(db, &hook_lane(HOOK)).await;
    finish(db, &fence, message, DeliveryOutcome::Dead { error: "gone".into() }, T0).await;
    attempted(db, vec![attempt(4, 500, AttemptOutcome::Dead)], T0).await;
    assert_eq!(replay(500, 801).await, "ok");
    assert_eq!(db.dead_letters(None, PageRequest::default()).await.unwrap().items, []);
    assert_eq!(waiting(db, &hook_lane(HOOK)).await.len(), 1);

    db.webhook_switch(HOOK, false, signed(Actor::Console, 802)).await.unwrap();
    assert_eq!(replay(500, 803).await, "webhook_is_off");
}

async fn a_range_is_replayed_in_order_and_once(db: &Db) {
    create(db, HOOK, &["*"]).await;
    let rows = vec![
        attempt(1, 91, AttemptOutcome::Done),
        attempt(2, 92, AttemptOutcome::Done),
        attempt(3, 93, AttemptOutcome::Again),
        attempt(4, 92, AttemptOutcome::Done),
        attempt(5, 94, AttemptOutcome::Done),
        attempt(9, 95, AttemptOutcome::Done),
    ];
    attempted(db, rows, T0).await;
    let replay = async |from: i64, until: i64, audit| {
        let which = ReplayWhich::Between { from: T0 + from, until: T0 + until };
        let step = Replay { webhook: HOOK, which, signed: signed(Actor::Console, audit) };
        db.delivery_replay(step).await.unwrap()
    };
    let replayed = |deliveries| ReplayCount { deliveries, more: false };
    assert_eq!(replay(2, 9, 1).await, replayed(2), "92 and 94: 93 waits, 91 and 95 are not within");
    assert_eq!(replay(2, 9, 2).await, replayed(0));
    assert_eq!(replay(0, 99, 3).await, replayed(2));
    let ids: Vec<i64> = waiting(db, &hook_lane(HOOK)).await.iter().map(|message| message.id).collect();
    assert_eq!(ids, [91, 92, 94, 95]);
}

async fn the_log_is_bounded_and_what_was_removed_is_cleared_away(db: &Db) {
    let fence = fence(db).await;
    create(db, HOOK, &["*"]).await;
    create(db, OTHER, &["*"]).await;
    attempted(db, (1..=10).map(|id| attempt(id, id, AttemptOutcome::Done)).collect(), T0).await;
    let ids = async || log(db).await.iter().map(|row| row.id).collect::<Vec<_>>();
    let sweep = async |since: i64, rows, limit| {
        db.deliveries_sweep(fence.clone(), AttemptRetention { since: T0 + since, rows }, limit).await.unwrap()
    };
    for (since, rows, limit, gone, left) in
        [(0, 100, 9, 0, 10), (4, 100, 2, 2, 8), (4, 100, 9, 1, 7), (4, 5, 9, 2, 5), (4, 5, 9, 0, 5)]
    {
        assert_eq!(
            (sweep(since, rows, limit).await, ids().await.len()),
            (gone, left),
            "{since} {rows} {limit}"
        );
    }
    assert_eq!(ids().await, [10, 9, 8, 7, 6], "the newest stay");
    let which = ReplayWhich::Between { from: T0, until: T0 + 99 };
    db.delivery_replay(Replay { webhook: HOOK, which, signed: signed(Actor::Console, 5) }).await.unwrap();
    db.webhook_remove(HOOK, signed(Actor::Console, 6)).await.unwrap();
    let mut all = 0;
    loop {
        match sweep(0, 100, 3).await {
            0 => break,
            some => all += some,
        }
    }
    assert_eq!(all, 11, "five attempts, five messages, and itself");
    assert_eq!(waiting(db, &hook_lane(HOOK)).await, []);
    assert_eq!(db.webhook_list().await.unwrap().len(), 1, "the other is untouched");
}

async fn secrets_are_sealed_anew_one_by_one(db: &Db) {
    let fence = fence(db).await;
    create(db, HOOK, &["*"]).await;
    create(db, OTHER, &["*"]).await;
    let signed = signed(Actor::Console, 1);
    let rotate = WebhookRotate { id: HOOK, secret: vec![2], overlap_until: T0 + 1, once: None, signed };
    db.webhook_rotate(rotate).await.unwrap();
    let (mut seen, mut after) = (Vec::new(), (0, 0));
    while let Some(row) = db.sealed_rows(SealedColumn::Webhook, after, 1).await.unwrap().pop() {
        after = (row.user, row.id);
        for changed in [true, false] {
            let sealed = vec![row.sealed[0] + 10];
            assert_eq!(db.reseal(fence.clone(), row.clone(), sealed).await.unwrap(), changed);
        }
        seen.push((row.user, row.id, row.sealed[0]));
    }
    assert_eq!(seen, [(40, 0, 2), (40, 1, 1), (41, 0, 1)]);
    let row = db.webhook_find(HOOK).await.unwrap().unwrap();
    assert_eq!((row.secret, row.previous), (vec![12], Some((vec![11], T0 + 1))));
}

/// `external_id` stands in what receivers were told. What still waits is told all the same.
async fn whoever_leaves_goes_from_the_log(db: &Db) {
    create(db, HOOK, &["win.made"]).await;
    let (leaves, stays) = (UserId(9_000), UserId(9_001));
    for (n, user) in [(1, leaves), (2, stays)] {
        db.external_user(external(&format!("shop-{n}"), user.0)).await.unwrap();
        let row = |id, came| DeliveryRow { user: Some(user), ..attempt(id, id, came) };
        attempted(db, vec![row(n * 10, AttemptOutcome::Done), row(n * 10 + 1, AttemptOutcome::Dead)], T0)
            .await;
        db.write((n, user), |tx, (n, user)| {
            Box::pin(async move {
                for lane in ["hook:40", "points"] {
                    let id = n * 100 + i64::from(lane == "points");
                    tx.execute(
                        "INSERT INTO dead_letters (id, lane, user_id, attempts, kind, subject, body, made_ms, died_ms,
                                                   error)
                         VALUES ($1, $2, $3, 20, 'win.made', 1, '{}', 1, 1, 'no')",
                        params![id, lane, *user],
                    )
                    .await?;
                }
                Ok(())
            })
        })
        .await
        .unwrap();
    }
    db.account_delete(delete_by_company(leaves, mark_of("shop-1"))).await.unwrap();
    assert_eq!(log(db).await.iter().map(|row| row.id).collect::<Vec<_>>(), [21, 20]);
    let letters = db.dead_letters(None, PageRequest::first(9)).await.unwrap().items;
    let mut left: Vec<i64> = letters.iter().map(|letter| letter.id).collect();
    left.sort_unstable();
    assert_eq!(left, [101, 200, 201], "what Windfall itself gives can still be put right");
}
