//! Prizes on their way as rows: they begin with the win, each step is one transaction, and nothing is given twice.

use domain::account::CodePurpose;
use domain::fulfilment::{FulfilmentSource, FulfilmentState, FulfilmentStep, PrizeKind};
use domain::ids::{ActivityId, FulfilmentId, UserId};
use domain::page::PageRequest;
use domain::time::Timestamp;
use store::failure::Result;
use store::model::*;
use store::{Db, params};

use crate::activity_fixtures::fence;
use crate::fixtures::*;
use crate::ledger_fixtures::Life;
use crate::outbox::{finish, hold_lane};
use crate::voiding::{approve, ask_void};

const ACTIVITIES: [i64; 2] = [500, 501];
pub const PLAYER: UserId = UserId(70);

on_both! {
    hole_21_a_win_its_row_and_its_message_are_one_transaction,
    how_a_prize_is_granted_is_its_cards_to_say,
    a_claim_is_its_winners_and_counts_once,
    steps_of_operators_are_on_record,
    a_parcel_that_was_lost_is_sent_again_or_voided,
    hole_50_the_clock_grants_what_is_due_and_nothing_else,
    hole_49_what_nobody_claimed_in_time_goes_back_once,
    a_message_gives_its_prize_or_fails_it_together_with_it,
    queues_are_listed_by_state_kind_and_activity,
    whoever_leaves_takes_the_address_along,
    addresses_of_parcels_are_sealed_anew,
}

/// Every prize of every version is of this kind, granted so.
async fn cards(
    db: &Db,
    kind: &'static str,
    amount: Option<i64>,
    grant: (&'static str, Option<i64>),
    within: Option<i64>,
) {
    let given = (kind, amount, grant, within);
    db.write(given, |tx, (kind, amount, (how, at), within)| {
        Box::pin(async move {
            for activity in ACTIVITIES {
                for (number, prize) in (0..20_i64).flat_map(|number| (0..10_i64).map(move |prize| (number, prize))) {
                    tx.execute(
                        "INSERT INTO prize_cards (activity_id, number, place, prize, kind, amount, details, picture,
                                                  grant_how, grant_at, claim_within_ms)
                         VALUES ($1, $2, $3, $3, $4, $5, '', '', $6, $7, $8)",
                        params![activity, number, prize, *kind, *amount, *how, *at, *within],
                    )
                    .await?;
                }
            }
            Ok(())
        })
    })
    .await
    .unwrap();
}

/// Some hundred draws, and what was won in them.
async fn won(db: &Db) -> Vec<Win> {
    let life = Life::random(2, 400);
    db.ledger_project(life.events.clone()).await.unwrap();
    let mut wins = Vec::new();
    for activity in ACTIVITIES {
        wins.extend(db.wins_after(ActivityId(activity), i64::MIN, PLAYS_MAX).await.unwrap());
    }
    assert!(wins.len() > 3, "there is something to give");
    wins
}

/// One prize that stands somewhere, without a draw before it.
pub async fn prize(db: &Db, id: i64, kind: PrizeKind, state: FulfilmentState) {
    db.write((id, kind.name(), state.name()), |tx, (id, kind, state)| {
        Box::pin(async move {
            tx.execute(
                "INSERT INTO fulfilments (id, source, user_id, activity_id, prize_id, kind, amount, state, made_ms,
                                          changed_ms, due_ms, claim_within_ms, claim_until_ms)
                 VALUES ($1, 'win', 70, 500, 1, $2, 1, $3, $4, $4, NULL, NULL, NULL)",
                params![*id, *kind, *state, T0],
            )
            .await
        })
    })
    .await
    .unwrap();
}

pub async fn row(db: &Db, id: i64) -> FulfilmentRow {
    db.fulfilment(FulfilmentId(id)).await.unwrap().unwrap()
}

pub async fn state(db: &Db, id: i64) -> FulfilmentState {
    row(db, id).await.standing.state
}

pub async fn messages(db: &Db, lane: &str) -> Vec<Message> {
    let fence = hold_lane(db, lane).await;
    db.outbox_due(fence, Timestamp(i64::MAX), MESSAGES_MAX).await.unwrap()
}

fn act(id: i64, step: FulfilmentStep, audit: i64) -> FulfilmentAct {
    let signed = signed(Actor::Person(UserId(1)), audit);
    FulfilmentAct { id: FulfilmentId(id), step, details: StepDetails::default(), once: None, signed }
}

pub fn claim(id: i64, user: UserId, address: Option<&[u8]>) -> FulfilmentClaim {
    FulfilmentClaim { id: FulfilmentId(id), user, address: address.map(<[u8]>::to_vec), now: T0, once: None }
}

async fn hole_21_a_win_its_row_and_its_message_are_one_transaction(db: &Db) {
    cards(db, "chances", Some(3), ("now", None), None).await;
    let wins = won(db).await;
    // The same events again are skipped whole.
    let life = Life::random(2, 400);
    db.ledger_project(life.events.clone()).await.unwrap();
    let messages = messages(db, "chances").await;
    assert_eq!(messages.len(), wins.len(), "one message per win");
    for win in wins {
        let row = row(db, win.id).await;
        let source = FulfilmentSource::Win { activity: win.activity, prize: win.prize };
        assert_eq!((row.user, row.source), (win.user, source));
        assert_eq!((row.standing.state, row.amount, row.made), (FulfilmentState::Ready, 3, win.at));
        let message = messages.iter().find(|message| message.id == win.id).unwrap();
        assert_eq!((message.user, message.subject, message.due), (Some(win.user), win.id, win.at));
        let body: FulfilMessage = serde_json::from_str(&message.body).unwrap();
        assert_eq!(body, row.body());
    }
}

async fn how_a_prize_is_granted_is_its_cards_to_say(db: &Db) {
    cards(db, "text", None, ("by_hand", None), None).await;
    for win in won(db).await {
        let row = row(db, win.id).await;
        assert_eq!((row.standing.state, row.standing.due), (FulfilmentState::Waiting, None));
    }
    for lane in ["points", "chances", "codes", "coupons", RETURNS] {
        assert_eq!(messages(db, lane).await, [], "{lane}");
    }
}

async fn a_claim_is_its_winners_and_counts_once(db: &Db) {
    for (id, kind) in [(1, PrizeKind::Parcel), (2, PrizeKind::Coupon), (3, PrizeKind::Text)] {
        prize(db, id, kind, FulfilmentState::Claimable).await;
    }
    prize(db, 4, PrizeKind::Parcel, FulfilmentState::Waiting).await;
    let home = b"sealed home".as_slice();
    for (step, said_, expected) in [
        (claim(1, UserId(71), Some(home)), "not_found", FulfilmentState::Claimable),
        (claim(1, PLAYER, None), "invalid_field", FulfilmentState::Claimable),
        (claim(1, PLAYER, Some(home)), "ok", FulfilmentState::ToShip),
        (claim(1, PLAYER, Some(b"another")), "ok", FulfilmentState::ToShip),
        (claim(1, PLAYER, None), "ok", FulfilmentState::ToShip),
        (claim(1, UserId(71), Some(home)), "not_found", FulfilmentState::ToShip),
        (claim(2, PLAYER, Some(home)), "ok", FulfilmentState::Ready),
        (claim(3, PLAYER, None), "ok", FulfilmentState::Given),
        (claim(4, PLAYER, Some(home)), "fulfilment_step_illegal", FulfilmentState::Waiting),
    ] {
        let id = step.id.0;
        assert_eq!(said(db.fulfilment_claim(step).await), said_, "{id}");
        assert_eq!(state(db, id).await, expected, "{id}");
    }
    assert_eq!(said(db.fulfilment_claim(claim(9, PLAYER, None)).await), "not_found");
    assert_eq!(row(db, 1).await.address.as_deref(), Some(b"another".as_slice()), "the last address");
    prize(db, 5, PrizeKind::Parcel, FulfilmentState::Claimable).await;
    assert_eq!(said(db.fulfilment_claim(claim(5, PLAYER, Some(home))).await), "ok");
    db.write((), |tx, ()| {
        let sql = "UPDATE fulfilments SET state = 'shipped' WHERE id = 5";
        Box::pin(async move { tx.execute(sql, params![]).await })
    })
    .await
    .unwrap();
    let late = db.fulfilment_claim(claim(5, PLAYER, Some(b"another"))).await;
    assert_eq!(said(late), "fulfilment_step_illegal", "it is on its way");
    assert_eq!(row(db, 5).await.address.as_deref(), Some(home));
    assert_eq!(row(db, 2).await.address, None, "only a parcel needs one");
    assert_eq!(messages(db, "coupons").await.len(), 1);
}

async fn steps_of_operators_are_on_record(db: &Db) {
    prize(db, 1, PrizeKind::Parcel, FulfilmentState::Waiting).await;
    let ship = |tracking: &str, audit| {
        let mut step = act(1, FulfilmentStep::Ship, audit);
        step.details.carrier = Some("SF".to_owned());
        step.details.tracking = Some(tracking.to_owned());
        step
    };
    assert_eq!(said(db.fulfilment_act(ship("A1", 1)).await), "fulfilment_step_illegal");
    db.fulfilment_act(act(1, FulfilmentStep::Release, 2)).await.unwrap();
    db.fulfilment_claim(claim(1, PLAYER, Some(b"home"))).await.unwrap();
    for (audit, tracking) in [(3, "A1"), (4, "A1"), (5, "A2")] {
        db.fulfilment_act(ship(tracking, audit)).await.unwrap();
    }
    let shipped = row(db, 1).await;
    assert_eq!((shipped.carrier.as_deref(), shipped.tracking.as_deref()), (Some("SF"), Some("A2")));
    for audit in [6, 7] {
        db.fulfilment_act(act(1, FulfilmentStep::Deliver, audit)).await.unwrap();
    }
    assert_eq!(state(db, 1).await, FulfilmentState::Given);
    assert_eq!(said(db.fulfilment_act(ship("A3", 8)).await), "fulfilment_step_illegal");
    prize(db, 2, PrizeKind::Parcel, FulfilmentState::Shipped).await;
    for step in [
        FulfilmentStep::Release,
        FulfilmentStep::Ship,
        FulfilmentStep::Deliver,
        FulfilmentStep::ReportGiven,
        FulfilmentStep::ReportFailed,
        FulfilmentStep::Redrive,
    ] {
        let own = FulfilmentAct { signed: signed(Actor::Person(PLAYER), 9), ..act(2, step, 9) };
        assert_eq!(said(db.fulfilment_act(own).await), "own_account", "{step:?}");
    }
    assert_eq!((state(db, 2).await, audited(db, "fulfilment:2").await), (FulfilmentState::Shipped, vec![]));
    assert_eq!(
        audited(db, "fulfilment:1").await,
        ["fulfilment.release", "fulfilment.ship", "fulfilment.ship", "fulfilment.deliver"],
        "the same again is not told twice"
    );
}

/// A carrier's bad news needs words; the next try begins without them and with another tracking number.
async fn a_parcel_that_was_lost_is_sent_again_or_voided(db: &Db) {
    for id in [1, 2] {
        prize(db, id, PrizeKind::Parcel, FulfilmentState::Claimable).await;
        db.fulfilment_claim(claim(id, PLAYER, Some(b"home"))).await.unwrap();
    }
    let told = |id: i64, step: FulfilmentStep, audit: i64, note: Option<&str>| {
        let mut step = act(id, step, audit);
        step.details.note = note.map(str::to_owned);
        step.details.tracking = (step.step == FulfilmentStep::Ship).then(|| format!("T{audit}"));
        db.fulfilment_act(step)
    };
    assert_eq!(
        said(told(1, FulfilmentStep::ReportFailed, 1, None).await),
        "fulfilment_step_illegal",
        "not sent yet"
    );
    for id in [1, 2] {
        told(id, FulfilmentStep::Ship, 10 + id, None).await.unwrap();
        assert_eq!(said(told(id, FulfilmentStep::ReportFailed, 20 + id, None).await), "invalid_field");
        let failed = told(id, FulfilmentStep::ReportFailed, 30 + id, Some("lost at sea")).await.unwrap();
        assert_eq!(
            (failed.standing.state, failed.note.as_deref()),
            (FulfilmentState::Failed, Some("lost at sea"))
        );
    }
    let again = told(1, FulfilmentStep::Redrive, 41, None).await.unwrap();
    assert_eq!((again.standing.state, again.tracking, again.note), (FulfilmentState::ToShip, None, None));
    assert_eq!(row(db, 1).await.address.as_deref(), Some(b"home".as_slice()));
    db.fulfilment_claim(claim(1, PLAYER, Some(b"another"))).await.unwrap();
    told(1, FulfilmentStep::Ship, 51, None).await.unwrap();
    told(1, FulfilmentStep::Deliver, 61, None).await.unwrap();
    assert_eq!(
        (state(db, 1).await, row(db, 1).await.tracking.as_deref()),
        (FulfilmentState::Given, Some("T51"))
    );
    ask_void(db, 2, 200).await.unwrap();
    approve(db, 200, 3).await.unwrap();
    assert_eq!((state(db, 2).await, messages(db, RETURNS).await.len()), (FulfilmentState::Voided, 1));
}

async fn clock(db: &Db, fence: &Fence, step: FulfilmentStep, now: Timestamp, limit: u32) -> Result<u64> {
    db.fulfilments_clock(fence.clone(), step, now, limit).await
}

async fn hole_50_the_clock_grants_what_is_due_and_nothing_else(db: &Db) {
    let due = Timestamp(i64::MAX - 1);
    cards(db, "points", Some(5), ("at", Some(due.0)), None).await;
    let wins = won(db).await;
    prize(db, 1, PrizeKind::Points, FulfilmentState::Waiting).await;
    let fence = fence(db).await;
    assert_eq!(
        clock(db, &fence, FulfilmentStep::Due, due - 1, 1_000).await.unwrap(),
        0,
        "not a moment before"
    );
    assert_eq!(messages(db, "points").await, []);
    let mut taken = 0;
    loop {
        let some = clock(db, &fence, FulfilmentStep::Due, due, 2).await.unwrap();
        assert!(some <= 2);
        taken += some;
        if some == 0 {
            break;
        }
    }
    assert_eq!(taken, wins.len() as u64);
    assert_eq!(messages(db, "points").await.len(), wins.len());
    assert_eq!(state(db, 1).await, FulfilmentState::Waiting, "what waits for a person waits");
    let old = Fence { term: fence.term - 1, ..fence };
    assert_eq!(said(clock(db, &old, FulfilmentStep::Due, due, 9).await), "lease_lost");
}

async fn hole_49_what_nobody_claimed_in_time_goes_back_once(db: &Db) {
    cards(db, "parcel", None, ("now", None), Some(1_000)).await;
    let wins = won(db).await;
    let fence = fence(db).await;
    let first = wins.iter().map(|win| win.at).min().unwrap();
    assert_eq!(clock(db, &fence, FulfilmentStep::Lapse, first + 999, 1_000).await.unwrap(), 0);
    let claimed = wins[0];
    let step = FulfilmentClaim { now: claimed.at, ..claim(claimed.id, claimed.user, Some(b"home")) };
    db.fulfilment_claim(step).await.unwrap();
    let over = Timestamp(i64::MAX / 2);
    assert_eq!(clock(db, &fence, FulfilmentStep::Lapse, over, 1_000).await.unwrap(), wins.len() as u64 - 1);
    assert_eq!(clock(db, &fence, FulfilmentStep::Lapse, over, 1_000).await.unwrap(), 0);
    assert_eq!(state(db, claimed.id).await, FulfilmentState::ToShip);
    let late = wins[1];
    let step = FulfilmentClaim { now: over, ..claim(late.id, late.user, Some(b"home")) };
    assert_eq!(said(db.fulfilment_claim(step).await), "claim_over");
    let back = messages(db, RETURNS).await;
    assert_eq!(back.len(), wins.len() - 1, "a unit each");
    assert!(back.iter().all(|message| message.kind == RETURN && message.id == !message.subject));
}

async fn a_message_gives_its_prize_or_fails_it_together_with_it(db: &Db) {
    for id in 1..=3 {
        prize(db, id, PrizeKind::Coupon, FulfilmentState::Claimable).await;
        db.fulfilment_claim(claim(id, PLAYER, None)).await.unwrap();
    }
    let lane = hold_lane(db, "coupons").await;
    let waiting = messages(db, "coupons").await;
    finish(db, &lane, &waiting[0], DeliveryOutcome::Done, T0 + 1).await;
    finish(db, &lane, &waiting[1], DeliveryOutcome::HandedOver, T0 + 1).await;
    finish(db, &lane, &waiting[2], DeliveryOutcome::Dead { error: "no such coupon".to_owned() }, T0 + 1)
        .await;
    assert_eq!(
        [state(db, 1).await, state(db, 2).await],
        [FulfilmentState::Given, FulfilmentState::HandedOver]
    );
    let failed = row(db, 3).await;
    assert_eq!(
        (failed.standing.state, failed.note.as_deref()),
        (FulfilmentState::Failed, Some("no such coupon"))
    );

    // The other system reports, as often as it likes.
    for audit in [1, 2] {
        db.fulfilment_act(act(2, FulfilmentStep::ReportGiven, audit)).await.unwrap();
    }
    assert_eq!(
        said(db.fulfilment_act(act(2, FulfilmentStep::ReportFailed, 3)).await),
        "fulfilment_step_illegal"
    );
    assert_eq!(state(db, 2).await, FulfilmentState::Given);

    // A redrive by the letter and a redrive by the prize are the same thing.
    let letter = Redrive { which: RedriveWhich::One(3), signed: signed(Actor::Console, 4) };
    assert_eq!(db.redrive(letter).await.unwrap(), 1);
    assert_eq!(state(db, 3).await, FulfilmentState::Ready);
    let again = messages(db, "coupons").await;
    assert_eq!(again.iter().map(|message| message.id).collect::<Vec<_>>(), [3], "the same delivery");
    finish(db, &lane, &again[0], DeliveryOutcome::Dead { error: "still none".to_owned() }, T0 + 2).await;
    db.fulfilment_act(act(3, FulfilmentStep::Redrive, 5)).await.unwrap();
    assert_eq!(db.dead_letter(3).await.unwrap(), None, "it is not in two places");
    assert_eq!(messages(db, "coupons").await.len(), 1);
}

async fn queues_are_listed_by_state_kind_and_activity(db: &Db) {
    for (id, kind, state) in [
        (1, PrizeKind::Parcel, FulfilmentState::ToShip),
        (2, PrizeKind::Parcel, FulfilmentState::ToShip),
        (3, PrizeKind::Coupon, FulfilmentState::Failed),
        (4, PrizeKind::Parcel, FulfilmentState::Given),
        (5, PrizeKind::Points, FulfilmentState::Given),
    ] {
        prize(db, id, kind, state).await;
    }
    let search = |state: Option<FulfilmentState>, kind: Option<PrizeKind>, activity: Option<i64>| {
        FulfilmentSearch { state, kind, activity: activity.map(ActivityId) }
    };
    for (search, expected) in [
        (search(None, None, None), vec![5, 4, 3, 2, 1]),
        (search(Some(FulfilmentState::ToShip), None, None), vec![2, 1]),
        (search(Some(FulfilmentState::ToShip), Some(PrizeKind::Coupon), None), vec![]),
        (search(Some(FulfilmentState::Given), Some(PrizeKind::Points), None), vec![5]),
        (search(None, Some(PrizeKind::Parcel), Some(500)), vec![4, 2, 1]),
        (search(Some(FulfilmentState::Failed), None, Some(501)), vec![]),
    ] {
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let page = PageRequest { limit: 2, after };
            let page = db.fulfilment_list(search, page).await.unwrap();
            seen.extend(page.items.iter().map(|row| row.id.0));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(seen, expected, "{search:?}");
    }
    let some = db.fulfilments_of([3, 9, 1].map(FulfilmentId).to_vec()).await.unwrap();
    assert_eq!(some.iter().map(|row| row.id.0).collect::<Vec<_>>(), [3, 1]);
}

async fn addresses_of_parcels_are_sealed_anew(db: &Db) {
    for id in [3, 5] {
        prize(db, id, PrizeKind::Parcel, FulfilmentState::Claimable).await;
        db.fulfilment_claim(claim(id, PLAYER, Some(b"old"))).await.unwrap();
    }
    prize(db, 4, PrizeKind::Coupon, FulfilmentState::Ready).await;
    let fence = fence(db).await;
    let sealed = |after| db.sealed_rows(SealedColumn::Parcel, (after, 0), 9);
    let rows = sealed(0).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.user).collect::<Vec<_>>(), [3, 5]);
    assert_eq!(sealed(3).await.unwrap(), rows[1..]);
    for expected in [true, false] {
        let done = db.reseal(fence.clone(), rows[0].clone(), b"new".to_vec()).await.unwrap();
        assert_eq!(done, expected, "only what is still as it was read");
    }
    assert_eq!(row(db, 3).await.address.as_deref(), Some(b"new".as_slice()));
}

async fn whoever_leaves_takes_the_address_along(db: &Db) {
    let player = user(db, 1, &[]).await;
    prize(db, 1, PrizeKind::Parcel, FulfilmentState::Claimable).await;
    prize(db, 2, PrizeKind::Parcel, FulfilmentState::Shipped).await;
    db.write(player, |tx, user| {
        Box::pin(async move { tx.execute("UPDATE fulfilments SET user_id = $1", params![*user]).await })
    })
    .await
    .unwrap();
    db.fulfilment_claim(claim(1, player, Some(b"home"))).await.unwrap();
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.account_delete(delete_by_code(player, 1, RIGHT)).await.unwrap();
    let sent = row(db, 2).await;
    assert_eq!((sent.address, sent.standing.state), (None, FulfilmentState::Shipped), "it is on its way");
    let row = row(db, 1).await;
    assert_eq!((row.address, row.standing.state, row.user), (None, FulfilmentState::Voided, player));
    assert_eq!((row.note.as_deref(), messages(db, RETURNS).await.len()), (Some("account deleted"), 1));
}
