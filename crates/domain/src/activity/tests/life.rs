//! Every pair of state and action, and the clock at the edges of the window.

use proptest::prelude::*;

use crate::Rejection;
use crate::access::Decider;
use crate::activity::*;
use crate::ids::UserId;
use crate::time::Timestamp;
use Action::*;
use LifeState::*;

const WINDOW: Window = Window { from: Timestamp(1_000), until: Timestamp(2_000) };
const ANN: UserId = UserId(1);
const EVE: UserId = UserId(3);
/// Ann wrote it and Eve changed a word; Bob had no part in it.
const AUTHORS: &[UserId] = &[ANN, EVE];
const BY_ANN: Decider = Decider::Person(ANN);
const BY_BOB: Decider = Decider::Person(UserId(2));
const BY_EVE: Decider = Decider::Person(EVE);

fn step(state: LifeState, action: Action, by: Decider, now: i64) -> Result<LifeState, &'static str> {
    let life = Life { state, round: 4 };
    let next = life.step(action, AUTHORS, by, Timestamp(now), WINDOW).map_err(|refusal| refusal.name())?;
    assert_eq!(next.round, if action == Reopen { 5 } else { 4 }, "only reopening begins a round");
    Ok(next.state)
}

/// All 96 pairs within the window, by somebody who may. A row says where each action leads; `—` is `step_illegal`,
/// `…` is `not_due`. The columns are the actions in their order.
#[test]
fn the_table_of_steps() {
    let table = "
        state      edit     discard  submit     withdraw  approve   refuse   start    end  close   reopen    pause   resume
        editing    editing  —        in_review  —         —         —        —        —    —       —         —       —
        in_review  —        —        —          editing   approved  refused  —        —    —       —         —       —
        approved   —        —        —          —         —         —        running  …    closed  —         —       —
        refused    editing  —        —          —         —         —        —        —    —       —         —       —
        running    —        —        —          —         —         —        —        …    closed  —         paused  running
        paused     —        —        —          —         —         —        —        …    closed  —         paused  running
        closed     —        —        —          —         —         —        —        —    —       reopened  —       —
        reopened   —        —        —          —         —         —        running  …    closed  —         —       —
    ";
    let mut rows =
        table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|row| !row.is_empty());
    let head = rows.next().unwrap();
    assert_eq!(head[1..], Action::ALL.map(Action::name));
    let mut seen = Vec::new();
    for row in rows {
        let state = LifeState::parse(row[0]).unwrap();
        seen.push(state);
        for (action, cell) in Action::ALL.into_iter().zip(&row[1..]) {
            let expected = match *cell {
                "—" => Err("step_illegal"),
                "…" => Err("not_due"),
                name => Ok(LifeState::parse(name).unwrap()),
            };
            let by = if action == Withdraw { BY_ANN } else { BY_BOB };
            assert_eq!(step(state, action, by, 1_500), expected, "{} {}", state.name(), action.name());
        }
    }
    assert_eq!(seen, LifeState::ALL, "every state has a row");
}

#[test]
fn who_may_decide() {
    for (action, by, expected) in [
        (Approve, BY_BOB, Ok(Approved)),
        (Approve, BY_ANN, Err("own_work")),
        (Approve, BY_EVE, Err("own_work")),
        (Approve, Decider::Console, Ok(Approved)),
        (Refuse, BY_BOB, Ok(Refused)),
        (Refuse, BY_ANN, Err("own_work")),
        (Withdraw, BY_ANN, Ok(Editing)),
        (Withdraw, BY_EVE, Ok(Editing)),
        (Withdraw, BY_BOB, Err("not_author")),
        (Withdraw, Decider::Console, Ok(Editing)),
    ] {
        assert_eq!(step(InReview, action, by, 500), expected, "{action:?} {by:?}");
    }
}

#[test]
fn when_it_may_happen() {
    for (state, action, now, expected) in [
        (Editing, Submit, 1_999, Ok(InReview)),
        (Editing, Submit, 2_000, Err("window_over")),
        (InReview, Approve, 0, Ok(Approved)),
        (InReview, Approve, 2_000, Err("window_over")),
        (InReview, Refuse, 2_000, Ok(Refused)),
        (Approved, Start, 999, Err("not_due")),
        (Approved, Start, 1_000, Ok(Running)),
        (Approved, Start, 1_999, Ok(Running)),
        (Approved, Start, 2_000, Err("window_over")),
        (Reopened, Start, 999, Err("not_due")),
        (Reopened, Start, 1_000, Ok(Running)),
        (Running, End, 1_999, Err("not_due")),
        (Running, End, 2_000, Ok(Closed)),
        (Paused, End, 2_000, Ok(Closed)),
        (Approved, End, 1_999, Err("not_due")),
        (Approved, End, 2_000, Ok(Closed)),
        (Approved, Close, 0, Ok(Closed)),
        (Running, Pause, 2_000, Ok(Paused)),
        (Paused, Resume, 1_999, Ok(Running)),
        (Paused, Resume, 2_000, Err("window_over")),
        (Closed, Reopen, 1_999, Ok(Reopened)),
        (Closed, Reopen, 2_000, Err("window_over")),
    ] {
        assert_eq!(step(state, action, BY_BOB, now), expected, "{state:?} {action:?} at {now}");
    }
    let last = Life { state: Closed, round: u32::MAX };
    let refused = last.step(Reopen, AUTHORS, BY_BOB, Timestamp(0), WINDOW);
    assert_eq!(refused, Err(StepRefusal::RoundsSpent));
}

/// Hole 46: the start time is looked at, and so is what was reopened.
#[test]
fn hole_46_the_clock_starts_and_ends_exactly_and_finds_what_was_reopened() {
    for (state, now, expected, look) in [
        (Approved, 999, None, Some(1_000)),
        (Approved, 1_000, Some(Start), Some(1_000)),
        (Approved, 1_999, Some(Start), Some(1_000)),
        (Approved, 2_000, Some(End), Some(1_000)),
        (Reopened, 999, None, Some(1_000)),
        (Reopened, 1_000, Some(Start), Some(1_000)),
        (Reopened, 2_000, Some(End), Some(1_000)),
        (Running, 1_999, None, Some(2_000)),
        (Running, 2_000, Some(End), Some(2_000)),
        (Paused, 1_999, None, Some(2_000)),
        (Paused, 9_999, Some(End), Some(2_000)),
        (Editing, 1_500, None, None),
        (InReview, 1_500, None, None),
        (Refused, 1_500, None, None),
        (Closed, 1_500, None, None),
    ] {
        assert_eq!(due(state, WINDOW, Timestamp(now)), expected, "{state:?} at {now}");
        assert_eq!(look_at(state, WINDOW), look.map(Timestamp), "{state:?}");
    }
}

/// Hole 46: a job that takes the first page of what is due, again and again, comes to an end.
#[test]
fn hole_46_a_page_of_what_is_due_never_comes_back() {
    for state in LifeState::ALL {
        for now in [0, 999, 1_000, 1_500, 1_999, 2_000, 9_999].map(Timestamp) {
            let looked_at = look_at(state, WINDOW).is_some_and(|at| at <= now);
            let action = due(state, WINDOW, now);
            assert_eq!(
                looked_at,
                action.is_some(),
                "{state:?} at {now:?}: found exactly when there is something to do"
            );
            let Some(action) = action else { continue };
            let next = Life { state, round: 1 }.step(action, AUTHORS, Decider::Console, now, WINDOW).unwrap();
            assert_eq!(due(next.state, WINDOW, now), None, "{state:?} at {now:?}: one step and no more");
            assert!(look_at(next.state, WINDOW).is_none_or(|at| at > now), "{state:?} at {now:?}");
        }
    }
}

#[test]
fn names_are_read_back() {
    for state in LifeState::ALL {
        assert_eq!(LifeState::parse(state.name()), Some(state));
    }
    for action in Action::ALL {
        assert_eq!(Action::parse(action.name()), Some(action));
    }
    assert_eq!(LifeState::parse("Running"), None);
}

/// Whoever is told "no" hears it under the same name.
#[test]
fn every_refusal_is_a_rejection_of_its_name() {
    for refusal in [
        StepRefusal::StepIllegal { state: Closed, action: Pause },
        StepRefusal::OwnWork,
        StepRefusal::NotAuthor,
        StepRefusal::NotDue { at: Timestamp(0) },
        StepRefusal::WindowOver { at: Timestamp(0) },
        StepRefusal::RoundsSpent,
    ] {
        assert_eq!(Rejection::from(refusal).code(), refusal.name());
    }
}

proptest! {
    /// Whatever people and the clock do in whatever order: it runs only within its window, once it was approved by
    /// somebody else, and rounds only rise.
    #[test]
    fn a_life_keeps_its_promises(
        moves in prop::collection::vec((prop::sample::select(Action::ALL.to_vec()), 1i64..5, 0i64..60), 0..120),
    ) {
        let (mut life, mut now, mut approved) = (Life::NEW, Timestamp(0), false);
        for (action, person, wait) in moves {
            now = now + wait;
            let before = life;
            let Ok(next) = life.step(action, AUTHORS, Decider::Person(UserId(person)), now, WINDOW) else { continue };
            life = next;
            approved |= action == Approve && !AUTHORS.contains(&UserId(person));
            if life.state == Running && before.state != Running {
                prop_assert!(WINDOW.contains(now), "{:?} at {:?}", before, now);
            }
            prop_assert!(approved || !life.state.published());
            prop_assert_eq!(life.round, before.round + u32::from(action == Reopen));
            prop_assert!(life.state.published() || !before.state.published(), "what is published stays so");
        }
    }
}
