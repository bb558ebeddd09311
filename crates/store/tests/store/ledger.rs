//! The ledger's projection, row by row: exactly once, what is refused, and what can be asked.

use domain::ledger::{Act, Change, Event, HoldState, LineView, PoolState, Stored};
use domain::page::{Page, PageRequest};
use store::failure::{Failure, Result};
use store::model::*;
use store::{Db, params};

use crate::fixtures::*;
use crate::ledger_fixtures::*;

on_both! {
    an_empty_projection_is_an_empty_ledger,
    a_batch_is_projected_once,
    a_gap_and_an_old_term_are_refused,
    a_batch_that_fails_half_way_leaves_nothing,
    events_that_do_not_fit_are_a_fault,
    a_round_that_does_not_add_up_is_refused,
    a_hold_is_found_open_ended_and_spent,
    a_hold_made_and_ended_in_one_batch_is_written_once,
    a_hold_has_a_life,
    a_hold_is_found_eras_later,
    an_id_stands_for_one_thing,
    an_old_round_is_loaded_for_its_holds,
    movements_are_paged_newest_first,
    pools_are_paged_newest_first,
    small_batches_share_a_row_of_fingerprints,
    two_ids_with_one_fingerprint_are_told_apart,
}

/// A fault's story; anything else fails the test.
fn fault<T: std::fmt::Debug>(outcome: Result<T>) -> String {
    match outcome {
        Err(Failure::Fault(fault)) => fault.story(),
        other => panic!("{other:?}"),
    }
}

async fn run(db: &Db, sql: &'static str) -> Result<u64> {
    db.write(sql, |tx, sql| Box::pin(async move { tx.execute(sql, params![]).await })).await
}

async fn count(db: &Db, sql: &'static str) -> i64 {
    db.read(sql, |tx, sql| Box::pin(async move { tx.count(sql, params![]).await })).await.unwrap()
}

/// A pool of ten and three holds: one open, one confirmed in part, one cancelled.
fn three_holds() -> Life {
    Life::of(vec![
        open("o", pool(0), 1, 10),
        reserve(1, Some(1), vec![line(pool(0), 2)]),
        reserve(2, Some(1), vec![line(pool(0), 3)]),
        reserve(3, None, vec![line(pool(0), 4)]),
        confirm(2, Some(vec![line(pool(0), 1)])),
        cancel(3),
    ])
}

fn counters(view: &domain::ledger::PoolView) -> [u64; 4] {
    [view.total, view.available, view.held, view.taken]
}

async fn an_empty_projection_is_an_empty_ledger(db: &Db) {
    let image = db.ledger_load().await.unwrap();
    let ledger = image.restore(LIMITS).unwrap();
    assert_eq!((ledger.seq(), ledger.term(), ledger.sizes()), (0, 0, (0, 0)));
    assert_eq!(db.ledger_project(vec![]).await.unwrap().seq, 0);
    assert_eq!(db.hold_find(hold(1)).await.unwrap(), HoldLookUp { position: 0, hold: None });
    assert_eq!(db.hold_life(hold(1)).await.unwrap(), []);
    assert_eq!(db.pool_find(pool(0)).await.unwrap(), None);
    assert_eq!(db.movements(None, PageRequest::default()).await.unwrap().items, []);
}

async fn a_batch_is_projected_once(db: &Db) {
    let life = three_holds();
    let (first, all) = (life.events[..4].to_vec(), life.events.clone());
    for (batch, reached) in [(&first, 4), (&first, 4), (&all, 7), (&first, 7), (&all, 7)] {
        let position = db.ledger_project(batch.clone()).await.unwrap();
        assert_eq!((position.seq, position.term, position.at), (reached, 1, T0));
    }
    let view = db.pool_find(pool(0)).await.unwrap().unwrap().view;
    assert_eq!(Some(view), life.ledger.pool(pool(0)));
    assert_eq!(counters(&view), [10, 7, 2, 1]);
    assert_eq!(count(db, "SELECT COUNT(*) FROM movements").await, 6);
    assert_eq!(count(db, "SELECT units FROM pool_owners").await, 3, "two held and one taken, by one owner");
}

async fn a_gap_and_an_old_term_are_refused(db: &Db) {
    let mut life = three_holds();
    let story = fault(db.ledger_project(life.events[1..].to_vec()).await);
    assert_eq!(story, "the projection has reached event 0, but the batch goes on at 2");
    let mut shuffled = life.events.clone();
    shuffled.swap(2, 3);
    assert_eq!(fault(db.ledger_project(shuffled).await), "a batch of events that is not in order");
    db.ledger_project(life.events.clone()).await.unwrap();

    // Somebody took over; the one before goes on under its old term.
    let late = Event { seq: 8, ..life.events[6].clone() };
    life.begin_term();
    db.ledger_project(life.events.clone()).await.unwrap();
    let later = Event { seq: 9, ..late.clone() };
    for batch in [vec![late.clone(), later.clone()], vec![later], vec![late]] {
        assert_eq!(said(db.ledger_project(batch).await), "lease_lost");
    }
    assert_eq!(db.ledger_position().await.unwrap().seq, 8);
    assert_eq!(said(db.ledger_project(life.events.clone()).await), "ok", "a repetition is not a fight");
}

/// A row in the way of the batch's last statements.
async fn a_batch_that_fails_half_way_leaves_nothing(db: &Db) {
    let life = three_holds();
    run(db, "INSERT INTO movements VALUES (6, 0, 0, 1, 1, 'opened', 0, 0, 0, 0, NULL, NULL, NULL, 0)")
        .await
        .unwrap();
    fault(db.ledger_project(life.events.clone()).await);
    assert_eq!(count(db, "SELECT COUNT(*) FROM holds").await, 0);
    assert_eq!(count(db, "SELECT COUNT(*) FROM pool_rounds").await, 0);
    assert_eq!(db.ledger_position().await.unwrap().seq, 0);
    run(db, "DELETE FROM movements").await.unwrap();
    db.ledger_project(life.events.clone()).await.unwrap();
    assert_eq!(db.pool_find(pool(0)).await.unwrap().map(|pool| pool.view), life.ledger.pool(pool(0)));
}

async fn events_that_do_not_fit_are_a_fault(db: &Db) {
    let life = three_holds();
    db.ledger_project(life.events[..5].to_vec()).await.unwrap();
    let again = |of: usize| Event { seq: 6, ..life.events[of].clone() };
    let mut too_many = again(5);
    if let Change::Confirmed { taken, .. } = &mut too_many.change {
        *taken = vec![4];
    }
    let mut no_such_pool = again(1);
    if let Change::Directed { act: Act::PoolOpen { round, .. }, .. } = &mut no_such_pool.change {
        *round = 1;
    }
    let double_end = vec![again(5), Event { seq: 7, ..life.events[5].clone() }];
    for (batch, expected) in [
        (vec![too_many], "event 6 takes more than was held"),
        (double_end, "event 7 is about a hold that is not open"),
        (vec![no_such_pool], "refuses: INSERT INTO pool_rounds"),
    ] {
        let story = fault(db.ledger_project(batch).await);
        assert!(story.contains(expected), "{story}");
    }
    assert_eq!(db.ledger_position().await.unwrap().seq, 5);
    db.ledger_project(life.events[5..].to_vec()).await.unwrap();
}

async fn a_round_that_does_not_add_up_is_refused(db: &Db) {
    db.ledger_project(three_holds().events).await.unwrap();
    for sql in [
        "UPDATE pool_rounds SET available = available + 1",
        "UPDATE pool_rounds SET total = total - 1",
        "UPDATE pool_rounds SET available = -1, held = held + available + 1",
        "UPDATE pool_owners SET units = 0",
        "UPDATE hold_lines SET taken = units + 1",
        "UPDATE holds SET state = 'confirmed' WHERE state = 'held'",
        "UPDATE movements SET delta_taken = delta_taken + 1",
    ] {
        let story = fault(run(db, sql).await);
        assert!(story.to_lowercase().contains("check"), "{story}");
    }
    // What the database cannot see, starting a ledger does.
    run(db, "UPDATE pool_rounds SET held = held + 1, available = available - 1").await.unwrap();
    let image = db.ledger_load().await.unwrap();
    let story = image.restore(LIMITS).unwrap_err().story();
    assert!(story.contains("counts 3 units as held, its holds hold 2"), "{story}");
}

async fn a_hold_is_found_open_ended_and_spent(db: &Db) {
    let mut life = three_holds();
    life.tell(cancel(4));
    db.ledger_project(life.events[..5].to_vec()).await.unwrap();
    db.ledger_project(life.events[5..].to_vec()).await.unwrap();
    for (n, state, spent, units, taken, owner, ended) in [
        (1, HoldState::Held, false, 2, 0, Some("owner 1"), None),
        (2, HoldState::Confirmed, false, 3, 1, Some("owner 1"), Some((6, T0))),
        (3, HoldState::Cancelled, false, 4, 0, None, Some((7, T0))),
        (4, HoldState::Cancelled, true, 0, 0, None, Some((8, T0))),
    ] {
        let HoldLookUp { position, hold: found } = db.hold_find(hold(n)).await.unwrap();
        let found = found.unwrap();
        assert_eq!(
            (position, found.view.key, found.id.as_str(), found.caller),
            (8, hold(n), &*format!("h{n}"), CALLER)
        );
        assert_eq!(
            (found.view.state, found.spent, found.owner.as_deref(), found.ended),
            (state, spent, owner, ended)
        );
        let lines = if spent { vec![] } else { vec![LineView { pool: pool(0), round: 1, units, taken }] };
        assert_eq!(found.view.lines, lines);
    }
    assert_eq!(db.hold_find(hold(5)).await.unwrap().hold, None);
}

async fn a_hold_made_and_ended_in_one_batch_is_written_once(db: &Db) {
    let mut life = three_holds();
    life.tell(extend(1, T0 + 900));
    life.tell(confirm(1, None));
    db.ledger_project(life.events.clone()).await.unwrap();
    let found = db.hold_find(hold(1)).await.unwrap().hold.unwrap();
    assert_eq!(Some(found.view), life.ledger.hold(hold(1)));
    assert_eq!(count(db, "SELECT COUNT(*) FROM holds WHERE state = 'held'").await, 0);
    let image = db.ledger_load().await.unwrap();
    assert_eq!((image.holds.len(), image.finished.len()), (0, 4), "three holds and the opening");
}

async fn a_hold_has_a_life(db: &Db) {
    let mut life = three_holds();
    life.clock = T0 + 100;
    life.tell(extend(1, T0 + 900));
    life.tell(extend(1, T0 + 950));
    life.tell(cancel(4));
    life.clock = T0 + 2_000;
    life.tell(domain::ledger::Command::ExpireOne);
    for event in &life.events {
        db.ledger_project(vec![event.clone()]).await.unwrap();
    }
    let step = |seq, at, what| LifeStep { seq, at: T0 + at, what };
    for (n, expected) in [
        (
            1,
            vec![
                step(3, 0, LifeChange::Reserved { due: T0 + 500 }),
                step(8, 100, LifeChange::Extended { due: T0 + 900 }),
                step(9, 100, LifeChange::Extended { due: T0 + 950 }),
                step(11, 2_000, LifeChange::Expired),
            ],
        ),
        (2, vec![step(4, 0, LifeChange::Reserved { due: T0 + 500 }), step(6, 0, LifeChange::Confirmed)]),
        (3, vec![step(5, 0, LifeChange::Reserved { due: T0 + 500 }), step(7, 0, LifeChange::Cancelled)]),
        (4, vec![step(10, 100, LifeChange::Spent)]),
        (5, vec![]),
    ] {
        assert_eq!(db.hold_life(hold(n)).await.unwrap(), expected);
    }
}

/// As if millions of events lay between them.
async fn a_hold_is_found_eras_later(db: &Db) {
    let mut life = three_holds();
    for (n, by) in [(4, None), (5, Some(2)), (6, None)] {
        life.tell(reserve(n, by, vec![line(pool(0), 1)]));
    }
    let made = life.events.len();
    life.tell(extend(1, T0 + 900));
    life.tell(confirm(4, None));
    life.tell(cancel(5));
    life.clock = T0 + 600;
    life.tell(domain::ledger::Command::ExpireOne);
    db.ledger_project(life.events[..made].to_vec()).await.unwrap();
    run(db, "UPDATE ledger_position SET seq = seq + 131072 * 5").await.unwrap();
    let late = life.events[made..].iter().map(|event| Event { seq: event.seq + 5 * ERA, ..event.clone() });
    db.ledger_project(late.collect()).await.unwrap();
    for n in 1..=6 {
        let found = db.hold_find(hold(n)).await.unwrap().hold.map(|stored| stored.view);
        assert_eq!(found, life.ledger.hold(hold(n)), "{n}");
    }
    let open: Vec<_> = db.ledger_load().await.unwrap().holds.iter().map(|hold| hold.key).collect();
    assert_eq!(open, [hold(1)]);
    assert_eq!(db.pool_find(pool(0)).await.unwrap().map(|pool| pool.view), life.ledger.pool(pool(0)));
}

async fn an_id_stands_for_one_thing(db: &Db) {
    let mut life = three_holds();
    life.tell(cancel(4));
    life.tell(adjust("more", pool(0), 5));
    db.ledger_project(life.events.clone()).await.unwrap();
    let now = life.ledger.pool(pool(0)).unwrap();
    for (key, expected) in [
        (hold(1), "open"),
        (hold(2), "ended"),
        (hold(4), "spent"),
        (hold(5), "nothing"),
        (domain::ledger::Key::of("pool", CALLER, "more"), "pool"),
        (domain::ledger::Key::of("pool", CALLER, "less"), "nothing"),
    ] {
        let IdLookUp { position, stored } = db.id_find(key).await.unwrap();
        let got = match stored {
            Some(Stored::Hold { view, .. }) if view.state == HoldState::Held => "open",
            Some(Stored::Hold { .. }) => "ended",
            Some(Stored::Spent) => "spent",
            Some(Stored::Directive { outcome, .. }) if outcome == domain::ledger::Effect::Pool(now) => "pool",
            Some(Stored::Directive { .. }) => "another pool",
            Some(Stored::Ticket { .. }) => "ticket",
            None => "nothing",
        };
        assert_eq!((position, got), (9, expected));
    }
}

async fn an_old_round_is_loaded_for_its_holds(db: &Db) {
    let life = Life::of(vec![
        open("1", pool(0), 1, 10),
        reserve(1, Some(1), vec![line(pool(0), 2)]),
        set_state("c1", pool(0), PoolState::Closed),
        open("2", pool(0), 2, 20),
        set_state("c2", pool(0), PoolState::Closed),
        open("3", pool(0), 3, 30),
        reserve(2, Some(1), vec![line(pool(0), 3)]),
    ]);
    db.ledger_project(life.events.clone()).await.unwrap();
    let image = db.ledger_load().await.unwrap();
    let rounds: Vec<_> =
        image.rounds.iter().map(|round| (round.view.round, round.current, round.owners.len())).collect();
    assert_eq!(rounds, [(3, true, 1), (1, false, 1)], "round 2 is nobody's");
    let mut restored = image.restore(LIMITS).unwrap();
    let mut original = life.ledger.clone();
    for ledger in [&mut restored, &mut original] {
        ledger.apply(life.clock, &confirm(1, None));
        ledger.apply(life.clock, &cancel(2));
        ledger.assert_sound();
    }
    assert_eq!(restored.hold(hold(1)), original.hold(hold(1)));
    assert_eq!(restored.pool(pool(0)), original.pool(pool(0)));
}

async fn movements_are_paged_newest_first(db: &Db) {
    let life = Life::of(vec![
        open("a", pool(0), 1, 10),
        open("b", pool(1), 1, 10),
        reserve(1, None, vec![line(pool(0), 2), line(pool(1), 3)]),
        confirm(1, Some(vec![line(pool(1), 1)])),
        set_state("f", pool(0), PoolState::Frozen),
    ]);
    db.ledger_project(life.events).await.unwrap();
    for (of, limit, expected) in [
        (
            None,
            3,
            vec![
                "6.0 frozen",
                "5.1 confirmed",
                "5.0 confirmed",
                "4.1 reserved",
                "4.0 reserved",
                "3.0 opened",
                "2.0 opened",
            ],
        ),
        (
            None,
            2,
            vec![
                "6.0 frozen",
                "5.1 confirmed",
                "5.0 confirmed",
                "4.1 reserved",
                "4.0 reserved",
                "3.0 opened",
                "2.0 opened",
            ],
        ),
        (Some(pool(1)), 2, vec!["5.1 confirmed", "4.1 reserved", "3.0 opened"]),
        (Some(pool(1)), 1, vec!["5.1 confirmed", "4.1 reserved", "3.0 opened"]),
        (Some(pool(7)), 2, vec![]),
    ] {
        let (mut page, mut seen) = (PageRequest::first(limit), Vec::new());
        loop {
            let found = db.movements(of, page).await.unwrap();
            seen.extend(found.items.into_iter().map(|m| format!("{}.{} {}", m.seq, m.line, m.kind.name())));
            match found.next {
                Some(_) => page.after = found.next,
                None => break,
            }
        }
        assert_eq!(seen, expected, "{of:?} by {limit}");
    }
    let newest = db.movements(Some(pool(1)), PageRequest::first(2)).await.unwrap().items;
    let delta = |total, available, held, taken| Delta { total, available, held, taken };
    assert_eq!((newest[0].delta, newest[0].hold), (delta(0, 2, -3, 1), Some(4)));
    assert_eq!((newest[1].delta, newest[1].hold), (delta(0, -3, 3, 0), Some(4)));
    let first = db.movements(Some(pool(0)), PageRequest::default()).await.unwrap().items.remove(3);
    assert_eq!(
        (first.delta, first.owner_max, first.note.as_deref(), first.by),
        (delta(10, 10, 0, 0), Some(0), Some("first stock"), 77)
    );
}

async fn pools_are_paged_newest_first(db: &Db) {
    let opened = (0..5).map(|n| open(&format!("{n}"), pool(n), 1, n)).collect();
    db.ledger_project(Life::of(opened).events).await.unwrap();
    let everything = PoolSearch::default;
    let page = db.pool_list(everything(), PageRequest::first(2)).await.unwrap();
    let totals = |page: &Page<NamedPool>| page.items.iter().map(|pool| pool.view.total).collect::<Vec<_>>();
    assert_eq!(totals(&page), [4, 3]);
    let rest = db.pool_list(everything(), PageRequest { limit: 3, after: page.next }).await.unwrap();
    assert_eq!((totals(&rest), rest.next), (vec![2, 1, 0], None));
    assert_eq!(rest.items[0].name, name(pool(2)).as_str());
    for (under, text, expected) in [
        ("inventory/", "", vec![4, 3, 2, 1, 0]),
        ("Inventory/SHOP_", "TEA", vec![4, 3, 2, 1, 0]),
        ("shop", "", vec![]),
        ("", &format!("shop_{}/", pool(3).0), vec![3]),
        ("", "shop%", vec![]),
        ("inventoryx", "", vec![]),
        ("", "\\", vec![]),
    ] {
        let search = PoolSearch { under: under.to_owned(), text: text.to_owned() };
        let found = db.pool_list(search, PageRequest::default()).await.unwrap();
        assert_eq!(totals(&found), expected, "{under} {text}");
    }
}

async fn small_batches_share_a_row_of_fingerprints(db: &Db) {
    let mut life = Life::of(vec![open("o", pool(0), 1, 10)]);
    (0..700).for_each(|n| {
        life.tell(cancel(n));
    });
    for batch in life.events.chunks(7) {
        db.ledger_project(batch.to_vec()).await.unwrap();
    }
    let mut finished = db.ledger_load().await.unwrap().finished;
    let mut expected: Vec<u64> = (0..700).map(|n| hold(n).fingerprint()).collect();
    expected.push(domain::ledger::Key::of("pool", CALLER, "o").fingerprint());
    finished.sort_unstable();
    expected.sort_unstable();
    assert_eq!(finished, expected);
    assert_eq!(count(db, "SELECT COUNT(*) FROM finished_ids").await, 2, "512 to a row");
}

async fn two_ids_with_one_fingerprint_are_told_apart(db: &Db) {
    let mut life = three_holds();
    let twin = domain::ledger::Key(hold(1).0 ^ 1);
    assert_eq!(twin.fingerprint(), hold(1).fingerprint());
    let mut command = reserve(7, None, vec![line(pool(0), 1)]);
    if let domain::ledger::Command::Reserve { key, .. } = &mut command {
        *key = twin;
    }
    life.tell(command);
    life.tell(confirm(1, None));
    db.ledger_project(life.events[..8].to_vec()).await.unwrap();
    db.ledger_project(life.events[8..].to_vec()).await.unwrap();
    for key in [twin, hold(1)] {
        assert_eq!(db.hold_find(key).await.unwrap().hold.map(|stored| stored.view), life.ledger.hold(key));
    }
}
