//! What the ledger has yet to hear of activities, and their secrets.

use domain::activity::{Action, LifeState, PoolUse};
use domain::ids::ActivityId;
use domain::ledger::play::{ActivityState, ChanceLimits, Terms};
use domain::ledger::{Act, Answer, Command, Key, Note};
use store::Db;
use store::model::*;

use crate::activity_fixtures::*;
use crate::fixtures::*;
use crate::ledger_fixtures::Life;

on_both! {
    the_ledger_hears_of_every_step,
    pools_are_opened_once_and_changed_by_differences,
    secrets_are_never_replaced,
    secrets_are_revealed_when_the_round_is_over,
}

async fn the_ledger_hears_of_every_step(db: &Db) {
    let id = create(db, 1, content()).await;
    assert!(db.carry_find(id).await.unwrap().is_none());
    publish(db, id, 0).await;
    let first = db.carry_find(id).await.unwrap().unwrap();
    assert_eq!((first.life.state, first.version, first.ledger), (LifeState::Approved, 1, None));
    assert_eq!(first.content, content().placed(id, 1));
    assert!(!row(db, id).await.carried);

    // A step meanwhile: what the ledger has is known, and that it has yet to hear of more.
    db.activity_act(act(id, BOB, Action::Pause, 1_000)).await.unwrap();
    assert!(!db.ledger_synced(LedgerSynced { activity: id, step: first.step, ledger: MARK }).await.unwrap());
    let second = db.carry_find(id).await.unwrap().unwrap();
    assert_eq!((second.life.state, second.ledger, second.stock.len()), (LifeState::Paused, Some(MARK), 0));
    assert!(second.step > first.step);
    let paused = LedgerMark { state: ActivityState::Paused, ..MARK };
    assert!(
        db.ledger_synced(LedgerSynced { activity: id, step: second.step, ledger: paused }).await.unwrap()
    );
    assert!(db.carry_find(id).await.unwrap().is_none());
    assert!(row(db, id).await.carried);
}

async fn pools_are_opened_once_and_changed_by_differences(db: &Db) {
    let id = create(db, 1, content()).await;
    publish(db, id, 0).await;
    let (prize, entries) = (PoolUse::Prize(prize_id(1)), PoolUse::Entries);
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
        assert!(db.ledger_synced(LedgerSynced { activity: id, step: before.step, ledger }).await.unwrap());
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

fn opened(activity: ActivityId) -> Command {
    let (from, until) = (T0 - 1, T0 + 1_000);
    let limits = ChanceLimits { total: 1, month: 0, day: 0 };
    let terms = Terms { version: 1, from, until, entries: None, limits, begin: None };
    let (key, note) = (Key::of("activity", activity.0, "open"), Note::default());
    Command::direct(key, note, Act::ActivityOpen { activity, round: 1, terms })
}

fn tell(ledger: &mut Life, command: Command) {
    let answer = ledger.tell(command);
    assert!(matches!(answer, Answer::Accepted { .. }), "{answer:?}");
}

/// Only once the ledger's rows say that the round is closed; a raffle's not even then.
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
    db.ledger_project(ledger.events.clone()).await.unwrap();
    assert_eq!(reveal(2).await.unwrap(), None, "its rows are still open");
    for n in [1, 3] {
        let (key, activity) = (Key::of("activity", n, "close"), ActivityId(n));
        let (state, note) = (ActivityState::Closed, Note::default());
        tell(&mut ledger, Command::direct(key, note, Act::ActivityState { activity, state }));
    }
    db.ledger_project(ledger.events.clone()).await.unwrap();
    assert_eq!(reveal(3).await.unwrap(), Some((ActivityId(1), 1)));
    assert_eq!(reveal(4).await.unwrap(), None);
    for (n, revealed) in [(1, Some(T0)), (2, None), (3, None)] {
        assert_eq!(db.secret_list(ActivityId(n)).await.unwrap()[0].revealed_at, revealed, "{n}");
    }
    assert_eq!(audited(db, "activity:1").await.iter().filter(|told| *told == "activity.reveal").count(), 1);
}
