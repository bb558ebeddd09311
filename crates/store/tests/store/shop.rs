//! The shop's transactions: paid once per key, never twice with the same points, ended once.

use domain::access::{Decider, Decision, Handout};
use domain::fulfilment::{FulfilmentSource, FulfilmentState, PrizeKind};
use domain::ids::{ActivityId, ApprovalId, CodePoolId, FulfilmentId, OfferId, ShopOrderId, UserId};
use domain::page::PageRequest;
use domain::points::{Amount, Move, NEVER};
use domain::shop::{OfferChange, OfferDraft, OfferKind, OfferState, Settling, ShopOrderState};
use futures::future::join_all;
use store::Db;
use store::failure::Result;
use store::model::*;

use crate::fixtures::*;

const TEA: OfferId = OfferId(1);

fn draft(gives: OfferKind) -> OfferDraft {
    OfferDraft {
        name: "tea".to_owned(),
        name_en: "Tea".to_owned(),
        text: "绿茶".to_owned(),
        text_en: "green".to_owned(),
        gives,
        price: 10,
        limit: 0,
        from: None,
        until: None,
    }
}

pub fn edited(id: OfferId, edition: u32, change: OfferChange, signed: AuditStamp) -> OfferEdit {
    OfferEdit { id, edition, change, left: 5, alone: MUCH, second: second(id.0), signed }
}

/// An offer that is on.
pub async fn offer(db: &Db, id: i64, gives: OfferKind) {
    let (id, terms) = (OfferId(id), draft(gives).check().unwrap());
    let handout = (Handout::Pieces(0), MUCH);
    let made = OfferMake { id, terms, handout, once: None, signed: signed(Actor::Console, 600_000 + id.0) };
    db.offer_make(made).await.unwrap();
    let change = OfferChange { state: Some(OfferState::On), ..OfferChange::default() };
    let signed = signed(Actor::Console, 610_000 + id.0);
    db.offer_edit(edited(id, 1, change, signed)).await.unwrap();
}

async fn rich(db: &Db, n: u8, points: i64) -> UserId {
    let user = user(db, n, &[]).await;
    let asked = Move::Credit { amount: Amount::new(points).unwrap(), expires: NEVER };
    let (key, reason) = ("start".to_owned(), "start".to_owned());
    db.points_post(vec![Posting { user, asked, key, reason, at: T0 }]).await.unwrap();
    user
}

fn place(user: UserId, key: &str, quantity: u32, ids: &[i64]) -> OrderPlace {
    OrderPlace {
        ids: ids.iter().copied().map(FulfilmentId).collect(),
        message: ids[0] + 500_000,
        user,
        offer: TEA,
        quantity,
        key: key.to_owned(),
        hold: format!("shop {}", ids[0]),
        now: T0,
    }
}

async fn balance(db: &Db, user: UserId) -> i64 {
    db.points_of(user).await.unwrap().balance
}

async fn waiting(db: &Db, lane: &str) -> u64 {
    db.lane_figures(lane.to_owned(), T0).await.unwrap().waiting
}

async fn state(db: &Db, id: i64) -> FulfilmentState {
    db.fulfilment(FulfilmentId(id)).await.unwrap().unwrap().standing.state
}

fn settle(db: &Db, id: i64, settling: Settling) -> impl Future<Output = Result<ShopOrderRow>> {
    db.order_settle(ShopOrderId(id), settling, T0 + 1)
}

fn gone() -> Settling {
    Settling::Gone { why: "sold_out".to_owned() }
}

on_both! {
    the_same_key_is_the_same_order,
    what_was_spent_is_what_orders_cost_without_those_that_were_reversed,
    a_refusal_leaves_nothing_behind,
    two_tabs_spend_no_point_twice,
    a_confirmed_order_lets_its_things_go,
    an_order_that_is_gone_pays_back_once,
    a_refund_voids_what_nobody_has_and_puts_it_back,
    chances_that_nobody_can_be_given_are_paid_back_by_themselves,
    what_is_bought_waits_for_its_order_alone,
    offers_are_changed_on_top_of_what_was_seen,
}

async fn the_same_key_is_the_same_order(db: &Db) {
    offer(db, 1, OfferKind::Parcel).await;
    let ann = rich(db, 1, 100).await;
    let first = db.order_place(place(ann, "k", 2, &[10])).await.unwrap();
    assert_eq!((first.replayed, first.order.cost, first.order.state), (false, 20, ShopOrderState::Placed));
    for id in [11, 12] {
        let again = db.order_place(place(ann, "k", 2, &[id])).await.unwrap();
        assert_eq!((again.replayed, &again.order), (true, &first.order));
    }
    assert_eq!(said(db.order_place(place(ann, "k", 1, &[13])).await), "idempotency_conflict");
    let ben = rich(db, 2, 100).await;
    assert!(!db.order_place(place(ben, "k", 1, &[14])).await.unwrap().replayed, "a key is its user's own");
    let at_once = join_all((20..30).map(|id| db.order_place(place(ann, "fresh", 1, &[id])))).await;
    let made = at_once.iter().filter(|placed| !placed.as_ref().unwrap().replayed).count();
    assert_eq!((made, balance(db, ann).await), (1, 70));
    let mine = db.order_list(ann, PageRequest::first(10)).await.unwrap().items;
    assert_eq!((mine.len(), mine[1].things.clone()), (2, vec![FulfilmentId(10)]));
    assert_eq!(waiting(db, SHOP).await, 3);
}

/// What tiers by points spent read, and what staff search.
async fn what_was_spent_is_what_orders_cost_without_those_that_were_reversed(db: &Db) {
    offer(db, 1, OfferKind::Parcel).await;
    let (ann, ben) = (rich(db, 1, 100).await, rich(db, 2, 100).await);
    assert_eq!(db.points_sum_spent(ann).await.unwrap(), 0);
    for (user, key, quantity, id) in [(ann, "a", 2, 10), (ann, "b", 1, 11), (ben, "c", 3, 12)] {
        db.order_place(place(user, key, quantity, &[id])).await.unwrap();
    }
    assert_eq!((db.points_sum_spent(ann).await.unwrap(), db.points_sum_spent(ben).await.unwrap()), (30, 30));
    let gone = Settling::Gone { why: "sold_out".to_owned() };
    db.order_settle(ShopOrderId(10), gone, T0).await.unwrap();
    assert_eq!(db.points_sum_spent(ann).await.unwrap(), 10, "what was reversed was not spent");
    for (user, state, expected) in [
        (None, None, vec![12, 11, 10]),
        (Some(ann), None, vec![11, 10]),
        (None, Some(ShopOrderState::Reversed), vec![10]),
        (Some(ben), Some(ShopOrderState::Reversed), vec![]),
    ] {
        let search = ShopOrderSearch { user, state };
        let found = db.order_search(search, PageRequest::first(10)).await.unwrap().items;
        assert_eq!(found.iter().map(|order| order.id.0).collect::<Vec<_>>(), expected, "{search:?}");
    }
}

async fn a_refusal_leaves_nothing_behind(db: &Db) {
    offer(db, 1, OfferKind::Parcel).await;
    let (ann, nobody) = (rich(db, 1, 15).await, UserId(77));
    let unseen = OrderPlace { offer: OfferId(9), ..place(ann, "c", 1, &[12]) };
    for (step, code) in [
        (place(ann, "a", 2, &[10]), "points_short"),
        (place(nobody, "b", 1, &[11]), "not_found"),
        (unseen, "not_found"),
        (place(ann, "d", 0, &[13]), "invalid_field"),
    ] {
        assert_eq!(said(db.order_place(step).await), code);
    }
    assert_eq!((balance(db, ann).await, waiting(db, SHOP).await), (15, 0));
    assert_eq!(db.order_under(ann, "a".into()).await.unwrap(), None);
    assert_eq!(db.fulfilment(FulfilmentId(10)).await.unwrap(), None);
    assert!(!db.order_place(place(ann, "a", 1, &[14])).await.unwrap().replayed, "the key is free");
}

/// Points for three, asked for twenty times at once.
async fn two_tabs_spend_no_point_twice(db: &Db) {
    offer(db, 1, OfferKind::Text).await;
    let ann = rich(db, 1, 39).await;
    let asked = (0..20)
        .map(|n| async move { said(db.order_place(place(ann, &format!("tab {n}"), 1, &[100 + n])).await) });
    let mut said = join_all(asked).await;
    said.sort_unstable();
    assert_eq!((said[..3].to_vec(), said[3]), (vec!["ok"; 3], "points_short"));
    assert_eq!(balance(db, ann).await, 9);
    assert_eq!(db.order_list(ann, PageRequest::first(50)).await.unwrap().items.len(), 3);
    crate::points::statement(db, ann).await;
}

async fn a_confirmed_order_lets_its_things_go(db: &Db) {
    let ann = rich(db, 1, 1_000).await;
    let (wheel, pool) = (ActivityId(7), CodePoolId(8));
    for (offer_id, gives, ids, expected, lane) in [
        (1, OfferKind::Parcel, vec![10], FulfilmentState::Claimable, None),
        (2, OfferKind::Text, vec![20], FulfilmentState::Given, None),
        (
            3,
            OfferKind::Chances { activity: wheel, chances: 5 },
            vec![30],
            FulfilmentState::Ready,
            Some("chances"),
        ),
        (4, OfferKind::Code { pool }, vec![40, 41], FulfilmentState::Ready, Some("codes")),
        (5, OfferKind::Coupon, vec![50, 51], FulfilmentState::Ready, Some("coupons")),
    ] {
        offer(db, offer_id, gives).await;
        let key = format!("k{offer_id}");
        let step = OrderPlace { offer: OfferId(offer_id), ..place(ann, &key, 2, &ids) };
        db.order_place(step).await.unwrap();
        for id in &ids {
            assert_eq!(state(db, *id).await, FulfilmentState::Waiting);
        }
        for _ in 0..2 {
            let done = settle(db, ids[0], Settling::Confirmed).await.unwrap();
            assert_eq!((done.state, done.things.len()), (ShopOrderState::Done, ids.len()));
        }
        for id in &ids {
            assert_eq!(state(db, *id).await, expected, "{gives:?}");
        }
        if let Some(lane) = lane {
            assert_eq!(waiting(db, lane).await, ids.len() as u64, "{lane}");
        }
        assert_eq!(said(settle(db, ids[0], gone()).await), "already_confirmed");
    }
    let chances = db.fulfilment(FulfilmentId(30)).await.unwrap().unwrap();
    assert_eq!((chances.amount, chances.source), (10, FulfilmentSource::ShopOrder { activity: Some(wheel) }));
    assert_eq!(balance(db, ann).await, 900);
}

async fn an_order_that_is_gone_pays_back_once(db: &Db) {
    offer(db, 1, OfferKind::Parcel).await;
    let ann = rich(db, 1, 20).await;
    db.order_place(place(ann, "k", 2, &[10])).await.unwrap();
    assert_eq!(balance(db, ann).await, 0);
    for _ in 0..2 {
        let order = settle(db, 10, gone()).await.unwrap();
        assert_eq!((order.state, order.note.as_deref()), (ShopOrderState::Reversed, Some("sold_out")));
    }
    assert_eq!((balance(db, ann).await, state(db, 10).await), (20, FulfilmentState::Voided));
    assert_eq!(said(settle(db, 10, Settling::Confirmed).await), "already_cancelled");
    assert_eq!(waiting(db, "returns").await, 0, "the ledger has the units already");
    let deltas: Vec<i64> =
        crate::points::statement(db, ann).await.iter().map(|row| row.entry.delta).collect();
    assert_eq!(deltas, [20, -20, 20]);
    assert_eq!(said(settle(db, 99, gone()).await), "not_found");
}

fn ask_refund(db: &Db, id: i64, by: Actor, approval: i64) -> impl Future<Output = Result<CreateOutcome>> {
    let request = Request::RefundShopOrder { order: ShopOrderId(id) };
    let signed = AuditStamp { reason: "a broken cup".into(), ..signed(by, approval) };
    db.approval_ask(ApprovalAsk { id: ApprovalId(approval), request, once: None, signed })
}

fn approve(db: &Db, approval: i64, by: i64) -> impl Future<Output = Result<ApprovalRow>> {
    db.approval_decide(ApprovalDecide {
        id: ApprovalId(approval),
        decision: Decision::Approve,
        points_expire: NEVER,
        decider: Decider::Person(UserId(by)),
        signed: signed(Actor::Person(UserId(by)), approval + 100),
        effect_audit_id: approval + 200,
    })
}

/// Of two coupons one is given; of a parcel nothing was sent. What comes back is what nobody has.
async fn a_refund_voids_what_nobody_has_and_puts_it_back(db: &Db) {
    let ann = rich(db, 1, 100).await;
    offer(db, 1, OfferKind::Parcel).await;
    offer(db, 2, OfferKind::Coupon).await;
    db.order_place(place(ann, "cups", 3, &[10])).await.unwrap();
    let early = ask_refund(db, 10, Actor::Console, 1_000).await;
    assert_eq!(said(early), "order_step_illegal", "it is about to end by itself");
    let coupons = OrderPlace { offer: OfferId(2), ..place(ann, "coupons", 2, &[20, 21]) };
    db.order_place(coupons).await.unwrap();
    for id in [10, 20] {
        settle(db, id, Settling::Confirmed).await.unwrap();
    }
    let lane = crate::outbox::hold_lane(db, "coupons").await;
    let first = db.outbox_due(lane.clone(), T0 + 9, 9).await.unwrap().remove(0);
    assert_eq!(first.id, 20);
    crate::outbox::finish(db, &lane, &first, DeliveryOutcome::Done, T0 + 9).await;
    assert_eq!(balance(db, ann).await, 50);
    for (order, approval, units) in [(10, 2_000, 3), (20, 3_000, 1)] {
        assert_eq!(said(ask_refund(db, order, Actor::Person(ann), approval + 1).await), "own_account");
        ask_refund(db, order, Actor::Console, approval).await.unwrap();
        assert_eq!(said(approve(db, approval, ann.0).await), "own_account");
        for _ in 0..2 {
            approve(db, approval, 2).await.unwrap();
        }
        let now = db.order(ShopOrderId(order)).await.unwrap().unwrap();
        assert_eq!((now.state, now.note.as_deref()), (ShopOrderState::Reversed, Some("a broken cup")));
        assert_eq!(said(ask_refund(db, order, Actor::Console, approval + 2).await), "order_step_illegal");
        let lane = crate::outbox::hold_lane(db, SHOP).await;
        let back = db.outbox_due(lane, T0 + 9, 9).await.unwrap();
        let back: Vec<&Message> =
            back.iter().filter(|one| one.subject == order && one.kind == SHOP_BACK).collect();
        let body: ShopBack = serde_json::from_str(&back[0].body).unwrap();
        assert_eq!((back.len(), body.units), (1, units));
        assert_eq!(audited(db, &format!("shop_order:{order}")).await, ["shop_order.refund"]);
    }
    let states = [state(db, 10).await, state(db, 20).await, state(db, 21).await];
    assert_eq!(states, [FulfilmentState::Voided, FulfilmentState::Given, FulfilmentState::Voided]);
    assert_eq!((balance(db, ann).await, waiting(db, "coupons").await), (100, 0));
    assert_eq!(said(ask_refund(db, 99, Actor::Console, 4_000).await), "not_found");
}

/// The activity closed in the moment between: no letter that somebody has to find.
async fn chances_that_nobody_can_be_given_are_paid_back_by_themselves(db: &Db) {
    let ann = rich(db, 1, 100).await;
    offer(db, 1, OfferKind::Chances { activity: ActivityId(7), chances: 5 }).await;
    db.order_place(place(ann, "k", 2, &[10])).await.unwrap();
    settle(db, 10, Settling::Confirmed).await.unwrap();
    ask_refund(db, 10, Actor::Console, 1_000).await.unwrap();
    assert_eq!(said(approve(db, 1_000, 2).await), "fulfilment_step_illegal", "they may be granted already");
    let lane = crate::outbox::hold_lane(db, CHANCES).await;
    let due = db.outbox_due(lane.clone(), T0 + 9, 9).await.unwrap().remove(0);
    let dead = DeliveryOutcome::Dead { error: "the ledger refuses: ended".to_owned() };
    crate::outbox::finish(db, &lane, &due, dead, T0 + 9).await;
    let order = db.order(ShopOrderId(10)).await.unwrap().unwrap();
    assert_eq!((order.state, order.note.as_deref()), (ShopOrderState::Reversed, Some("not_given")));
    assert_eq!((state(db, 10).await, balance(db, ann).await), (FulfilmentState::Voided, 100));
    assert_eq!(db.dead_letter(10).await.unwrap(), None);
    let lane = crate::outbox::hold_lane(db, SHOP).await;
    let back = db.outbox_due(lane, T0 + 9, 9).await.unwrap();
    let back = back.iter().find(|one| one.kind == SHOP_BACK).unwrap();
    assert_eq!(serde_json::from_str::<ShopBack>(&back.body).unwrap().units, 2);
    let deltas: Vec<i64> =
        crate::points::statement(db, ann).await.iter().map(|row| row.entry.delta).collect();
    assert_eq!(deltas, [100, -20, 20]);
}

async fn what_is_bought_waits_for_its_order_alone(db: &Db) {
    use domain::fulfilment::FulfilmentStep;
    offer(db, 1, OfferKind::Code { pool: CodePoolId(8) }).await;
    let ann = rich(db, 1, 20).await;
    db.order_place(place(ann, "k", 1, &[10])).await.unwrap();
    let row = db.fulfilment(FulfilmentId(10)).await.unwrap().unwrap();
    assert_eq!((row.standing.kind, row.pool), (PrizeKind::Code, Some(CodePoolId(8))));
    let act = |step| FulfilmentAct {
        id: FulfilmentId(10),
        step,
        details: StepDetails::default(),
        once: None,
        signed: signed(Actor::Console, 1),
    };
    assert_eq!(said(db.fulfilment_act(act(FulfilmentStep::Release)).await), "fulfilment_step_illegal");
    assert_eq!(said(db.fulfilment_act(act(FulfilmentStep::Void)).await), "fulfilment_step_illegal");
    assert_eq!(state(db, 10).await, FulfilmentState::Waiting);
}

async fn offers_are_changed_on_top_of_what_was_seen(db: &Db) {
    offer(db, 1, OfferKind::Parcel).await;
    let edit = |edition, change| {
        let signed = signed(Actor::Console, 620_000 + i64::from(edition));
        db.offer_edit(edited(TEA, edition, change, signed))
    };
    let price = |price| OfferChange { price: Some(price), ..OfferChange::default() };
    assert_eq!(said(edit(1, price(5)).await), "edited_meanwhile");
    assert_eq!(edit(2, price(5)).await.unwrap().row.edition, 3);
    assert_eq!(edit(3, price(5)).await.unwrap().row.edition, 3, "nothing changed");
    let draft = OfferChange { state: Some(OfferState::Draft), ..OfferChange::default() };
    assert_eq!(said(edit(3, draft).await), "offer_step_illegal");
    offer(db, 2, OfferKind::Coupon).await;
    let on = db.offer_list(Some(OfferState::On), PageRequest::first(10)).await.unwrap().items;
    assert_eq!(on.iter().map(|row| (row.id.0, row.terms.price)).collect::<Vec<_>>(), [(2, 10), (1, 5)]);
    assert_eq!(audited(db, "offer:1").await, ["offer.make", "offer.edit", "offer.edit"]);
    // What was bought is paid for as it was.
    let ann = rich(db, 1, 100).await;
    let order = db.order_place(place(ann, "k", 1, &[10])).await.unwrap().order;
    assert_eq!((order.cost, order.name.as_str()), (5, "tea"));
}
