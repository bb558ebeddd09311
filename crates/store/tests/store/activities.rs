//! Activities: versions and editions, the life as people and the clock move it, what the ledger has yet to hear, and
//! secrets.

use domain::activity::Life as Standing;
use domain::activity::{Action, Part, State};
use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{ActivityState, ChanceLimits, Day, Draws, Play, Settlement, Terms};
use domain::ledger::{Answer, Command, Key, Note};
use domain::page::PageRequest;
use engine::ports::*;
use futures::future::join_all;
use store::Db;

use crate::activities_given::*;
use crate::given::*;
use crate::ledger_given::Life;

const MARK: LedgerMark = LedgerMark { round: 1, version: 1, state: ActivityState::Open };

fn seen(number: u32, edition: u32) -> Seen {
    Seen { number, edition }
}

on_both! {
    what_was_written_is_read_again,
    an_edit_needs_the_newest_edition,
    of_fifty_editors_one_wins,
    the_review_is_somebody_elses,
    every_author_is_kept_from_deciding,
    what_was_not_seen_is_not_approved,
    a_version_that_is_published_is_immutable_and_the_next_is_reviewed_beside_it,
    steps_that_do_not_exist_are_refused_by_name,
    the_same_key_takes_a_step_once,
    of_fifty_who_approve_one_does,
    hole_46_the_clock_starts_and_ends_and_the_walk_ends,
    hole_46_what_is_reopened_is_found_again,
    an_end_that_nobody_carried_out_holds_all_the_same,
    the_ledger_hears_of_every_step,
    pools_are_opened_once_and_changed_by_differences,
    lists_are_by_state_and_name,
    secrets_are_never_replaced,
    secrets_are_revealed_when_the_round_is_over,
}

async fn what_was_written_is_read_again(db: &Db) {
    for (id, content) in [(1, content()), (2, raffle()), (3, with_units(4, None))] {
        let id = create(db, id, content.clone()).await;
        let version = db.version_find(id, 1).await.unwrap().unwrap();
        assert_eq!(version.content, content.placed(id, 1));
        assert_eq!(
            (version.review, version.edition, version.made),
            (State::Editing, 1, (Actor::Person(ANN), T0))
        );
        let row = row(db, id).await;
        assert_eq!(row.draft, Some(Making { number: 1, edition: 1, review: State::Editing }));
        assert_eq!((row.live, row.carried, row.life), (None, true, Standing::NEW));
        assert_eq!(row.name, "Spring Wheel");
    }
    assert_eq!(db.version_find(ActivityId(1), 2).await.unwrap(), None);
    assert_eq!(db.activity_find(ActivityId(9)).await.unwrap(), None);
    assert_eq!(audited(db, "activity:1").await, ["activity.create"]);
}

async fn an_edit_needs_the_newest_edition(db: &Db) {
    let id = create(db, 1, content()).await;
    for (saw, content, expected) in [
        (seen(1, 1), with_units(11, None), "ok"),
        (seen(1, 1), with_units(12, None), "edited_meanwhile"),
        (seen(1, 3), with_units(12, None), "edited_meanwhile"),
        (seen(2, 0), with_units(12, None), "edited_meanwhile"),
        (seen(1, 2), raffle(), "ok"),
    ] {
        assert_eq!(said(edit(db, id, ANN, saw, content).await), expected, "{saw:?}");
    }
    let version = db.version_find(id, 1).await.unwrap().unwrap();
    assert_eq!((version.content, version.edition), (raffle().placed(id, 1), 3));
    assert_eq!(said(edit(db, ActivityId(9), ANN, seen(1, 1), content()).await), "not_found");
}

async fn of_fifty_editors_one_wins(db: &Db) {
    let id = create(db, 1, content()).await;
    let editing = (0..50).map(|n| edit(db, id, ANN, seen(1, 1), with_units(20 + n, None)));
    let heard: Vec<_> = join_all(editing).await.into_iter().map(said).collect();
    assert_eq!(heard.iter().filter(|heard| **heard == "ok").count(), 1);
    assert_eq!(heard.iter().filter(|heard| **heard == "edited_meanwhile").count(), 49);
}

async fn the_review_is_somebody_elses(db: &Db) {
    let id = create(db, 1, content()).await;
    for (by, action, expected, then) in [
        (BOB, Action::Approve, "step_illegal", State::Editing),
        (ANN, Action::Submit, "ok", State::InReview),
        (ANN, Action::Submit, "step_illegal", State::InReview),
        (ANN, Action::Approve, "own_work", State::InReview),
        (ANN, Action::Refuse, "own_work", State::InReview),
        (BOB, Action::Withdraw, "not_author", State::InReview),
        (ANN, Action::Withdraw, "ok", State::Editing),
        (ANN, Action::Submit, "ok", State::InReview),
        (BOB, Action::Refuse, "ok", State::Refused),
        (ANN, Action::Submit, "step_illegal", State::Refused),
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
    assert_eq!(life(db, id).await, (State::Editing, 1));
    publish(db, id, 6).await;
    assert_eq!(life(db, id).await, (State::Approved, 1));
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

async fn a_version_that_is_published_is_immutable_and_the_next_is_reviewed_beside_it(db: &Db) {
    let id = create(db, 1, content()).await;
    publish(db, id, 0).await;
    assert_eq!(said(edit(db, id, ANN, seen(1, 1), with_units(11, None)).await), "edited_meanwhile");
    assert_eq!(said(db.activity_act(act(id, ANN, Action::Submit, 1)).await), "step_illegal");

    // The next version lives beside the one in place.
    edit(db, id, BOB, seen(2, 0), with_units(12, None)).await.unwrap();
    edit(db, id, BOB, seen(2, 1), with_units(13, None)).await.unwrap();
    let now = row(db, id).await;
    assert_eq!((now.live, now.draft.unwrap().number, now.life.state), (Some(1), 2, State::Approved));
    db.activity_act(act(id, BOB, Action::Submit, 1_500)).await.unwrap();
    assert_eq!(said(db.activity_act(act(id, BOB, Action::Approve, 1_500)).await), "own_work");
    assert_eq!(life(db, id).await, (State::Approved, 1), "still the first version's");
    db.activity_act(act(id, ANN, Action::Approve, 1_500)).await.unwrap();
    let now = row(db, id).await;
    assert_eq!((now.live, now.draft, now.life.state), (Some(2), None, State::Running));
    assert_eq!(db.published_find(id).await.unwrap().unwrap().content, with_units(13, None).placed(id, 2));
    assert_eq!(db.version_find(id, 1).await.unwrap().unwrap().content, content().placed(id, 1));
    let numbers: Vec<u32> =
        db.version_list(id, PageRequest::first(9)).await.unwrap().items.iter().map(|v| v.number).collect();
    assert_eq!(numbers, [2, 1]);

    // A window that moved into the future: it waits for its start again.
    edit(db, id, BOB, seen(3, 0), later(with_units(13, None), 5_000)).await.unwrap();
    db.activity_act(act(id, BOB, Action::Submit, 1_600)).await.unwrap();
    db.activity_act(act(id, ANN, Action::Approve, 1_600)).await.unwrap();
    assert_eq!(life(db, id).await, (State::Approved, 1));
}

async fn steps_that_do_not_exist_are_refused_by_name(db: &Db) {
    let id = create(db, 1, content()).await;
    for action in [Action::Close, Action::Pause, Action::Resume, Action::Reopen] {
        assert_eq!(said(db.activity_act(act(id, BOB, action, 0)).await), "step_illegal", "{action:?}");
    }
    publish(db, id, 0).await;
    for (action, after_ms, expected) in [
        (Action::Pause, 999, "step_illegal"),
        (Action::Resume, 1_000, "step_illegal"),
        (Action::Pause, 1_000, "ok"),
        (Action::Pause, 1_001, "step_illegal"),
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
    assert_eq!(life(db, id).await, (State::Closed, 2));
    assert_eq!(said(db.activity_act(act(ActivityId(9), BOB, Action::Close, 0)).await), "not_found");
    let late = create(db, 2, content()).await;
    assert_eq!(said(db.activity_act(act(late, ANN, Action::Submit, UNTIL_MS)).await), "window_over");
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
        db.carried(Carried { activity: id, step: row(db, id).await.step, ledger: MARK }).await.unwrap();
    }
    create(db, 6, content()).await;
    for (after_ms, page, walked, then) in [
        (999, 2, vec![], State::Approved),
        (1_000, 2, vec![1, 2, 3, 4, 5], State::Running),
        (1_001, 2, vec![], State::Running),
        (1_999, 2, vec![], State::Running),
        (2_000, 2, vec![1, 2, 3, 4, 5], State::Closed),
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
        assert!(db.carried(Carried { activity: ActivityId(n), step, ledger: MARK }).await.unwrap());
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
    assert_eq!(life(db, id).await, (State::Reopened, 2));
    walk(db, &fence, 999, 9).await;
    assert_eq!(life(db, id).await, (State::Reopened, 2));
    walk(db, &fence, 1_000, 9).await;
    assert_eq!(life(db, id).await, (State::Running, 2));

    // One whose whole window was missed ends without having run.
    let missed = create(db, 2, content()).await;
    publish(db, missed, 0).await;
    walk(db, &fence, 5_000, 9).await;
    assert_eq!(life(db, missed).await, (State::Closed, 1));
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
    assert_eq!(life(db, id).await, (State::Closed, 1));
    db.activity_act(act(id, BOB, Action::Reopen, 2_002)).await.unwrap();
    assert_eq!(life(db, id).await, (State::Reopened, 2));
}

async fn the_ledger_hears_of_every_step(db: &Db) {
    let id = create(db, 1, content()).await;
    assert!(db.carry_find(id).await.unwrap().is_none());
    publish(db, id, 0).await;
    let first = db.carry_find(id).await.unwrap().unwrap();
    assert_eq!((first.life.state, first.version, first.ledger), (State::Approved, 1, None));
    assert_eq!(first.content, content().placed(id, 1));
    assert!(!row(db, id).await.carried);

    // A step meanwhile: what the ledger has is known, and that it has yet to hear of more.
    db.activity_act(act(id, BOB, Action::Pause, 1_000)).await.unwrap();
    assert!(!db.carried(Carried { activity: id, step: first.step, ledger: MARK }).await.unwrap());
    let second = db.carry_find(id).await.unwrap().unwrap();
    assert_eq!((second.life.state, second.ledger, second.stock.len()), (State::Paused, Some(MARK), 0));
    assert!(second.step > first.step);
    let paused = LedgerMark { state: ActivityState::Paused, ..MARK };
    assert!(db.carried(Carried { activity: id, step: second.step, ledger: paused }).await.unwrap());
    assert!(db.carry_find(id).await.unwrap().is_none());
    assert!(row(db, id).await.carried);
}

async fn pools_are_opened_once_and_changed_by_differences(db: &Db) {
    let id = create(db, 1, content()).await;
    publish(db, id, 0).await;
    let (prize, entries) = (Part::Prize(prize_id(1)), Part::Entries);
    let changes = |stock: &[StockChange]| {
        stock
            .iter()
            .map(|change| (change.version, change.part, change.opens, change.units))
            .collect::<Vec<_>>()
    };
    let stock = db.carry_find(id).await.unwrap().unwrap().stock;
    assert_eq!(changes(&stock), [(1, entries, true, 100), (1, prize, true, 10)]);
    for (number, content, expected) in [
        (2, with_units(15, None), vec![(2, prize, false, 5)]),
        (3, with_units(15, Some(40)), vec![(3, entries, false, -60)]),
        (4, with_units(9, Some(40)), vec![(4, prize, false, -6)]),
    ] {
        let before = db.carry_find(id).await.unwrap().unwrap();
        let ledger = LedgerMark { version: number - 1, ..MARK };
        assert!(db.carried(Carried { activity: id, step: before.step, ledger }).await.unwrap());
        edit(db, id, ANN, seen(number, 0), content).await.unwrap();
        publish(db, id, i64::from(number)).await;
        assert_eq!(changes(&db.carry_find(id).await.unwrap().unwrap().stock), expected, "{number}");
    }
    // Versions that follow each other faster than they are carried are carried together, in order.
    edit(db, id, ANN, seen(5, 0), with_units(20, Some(40))).await.unwrap();
    publish(db, id, 5).await;
    let stock = db.carry_find(id).await.unwrap().unwrap().stock;
    assert_eq!(changes(&stock), [(4, prize, false, -6), (5, prize, false, 11)]);
}

async fn lists_are_by_state_and_name(db: &Db) {
    for n in 1..=4 {
        let mut content = content();
        let mut draft = content.configuration.draft();
        draft.name = format!("Wheel_{n}%");
        content.configuration = draft.check().unwrap();
        create(db, n, content).await;
    }
    publish(db, ActivityId(2), 0).await;
    let search = |state, text: &str| ActivitySearch { state, text: text.to_owned() };
    for (search, limit, expected, next) in [
        (search(None, ""), 3, vec![4, 3, 2], Some(2)),
        (search(None, "wheel_3"), 9, vec![3], None),
        (search(None, "%"), 9, vec![4, 3, 2, 1], None),
        (search(None, "wheelx3"), 9, vec![], None),
        (search(Some(State::Approved), ""), 9, vec![2], None),
        (search(Some(State::Editing), "_1"), 9, vec![1], None),
        (search(Some(State::Closed), ""), 9, vec![], None),
    ] {
        let page = db.activity_list(search.clone(), PageRequest::first(limit)).await.unwrap();
        let ids: Vec<i64> = page.items.iter().map(|row| row.id.0).collect();
        assert_eq!((ids, page.next), (expected, next), "{search:?}");
    }
    let published = db.published_list(PageRequest::first(9)).await.unwrap();
    assert_eq!(published.items.iter().map(|row| row.id.0).collect::<Vec<_>>(), [2]);
}

async fn secrets_are_never_replaced(db: &Db) {
    let id = create(db, 1, content()).await;
    publish(db, id, 0).await;
    let first = db.secret_list(id).await.unwrap();
    assert_eq!((first[0].round, first[0].version, first[0].revealed_at), (1, 1, None));
    assert_eq!(first[0].strategy, content().placed(id, 1).plan.hash());
    db.activity_act(act(id, BOB, Action::Close, 10)).await.unwrap();
    db.activity_act(act(id, BOB, Action::Reopen, 20)).await.unwrap();
    edit(db, id, ANN, seen(2, 0), with_units(11, None)).await.unwrap();
    publish(db, id, 30).await;
    let all = db.secret_list(id).await.unwrap();
    let places: Vec<_> = all.iter().map(|secret| (secret.round, secret.version)).collect();
    assert_eq!(places, [(1, 1), (2, 1), (2, 2)]);
    assert_eq!(all[0], first[0]);
    let commitments: Vec<_> = all.iter().map(|secret| secret.commitment.0).collect();
    assert!(commitments[0] != commitments[1] && commitments[1] != commitments[2]);
    assert_eq!(db.published_find(id).await.unwrap().unwrap().commitment, all[2].commitment);
}

fn opened(activity: ActivityId) -> Play {
    let (from, until) = (T0 - 1, T0 + 1_000);
    let limits = ChanceLimits { total: 1, month: 0, day: 0 };
    let terms = Terms { version: 1, from, until, entries: None, limits, begin: None };
    let (key, note) = (Key::of("activity", activity.0, "open"), Note::default());
    Play::ActivityOpen { key, activity, round: 1, terms, note }
}

fn tell(ledger: &mut Life, play: Play) {
    let answer = ledger.tell(Command::Play(play));
    assert!(matches!(answer, Answer::Accepted { .. }), "{answer:?}");
}

/// Only once the ledger's rows say that the round is closed and no ticket of it is open; a raffle's not even then.
async fn secrets_are_revealed_when_the_round_is_over(db: &Db) {
    let fence = fence(db).await;
    for (n, content) in [(1, content()), (2, content()), (3, raffle())] {
        let id = create(db, n, content).await;
        publish(db, id, 0).await;
        db.activity_act(act(id, BOB, Action::Close, 1)).await.unwrap();
    }
    let reveal = |audit| db.secrets_reveal(fence.clone(), signed(Actor::System, audit));
    assert_eq!(reveal(1).await.unwrap(), None, "the ledger has not closed them");
    let mut ledger = Life::of(Vec::new());
    for n in [1, 2, 3] {
        tell(&mut ledger, opened(ActivityId(n)));
    }
    let ticket = Key::of("ticket", 7, "t");
    let (activity, user, draws) = (ActivityId(1), UserId(7), Draws::new(1).unwrap());
    let day = Day { number: 20_231_114, from: T0 - 1, until: T0 + 1_000 };
    tell(&mut ledger, Play::Take { key: ticket, activity, round: 1, user, draws, day });
    for n in [1, 3] {
        let (key, activity) = (Key::of("activity", n, "close"), ActivityId(n));
        let (state, note) = (ActivityState::Closed, Note::default());
        tell(&mut ledger, Play::ActivityState { key, activity, state, note });
    }
    db.ledger_project(ledger.events.clone()).await.unwrap();
    assert_eq!(reveal(2).await.unwrap(), None, "a ticket is open");
    let settlement = Settlement::new(b"a miss").unwrap();
    tell(&mut ledger, Play::Settle { ticket, takes: Vec::new(), settlement });
    db.ledger_project(ledger.events.clone()).await.unwrap();
    assert_eq!(reveal(3).await.unwrap(), Some((ActivityId(1), 1)));
    assert_eq!(reveal(4).await.unwrap(), None);
    for (n, revealed) in [(1, Some(T0)), (2, None), (3, None)] {
        assert_eq!(db.secret_list(ActivityId(n)).await.unwrap()[0].revealed_at, revealed, "{n}");
    }
    assert_eq!(audited(db, "activity:1").await.iter().filter(|told| *told == "activity.reveal").count(), 1);
}
