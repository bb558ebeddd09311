//! Activities as they are written: versions and editions, and how they are listed.

use domain::activity::{Action, Life as Standing, LifeState};
use domain::ids::{ActivityId, TreeId};
use domain::page::PageRequest;
use futures::future::join_all;
use store::Db;
use store::model::*;

use crate::activity_fixtures::*;
use crate::fixtures::*;

on_both! {
    what_was_written_is_read_again,
    an_edit_needs_the_newest_edition,
    of_fifty_editors_one_wins,
    a_version_that_is_published_is_immutable_and_the_next_is_reviewed_beside_it,
    lists_are_by_state_and_name,
    what_ended_is_found_by_its_end,
    what_is_not_published_is_taken_back,
    a_tree_knows_who_asks_it,
}

async fn what_was_written_is_read_again(db: &Db) {
    for (id, content) in [(1, content()), (2, raffle()), (3, with_units(4, None))] {
        let id = create(db, id, content.clone()).await;
        let version = db.version_find(id, 1).await.unwrap().unwrap();
        assert_eq!(version.content, content.placed(id, 1));
        assert_eq!(
            (version.review, version.edition, version.made),
            (LifeState::Editing, 1, (Actor::Person(ANN), T0))
        );
        let row = row(db, id).await;
        assert_eq!(row.draft, Some(Making { number: 1, edition: 1, review: LifeState::Editing }));
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

async fn a_version_that_is_published_is_immutable_and_the_next_is_reviewed_beside_it(db: &Db) {
    let id = create(db, 1, content()).await;
    publish(db, id, 0).await;
    assert_eq!(said(edit(db, id, ANN, seen(1, 1), with_units(11, None)).await), "edited_meanwhile");
    assert_eq!(said(db.activity_act(act(id, ANN, Action::Submit, 1)).await), "step_illegal");

    // The next version lives beside the one in place.
    edit(db, id, BOB, seen(2, 0), with_units(12, None)).await.unwrap();
    edit(db, id, BOB, seen(2, 1), with_units(13, None)).await.unwrap();
    let now = row(db, id).await;
    assert_eq!((now.live, now.draft.unwrap().number, now.life.state), (Some(1), 2, LifeState::Approved));
    db.activity_act(act(id, BOB, Action::Submit, 1_500)).await.unwrap();
    assert_eq!(said(db.activity_act(act(id, BOB, Action::Approve, 1_500)).await), "own_work");
    assert_eq!(life(db, id).await, (LifeState::Approved, 1), "still the first version's");
    db.activity_act(act(id, ANN, Action::Approve, 1_500)).await.unwrap();
    let now = row(db, id).await;
    assert_eq!((now.live, now.draft, now.life.state), (Some(2), None, LifeState::Running));
    assert_eq!(db.published_find(id).await.unwrap().unwrap().content, with_units(13, None).placed(id, 2));
    assert_eq!(db.version_find(id, 1).await.unwrap().unwrap().content, content().placed(id, 1));
    let numbers: Vec<u32> =
        db.version_list(id, PageRequest::first(9)).await.unwrap().items.iter().map(|v| v.number).collect();
    assert_eq!(numbers, [2, 1]);

    // A window that moved into the future: it waits for its start again.
    edit(db, id, BOB, seen(3, 0), later(with_units(13, None), 5_000)).await.unwrap();
    db.activity_act(act(id, BOB, Action::Submit, 1_600)).await.unwrap();
    db.activity_act(act(id, ANN, Action::Approve, 1_600)).await.unwrap();
    assert_eq!(life(db, id).await, (LifeState::Approved, 1));
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
    let search =
        |state, text: &str| ActivitySearch { state, text: text.to_owned(), now: T0, ended_from: None };
    let at = |now, state| ActivitySearch { state: Some(state), now: T0 + now, ..ActivitySearch::default() };
    for (search, limit, expected, next) in [
        (search(None, ""), 3, vec![4, 3, 2], Some(2)),
        (search(None, "wheel_3"), 9, vec![3], None),
        (search(None, "%"), 9, vec![4, 3, 2, 1], None),
        (search(None, "wheelx3"), 9, vec![], None),
        (search(Some(LifeState::Approved), ""), 9, vec![2], None),
        (search(Some(LifeState::Editing), "_1"), 9, vec![1], None),
        (search(Some(LifeState::Closed), ""), 9, vec![], None),
        // By the clock, though nobody has carried the start or the end out.
        (at(FROM_MS - 1, LifeState::Approved), 9, vec![2], None),
        (at(FROM_MS - 1, LifeState::Running), 9, vec![], None),
        (at(FROM_MS, LifeState::Running), 9, vec![2], None),
        (at(FROM_MS, LifeState::Approved), 9, vec![], None),
        (at(UNTIL_MS - 1, LifeState::Running), 9, vec![2], None),
        (at(UNTIL_MS, LifeState::Running), 9, vec![], None),
        (at(UNTIL_MS, LifeState::Closed), 9, vec![2], None),
    ] {
        let page = db.activity_list(search.clone(), PageRequest::first(limit)).await.unwrap();
        let ids: Vec<i64> = page.items.iter().map(|row| row.id.0).collect();
        assert_eq!((ids, page.next), (expected, next), "{search:?}");
    }
    let published = db.published_list(PageRequest::first(9)).await.unwrap();
    assert_eq!(published.items.iter().map(|row| row.id.0).collect::<Vec<_>>(), [2]);
}

async fn what_ended_is_found_by_its_end(db: &Db) {
    for id in 1..=3 {
        create(db, id, content()).await;
        publish(db, ActivityId(id), 0).await;
    }
    // By hand, and by a job that came late.
    db.activity_act(act(ActivityId(1), ANN, Action::Close, 1_400)).await.unwrap();
    let fence = fence(db).await;
    let tick = |at| AuditStamp { at: T0 + at, ..signed(Actor::System, 77) };
    assert!(db.activity_tick(fence, ActivityId(2), tick(UNTIL_MS + 500)).await.unwrap());
    assert_eq!(row(db, ActivityId(1)).await.ended, Some(T0 + 1_400));
    assert_eq!(row(db, ActivityId(2)).await.ended, Some(T0 + UNTIL_MS), "not when the job came");
    for (from, now, expected) in [
        (1_400, 1_500, vec![2, 1]),
        (1_401, 1_500, vec![2]),
        (UNTIL_MS, UNTIL_MS, vec![3, 2]),
        (UNTIL_MS + 1, UNTIL_MS, vec![]),
    ] {
        let search =
            ActivitySearch { ended_from: Some(T0 + from), now: T0 + now, ..ActivitySearch::default() };
        let page = db.activity_list(search, PageRequest::first(9)).await.unwrap();
        let ids: Vec<i64> = page.items.iter().map(|row| row.id.0).collect();
        assert_eq!(ids, expected, "ended from {from} on, seen at {now}");
    }
    db.activity_act(act(ActivityId(1), ANN, Action::Reopen, 1_600)).await.unwrap();
    assert_eq!(row(db, ActivityId(1)).await.ended, None, "another round");
}

fn discard(id: ActivityId, edition: u32, audit: i64) -> ActivityDiscard {
    ActivityDiscard { id, edition, once: None, signed: signed(Actor::Person(ANN), audit) }
}

async fn what_is_not_published_is_taken_back(db: &Db) {
    let id = create(db, 1, content()).await;
    edit(db, id, ANN, seen(1, 1), with_units(11, None)).await.unwrap();
    assert_eq!(said(db.activity_discard(discard(id, 1, 901)).await), "edited_meanwhile");
    db.activity_act(act(id, ANN, Action::Submit, 100)).await.unwrap();
    assert_eq!(said(db.activity_discard(discard(id, 2, 902)).await), "step_illegal", "in review");
    db.activity_act(act(id, BOB, Action::Refuse, 200)).await.unwrap();
    db.activity_discard(discard(id, 2, 903)).await.unwrap();
    assert_eq!(db.activity_find(id).await.unwrap(), None);
    assert_eq!(db.version_find(id, 1).await.unwrap(), None);
    assert_eq!(said(db.activity_discard(discard(id, 2, 904)).await), "not_found");

    // A published one goes on as it is.
    let id = create(db, 2, content()).await;
    publish(db, id, 0).await;
    assert_eq!(said(db.activity_discard(discard(id, 1, 905)).await), "step_illegal", "nothing in the making");
    edit(db, id, ANN, seen(2, 0), with_units(12, None)).await.unwrap();
    db.activity_discard(discard(id, 1, 906)).await.unwrap();
    let now = row(db, id).await;
    assert_eq!((now.live, now.draft, now.life.state), (Some(1), None, LifeState::Approved));
    edit(db, id, ANN, seen(2, 0), with_units(13, None)).await.unwrap();
    assert_eq!(row(db, id).await.draft.map(|draft| (draft.number, draft.edition)), Some((2, 1)));
}

async fn a_tree_knows_who_asks_it(db: &Db) {
    create(db, 1, raffle()).await;
    let id = create(db, 2, raffle()).await;
    publish(db, id, 0).await;
    edit(db, id, ANN, seen(2, 0), content()).await.unwrap();
    let uses = db.tree_uses(TreeId(9), 9).await.unwrap();
    let told: Vec<_> = uses.iter().map(|one| (one.activity.0, one.version, one.live)).collect();
    assert_eq!(told, [(2, 1, true), (1, 1, false)]);
    assert_eq!(db.tree_uses(TreeId(9), 1).await.unwrap().len(), 1);
    assert_eq!(db.tree_uses(TreeId(8), 9).await.unwrap(), []);
}
