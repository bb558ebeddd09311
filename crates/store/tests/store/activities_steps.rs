//! The life of activities as people and the clock move it.

use domain::activity::{Action, LifeState};
use domain::ids::{ActivityId, UserId};
use futures::future::join_all;
use store::Db;
use store::model::*;

use crate::activity_fixtures::*;
use crate::fixtures::*;

on_both! {
    the_review_is_somebody_elses,
    every_author_is_kept_from_deciding,
    what_was_not_seen_is_not_approved,
    steps_that_do_not_exist_are_refused_by_name,
    a_switch_pulled_twice_is_pulled_once,
    the_same_key_takes_a_step_once,
    of_fifty_who_approve_one_does,
    hole_46_the_clock_starts_and_ends_and_the_walk_ends,
    hole_46_what_is_reopened_is_found_again,
    an_end_that_nobody_carried_out_holds_all_the_same,
}

async fn the_review_is_somebody_elses(db: &Db) {
    let id = create(db, 1, content()).await;
    for (by, action, expected, then) in [
        (BOB, Action::Approve, "step_illegal", LifeState::Editing),
        (ANN, Action::Submit, "ok", LifeState::InReview),
        (ANN, Action::Submit, "step_illegal", LifeState::InReview),
        (ANN, Action::Approve, "own_work", LifeState::InReview),
        (ANN, Action::Refuse, "own_work", LifeState::InReview),
        (BOB, Action::Withdraw, "not_author", LifeState::InReview),
        (ANN, Action::Withdraw, "ok", LifeState::Editing),
        (ANN, Action::Submit, "ok", LifeState::InReview),
        (BOB, Action::Refuse, "ok", LifeState::Refused),
        (ANN, Action::Submit, "step_illegal", LifeState::Refused),
    ] {
        assert_eq!(said(db.activity_act(act(id, by, action, 5)).await), expected, "{action:?} by {by:?}");
        assert_eq!(life(db, id).await, (then, 1), "after {action:?} by {by:?}");
    }
    let refused = db.version_find(id, 1).await.unwrap().unwrap();
    assert_eq!(refused.decision_reason, "because");
    assert_eq!(refused.decided, Some((Actor::Person(BOB), moment(5))));
    assert_eq!(db.secret_list(id).await.unwrap(), [], "nothing was published");
    assert!(db.published_find(id).await.unwrap().is_none());

    // A refused version is taken up again by an edit.
    assert_eq!(said(edit(db, id, ANN, seen(1, 1), content()).await), "ok");
    assert_eq!(life(db, id).await, (LifeState::Editing, 1));
    publish(db, id, 6).await;
    assert_eq!(life(db, id).await, (LifeState::Approved, 1));
    let published = db.published_find(id).await.unwrap().unwrap();
    assert_eq!((published.version, published.content), (1, content().placed(id, 1)));
    assert_eq!(published.strategy, content().placed(id, 1).plan.hash());
}

/// Whoever changed a word has a part in it, and so has whoever submitted it.
async fn every_author_is_kept_from_deciding(db: &Db) {
    let id = create(db, 1, content()).await;
    edit(db, id, BOB, seen(1, 1), with_units(11, None)).await.unwrap();
    db.activity_act(act(id, UserId(3_000), Action::Submit, 5)).await.unwrap();
    for by in [1_000, 2_000, 3_000] {
        let approve = act(id, UserId(by), Action::Approve, 6);
        assert_eq!(said(db.activity_act(approve).await), "own_work", "{by}");
    }
    assert_eq!(said(db.activity_act(act(id, UserId(4_000), Action::Approve, 6)).await), "ok");
}

async fn what_was_not_seen_is_not_approved(db: &Db) {
    let id = create(db, 1, content()).await;
    edit(db, id, ANN, seen(1, 1), with_units(11, None)).await.unwrap();
    db.activity_act(act(id, ANN, Action::Submit, 5)).await.unwrap();
    for (saw, expected) in
        [(seen(1, 1), "edited_meanwhile"), (seen(2, 2), "edited_meanwhile"), (seen(1, 2), "ok")]
    {
        let approve = ActivityAct { seen: Some(saw), ..act(id, BOB, Action::Approve, 6) };
        assert_eq!(said(db.activity_act(approve).await), expected, "{saw:?}");
    }
}

async fn steps_that_do_not_exist_are_refused_by_name(db: &Db) {
    let id = create(db, 1, content()).await;
    for action in [Action::Close, Action::Pause, Action::Resume, Action::Reopen] {
        assert_eq!(said(db.activity_act(act(id, BOB, action, 0)).await), "step_illegal", "{action:?}");
    }
    publish(db, id, 0).await;
    for (action, after_ms, expected) in [
        (Action::Pause, 999, "step_illegal"),
        (Action::Resume, 1_000, "ok"),
        (Action::Pause, 1_000, "ok"),
        (Action::Pause, 1_001, "ok"),
        (Action::Resume, 1_002, "ok"),
        (Action::Reopen, 1_003, "step_illegal"),
        (Action::Close, 1_004, "ok"),
        (Action::Close, 1_005, "step_illegal"),
        (Action::Reopen, 1_006, "ok"),
        (Action::Close, 1_007, "ok"),
        (Action::Reopen, 2_000, "window_over"),
        (Action::Approve, 2_001, "step_illegal"),
    ] {
        assert_eq!(
            said(db.activity_act(act(id, BOB, action, after_ms)).await),
            expected,
            "{action:?} {after_ms}"
        );
    }
    assert_eq!(life(db, id).await, (LifeState::Closed, 2));
    assert_eq!(said(db.activity_act(act(ActivityId(9), BOB, Action::Close, 0)).await), "not_found");
    let late = create(db, 2, content()).await;
    assert_eq!(said(db.activity_act(act(late, ANN, Action::Submit, UNTIL_MS)).await), "window_over");
}

/// A switch that is where it is wanted stays there: no line in the log, nothing for the ledger to hear.
async fn a_switch_pulled_twice_is_pulled_once(db: &Db) {
    let id = create(db, 1, content()).await;
    publish(db, id, 0).await;
    for (action, state, lines) in [
        (Action::Resume, LifeState::Approved, 0),
        (Action::Pause, LifeState::Paused, 1),
        (Action::Pause, LifeState::Paused, 1),
        (Action::Resume, LifeState::Running, 2),
        (Action::Resume, LifeState::Running, 2),
    ] {
        assert_eq!(said(db.activity_act(act(id, BOB, action, 1_000)).await), "ok", "{action:?}");
        assert_eq!(life(db, id).await, (state, 1), "{action:?}");
        let told = audited(db, "activity:1").await;
        let told = told.iter().filter(|told| matches!(told.as_str(), "activity.pause" | "activity.resume"));
        assert_eq!(told.count(), lines, "{action:?}");
    }
    // Under a key of one's own it is told again as it was.
    for _ in 0..2 {
        let pause = ActivityAct { once: once("pause", "b"), ..act(id, BOB, Action::Pause, 1_001) };
        assert_eq!(db.activity_act(pause).await.unwrap().id, 1);
    }
}

async fn the_same_key_takes_a_step_once(db: &Db) {
    let id = create(db, 1, content()).await;
    publish(db, id, 0).await;
    for _ in 0..2 {
        let close = ActivityAct { once: once("close", "b"), ..act(id, BOB, Action::Close, 1) };
        assert_eq!(db.activity_act(close).await.unwrap().id, 1);
    }
    let other = ActivityAct { once: once("close", "c"), ..act(id, BOB, Action::Close, 1) };
    assert_eq!(said(db.activity_act(other).await), "idempotency_conflict");
    for n in [2, 3] {
        let content = content().placed(ActivityId(n), 1);
        let signed = signed(Actor::Person(ANN), 70 + n);
        let step = ActivityCreate {
            id: ActivityId(n),
            content,
            cloned_from: Some(id),
            once: once("k", "b"),
            signed,
        };
        assert_eq!(db.activity_create(step).await.unwrap().id, 2);
    }
    assert_eq!(row(db, ActivityId(2)).await.cloned_from, Some(id));
}

async fn of_fifty_who_approve_one_does(db: &Db) {
    let id = create(db, 1, content()).await;
    db.activity_act(act(id, ANN, Action::Submit, 0)).await.unwrap();
    let deciding = (0..50).map(|n| {
        let action = if n % 2 == 0 { Action::Approve } else { Action::Refuse };
        db.activity_act(act(id, UserId(5_000 + n), action, n))
    });
    assert_eq!(join_all(deciding).await.into_iter().map(said).filter(|heard| *heard == "ok").count(), 1);
    assert!(db.secret_list(id).await.unwrap().len() <= 1);
}

/// An approved activity with a future start is not started; what was handled is not found again; the walk ends.
async fn hole_46_the_clock_starts_and_ends_and_the_walk_ends(db: &Db) {
    let fence = fence(db).await;
    for n in 1..=5 {
        let id = create(db, n, content()).await;
        publish(db, id, 0).await;
        db.ledger_synced(LedgerSynced { activity: id, step: row(db, id).await.step, ledger: MARK })
            .await
            .unwrap();
    }
    create(db, 6, content()).await;
    for (after_ms, page, walked, then) in [
        (999, 2, vec![], LifeState::Approved),
        (1_000, 2, vec![1, 2, 3, 4, 5], LifeState::Running),
        (1_001, 2, vec![], LifeState::Running),
        (1_999, 2, vec![], LifeState::Running),
        (2_000, 2, vec![1, 2, 3, 4, 5], LifeState::Closed),
    ] {
        assert_eq!(walk(db, &fence, after_ms, page).await, walked, "at {after_ms}");
        for n in 1..=5 {
            assert_eq!(life(db, ActivityId(n)).await, (then, 1), "{n} at {after_ms}");
        }
    }
    // The ledger has to hear of the end, so they are found until it has; the walk ends all the same.
    assert_eq!(walk(db, &fence, 2_001, 2).await, [1, 2, 3, 4, 5]);
    for n in 1..=5 {
        let step = row(db, ActivityId(n)).await.step;
        assert!(
            db.ledger_synced(LedgerSynced { activity: ActivityId(n), step, ledger: MARK }).await.unwrap()
        );
    }
    assert_eq!(walk(db, &fence, 2_002, 2).await, [] as [i64; 0]);
    assert_eq!(audited(db, "activity:1").await.split_off(3), ["activity.start", "activity.end"]);
    let stale = Fence { term: fence.term - 1, ..fence };
    let tick = db.activity_tick(stale, ActivityId(1), signed(Actor::System, 1)).await;
    assert_eq!(said(tick), "lease_lost");
}

async fn hole_46_what_is_reopened_is_found_again(db: &Db) {
    let fence = fence(db).await;
    let id = create(db, 1, content()).await;
    publish(db, id, 0).await;
    db.activity_act(act(id, BOB, Action::Close, 100)).await.unwrap();
    db.activity_act(act(id, BOB, Action::Reopen, 200)).await.unwrap();
    assert_eq!(life(db, id).await, (LifeState::Reopened, 2));
    walk(db, &fence, 999, 9).await;
    assert_eq!(life(db, id).await, (LifeState::Reopened, 2));
    walk(db, &fence, 1_000, 9).await;
    assert_eq!(life(db, id).await, (LifeState::Running, 2));

    // One whose whole window was missed ends without having run.
    let missed = create(db, 2, content()).await;
    publish(db, missed, 0).await;
    walk(db, &fence, 5_000, 9).await;
    assert_eq!(life(db, missed).await, (LifeState::Closed, 1));
}

/// Whoever acts meets the state by the clock, whether or not the job was there.
async fn an_end_that_nobody_carried_out_holds_all_the_same(db: &Db) {
    let id = create(db, 1, content()).await;
    publish(db, id, 0).await;
    assert_eq!(said(db.activity_act(act(id, BOB, Action::Pause, 2_000)).await), "step_illegal");
    // A new version with a later window comes too late for the round: it has to be opened again.
    edit(db, id, ANN, seen(2, 0), later(content(), 5_000)).await.unwrap();
    db.activity_act(act(id, ANN, Action::Submit, 2_000)).await.unwrap();
    db.activity_act(act(id, BOB, Action::Approve, 2_001)).await.unwrap();
    assert_eq!(life(db, id).await, (LifeState::Closed, 1));
    db.activity_act(act(id, BOB, Action::Reopen, 2_002)).await.unwrap();
    assert_eq!(life(db, id).await, (LifeState::Reopened, 2));
}
