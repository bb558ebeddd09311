//! Sales: a later end, whoever waits for a start, and pictures.

use domain::activity::*;
use domain::fingerprint::Fingerprint;
use domain::ids::{ActivityId, PictureId, UserId, WebhookId};
use domain::lottery::random::DrawSecret;
use domain::page::PageRequest;
use domain::sale::*;
use domain::time::Timestamp;
use domain::webhook::{EventFilter, HookFormat};
use futures::future::join_all;
use store::Db;
use store::failure::Result;
use store::model::*;

use crate::activity_fixtures::*;
use crate::fixtures::*;
use crate::jobs::{claim, defaults};

on_both! {
    a_sale_comes_back_as_it_was_written,
    a_later_end_is_a_version_in_place_at_once,
    what_cannot_be_extended,
    the_same_key_extends_once,
    reminders_are_told_once_for_each_start,
    reminders_are_bounded_and_can_be_dropped,
    a_picture_is_kept_once,
    pictures_are_bounded,
}

/// The window is that of every activity here: from 1000 to 2000 after T0.
pub fn sale() -> Content {
    let mut draft = content().configuration.draft();
    (draft.kind, draft.entries) = (KindSettings::Sale, None);
    draft.chances = Chances { total: 0, month: None, day: None };
    let plan = SalePlan {
        item: ItemKind::Collectible,
        name: "大雪".to_owned(),
        name_en: String::new(),
        details: "n of 5".to_owned(),
        details_en: String::new(),
        pictures: vec!["❄️".to_owned()],
        price: Price { minor: 1_990, currency: Currency::parse("CNY").unwrap() },
        list_price_minor: None,
        units: 5,
        per_user: 2,
        hold_ms: HOLD_MS_DEFAULT,
        policy: Policy::AtPayment,
        gate: GatePlan { captcha: true, room: Some(RoomPlan { per_second: 50 }) },
    };
    Content { configuration: draft.check().unwrap(), plan: Plan::Sale(plan), cards: Vec::new() }
}

async fn a_sale_comes_back_as_it_was_written(db: &Db) {
    create(db, 1, content()).await;
    let id = create(db, 2, sale()).await;
    let first = PageRequest::first(10);
    assert!(db.sale_list(first).await.unwrap().items.is_empty(), "nothing is published yet");
    publish(db, ActivityId(1), 0).await;
    publish(db, id, 0).await;
    let listed = db.sale_list(first).await.unwrap().items;
    assert_eq!(listed.iter().map(|row| (row.id, row.kind)).collect::<Vec<_>>(), [(id, ActivityKind::Sale)]);
    let carry = db.carry_find(id).await.unwrap().unwrap();
    assert_eq!(carry.content, sale());
    let opens = StockChange { version: 1, part: PoolUse::Sale, opens: true, units: 5 };
    assert_eq!(carry.stock, [opens]);
    assert_eq!(db.published_find(id).await.unwrap().unwrap().content, sale());
}

fn extend(
    db: &Db,
    id: ActivityId,
    until_ms: i64,
    after_ms: i64,
    key: Option<&str>,
) -> impl Future<Output = Result<CreateOutcome>> {
    let secret = DrawSecret::new([9; 32]);
    let audit = id.0 * 9_000_000 + after_ms * 10_000 + until_ms;
    db.sale_extend(SaleExtend {
        id,
        until: moment(until_ms),
        secret: NewSecret { sealed: vec![7; 40], commitment: secret.commitment() },
        once: key.and_then(|key| once(key, "b")),
        signed: AuditStamp { at: moment(after_ms), ..signed(Actor::Person(ANN), audit) },
    })
}

async fn a_later_end_is_a_version_in_place_at_once(db: &Db) {
    let id = create(db, 1, sale()).await;
    publish(db, id, 0).await;
    let mark = |version| LedgerMark { version, ..MARK };
    let step = db.carry_find(id).await.unwrap().unwrap().step;
    assert!(db.ledger_synced(LedgerSynced { activity: id, step, ledger: mark(1) }).await.unwrap());
    for (n, (until_ms, after_ms)) in (2..).zip([(3_000, 500), (9_000, 2_500)]) {
        extend(db, id, until_ms, after_ms, None).await.unwrap();
        let now = row(db, id).await;
        assert_eq!((now.live, now.draft, now.window.until), (Some(n), None, moment(until_ms)));
        assert_eq!(now.life.round, 1, "the round goes on");
        let version = db.version_find(id, n).await.unwrap().unwrap();
        assert_eq!(
            (version.review, version.decided.map(|(by, _)| by)),
            (LifeState::Approved, Some(Actor::Person(ANN)))
        );
        assert_eq!(version.content.plan, sale().plan, "nothing else has changed");
        let carry = db.carry_find(id).await.unwrap().unwrap();
        assert_eq!((carry.version, carry.stock.len()), (n, 0), "and the stock is what it was");
    }
    // People see it as a change like any other.
    let [one, two] = [1, 2].map(|n| db.version_find(id, n));
    let (one, two) = (one.await.unwrap().unwrap(), two.await.unwrap().unwrap());
    let fields: Vec<String> =
        diff(&one.content, &two.content).into_iter().map(|change| change.field).collect();
    assert_eq!(fields, ["until"]);
}

async fn what_cannot_be_extended(db: &Db) {
    let id = create(db, 1, sale()).await;
    assert_eq!(said(extend(db, id, 3_000, 0, None).await), "not_running", "unpublished");
    publish(db, id, 0).await;
    for until_ms in [2_000, 1_999, 0] {
        assert_eq!(said(extend(db, id, until_ms, 1, None).await), "invalid_field", "{until_ms}");
    }
    edit(db, id, ANN, seen(2, 0), later(sale(), 1)).await.unwrap();
    assert_eq!(said(extend(db, id, 3_000, 2, None).await), "version_in_making");
    assert_eq!(said(extend(db, ActivityId(77), 3_000, 3, None).await), "not_found");

    let over = create(db, 2, sale()).await;
    publish(db, over, 0).await;
    // Nobody carried the end out, and it holds all the same.
    assert_eq!(said(extend(db, over, 5_000, 2_000, None).await), "ended");
    assert_eq!(said(extend(db, over, 5_000, 1_999, None).await), "ok");
}

async fn the_same_key_extends_once(db: &Db) {
    let id = create(db, 1, sale()).await;
    publish(db, id, 0).await;
    for _ in 0..2 {
        extend(db, id, 3_000, 1_500, Some("k")).await.unwrap();
    }
    assert_eq!(row(db, id).await.live, Some(2));
}

async fn remind(db: &Db, activity: ActivityId, user: UserId, max: u32) -> &'static str {
    said(db.reminder_set(ReminderSet { activity, user, max, now: T0 }).await)
}

async fn tell(db: &Db, fence: &Fence, now_ms: i64, before_ms: i64, limit: u32) -> u32 {
    let ids = (0..i64::from(limit)).map(|n| 50_000_000 + now_ms * 1_000 + n).collect();
    let (now, before) = (moment(now_ms), moment(before_ms));
    db.reminders_tell(RemindersTell { fence: fence.clone(), now, before, limit, ids }).await.unwrap()
}

async fn events(db: &Db) -> u64 {
    db.lane_figures(EVENTS.to_owned(), T0).await.unwrap().waiting
}

async fn told(db: &Db, user: UserId) -> Vec<(i64, bool)> {
    let mine = db.reminder_list(user, PageRequest::first(10)).await.unwrap().items;
    mine.into_iter().map(|row| (row.activity.id.0, row.told)).collect()
}

async fn reminders_are_told_once_for_each_start(db: &Db) {
    db.webhook_create(WebhookCreate {
        id: WebhookId(1),
        name: "hook".into(),
        url: "https://example.com/hook".into(),
        format: HookFormat::Event,
        wants: EventFilter::parse(&["reminder.due"]).unwrap(),
        secret: vec![1],
        once: None,
        signed: signed(Actor::Console, 1),
    })
    .await
    .unwrap();
    db.jobs_declare(defaults(&["reminders"])).await.unwrap();
    let fence = db.job_claim(claim("w", 1, 0)).await.unwrap().unwrap().fence;
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let (soon, late) = (create(db, 1, sale()).await, create(db, 2, later(sale(), 100_000)).await);
    for id in [soon, late] {
        publish(db, id, 0).await;
        for who in [ann, bob] {
            assert_eq!((remind(db, id, who, 9).await, remind(db, id, who, 9).await), ("ok", "ok"));
        }
    }
    // Not before its time, and each of them once.
    assert_eq!(tell(db, &fence, 0, 999, 10).await, 0);
    assert_eq!(tell(db, &fence, 1, 1_000, 1).await, 1, "a bounded number at a time");
    assert_eq!(tell(db, &fence, 2, 1_000, 10).await, 1);
    assert_eq!(tell(db, &fence, 3, 1_000, 10).await, 0);
    assert_eq!(events(db).await, 2);
    for who in [ann, bob] {
        assert_eq!(told(db, who).await, [(2, false), (1, true)]);
    }
    // A start that has passed is told to nobody.
    assert_eq!(tell(db, &fence, 101_000, 999_000, 10).await, 0);
    // One that is put off is another start.
    edit(db, soon, ANN, seen(2, 0), later(sale(), 500)).await.unwrap();
    publish(db, soon, 4).await;
    assert_eq!(told(db, ann).await, [(2, false), (1, false)]);
    assert_eq!(tell(db, &fence, 5, 1_500, 10).await, 2);
    assert_eq!(events(db).await, 4);
}

async fn reminders_are_bounded_and_can_be_dropped(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let ids = [create(db, 1, sale()).await, create(db, 2, sale()).await];
    for id in ids {
        publish(db, id, 0).await;
    }
    assert_eq!(remind(db, ids[0], ann, 1).await, "ok");
    assert_eq!(remind(db, ids[1], ann, 1).await, "reminders_full");
    assert_eq!(remind(db, ids[0], ann, 1).await, "ok", "the one that is there is no more");
    for there in [true, false] {
        assert_eq!(db.reminder_drop(ids[0], ann).await.unwrap(), there);
    }
    assert_eq!(remind(db, ids[1], ann, 1).await, "ok");
}

fn picture(id: i64, digest: u8, max: u32) -> PictureKeep {
    let size = |width, byte| PictureSize { width, kind: "image/jpeg", bytes: vec![byte; 5] };
    PictureKeep {
        id: PictureId(id),
        digest: Fingerprint([digest; 32]),
        width: 640,
        height: 400,
        sizes: vec![size(320, digest), size(640, digest + 1)],
        max,
        signed: AuditStamp { at: Timestamp(T0.0 + id), ..signed(Actor::Person(ANN), 3_000 + id) },
    }
}

async fn a_picture_is_kept_once(db: &Db) {
    let all = join_all((1..=8).map(|id| db.picture_keep(picture(id, 7, 100)))).await;
    let kept: Vec<(PictureRow, bool)> = all.into_iter().map(Result::unwrap).collect();
    assert_eq!(kept.iter().filter(|(_, new)| *new).count(), 1);
    let row = kept[0].0;
    assert!(kept.iter().all(|(other, _)| *other == row));
    assert_eq!(db.picture_find_by_digest(Fingerprint([7; 32])).await.unwrap(), Some(row));
    assert_eq!(db.picture_find_by_digest(Fingerprint([8; 32])).await.unwrap(), None);
    assert_eq!(db.picture_widths(row.id).await.unwrap(), [320, 640]);
    assert_eq!(db.picture_size(row.id, 640).await.unwrap().unwrap().bytes, [8; 5]);
    assert_eq!(db.picture_size(row.id, 641).await.unwrap(), None);
    assert_eq!(db.picture_widths(PictureId(99)).await.unwrap(), Vec::<u32>::new());
}

async fn pictures_are_bounded(db: &Db) {
    db.picture_keep(picture(1, 1, 2)).await.unwrap();
    db.picture_keep(picture(2, 3, 2)).await.unwrap();
    assert_eq!(said(db.picture_keep(picture(3, 5, 2)).await), "pictures_full");
    assert_eq!(said(db.picture_keep(picture(4, 3, 2)).await), "ok", "one that is there");
}
