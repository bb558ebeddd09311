//! Random lives of a ledger, projected in random batches with repetitions and failures: the rows are always those of a
//! ledger that stopped at the position, and a ledger that starts from them goes on as the one that never stopped.

use std::collections::BTreeMap;

use domain::Rejection;
use domain::ledger::{Answer, Change, Command, Event, HoldState, HoldView, Key, Ledger, PoolId, recall};
use domain::page::PageRequest;
use domain::time::Timestamp;
use store::failure::Result;
use store::ledger::project;
use store::model::*;
use store::tx::Tx;
use store::{Db, params};

use crate::ledger_fixtures::*;

const SEQUENCES: u64 = 200;
const COMMANDS: usize = 60;

on_both! {
    rows_are_the_ledger_at_their_position,
    a_ledger_that_starts_from_rows_goes_on_the_same,
    ids_that_left_memory_are_answered_the_same,
}

/// For a test that lives through many ledgers: nothing, up to a number.
pub async fn empty(db: &Db, start: u64) {
    const TABLES: [&str; 21] = [
        "DELETE FROM pools",
        "DELETE FROM pool_rounds",
        "DELETE FROM pool_owners",
        "DELETE FROM holds",
        "DELETE FROM hold_lines",
        "DELETE FROM hold_extensions",
        "DELETE FROM movements",
        "DELETE FROM pool_commands",
        "DELETE FROM finished_ids",
        "DELETE FROM play_activities",
        "DELETE FROM play_rounds",
        "DELETE FROM players",
        "DELETE FROM tickets",
        "DELETE FROM play_commands",
        "DELETE FROM play_prizes",
        "DELETE FROM player_wins",
        "DELETE FROM leaders",
        "DELETE FROM wins",
        "DELETE FROM draw_hours",
        "DELETE FROM draw_minutes",
        "UPDATE play_switch SET halted = 0",
    ];
    db.write(i64::try_from(start).unwrap(), |tx, start| {
        Box::pin(async move {
            for sql in TABLES {
                tx.execute(sql, params![]).await?;
            }
            tx.execute("UPDATE ledger_position SET seq = $1, term = 0, at_ms = 0", params![*start]).await
        })
    })
    .await
    .unwrap();
}

async fn rows_are_the_ledger_at_their_position(db: &Db) {
    for seed in 0..SEQUENCES / 2 {
        let life = Life::random(seed, COMMANDS);
        empty(db, life.start).await;
        let mut dice = Dice(seed ^ 0xdead);
        let mut there = nothing_at(life.start);
        while project_some(db, &mut dice, &life, &mut there).await {
            same_rows(db, &there, &life.events, &format!("seed {seed} at {}", there.seq())).await;
        }
        same_holds(db, &life, seed).await;
    }
}

/// Projects the next batch, with what is already there in front of it, at times only after a failed try and at times
/// once more; the ledger follows. Answers whether there was anything left.
async fn project_some(db: &Db, dice: &mut Dice, life: &Life, there: &mut Ledger) -> bool {
    let events = &life.events;
    let reached = usize::try_from(there.seq() - life.start).unwrap();
    let sides = [1, 3, 12, 40][usize::try_from(dice.roll(4)).unwrap()];
    let size = 1 + usize::try_from(dice.roll(sides)).unwrap();
    let from = reached.saturating_sub(usize::try_from(dice.roll(4)).unwrap());
    let to = events.len().min(reached + size);
    if reached == to {
        return false;
    }
    let batch = events[from..to].to_vec();
    let failed: Result<()> = match dice.roll(30) {
        0 => db.write(batch.clone(), |tx, batch| Box::pin(project_and_panic(tx, batch))).await,
        1..=5 => db.write(batch.clone(), |tx, batch| Box::pin(project_and_refuse(tx, batch))).await,
        _ => Err(Rejection::TimedOut.into()),
    };
    assert!(failed.is_err());
    for _ in 0..=dice.roll(2) {
        let position = db.ledger_project(batch.clone()).await.unwrap();
        assert_eq!(position.seq, events[to - 1].seq);
        assert_eq!(db.ledger_position().await.unwrap(), position);
    }
    events[reached..to].iter().for_each(|event| {
        there.fold(event);
    });
    true
}

async fn project_and_panic(tx: &Tx<'_>, batch: &[Event]) -> Result<()> {
    project(tx, batch, None).await?;
    panic!("on purpose")
}

async fn project_and_refuse(tx: &Tx<'_>, batch: &[Event]) -> Result<()> {
    project(tx, batch, None).await?;
    Err(Rejection::TimedOut.into())
}

async fn same_rows(db: &Db, there: &Ledger, events: &[Event], at: &str) {
    let image = db.ledger_load().await.unwrap();
    let position = LedgerPosition { seq: there.seq(), term: there.term(), at: there.now(), digest: None };
    assert_eq!(image.position, position, "{at}");
    let mut pools: Vec<_> = there.pools().collect();
    pools.sort_by_key(|view| view.pool);
    let listed = db.pool_list(PoolSearch::default(), PageRequest::default()).await.unwrap().items;
    let mut listed: Vec<_> = listed.into_iter().map(|pool| pool.view).collect();
    listed.sort_by_key(|view| view.pool);
    assert_eq!(listed, pools, "{at}");
    let restored = image.restore(LIMITS).unwrap();
    restored.assert_sound();
    same_play(&restored, there, at);
    // Owners are counted from the holds, by another way than the projection's.
    let mut owned: BTreeMap<(PoolId, u32, u64), u64> = BTreeMap::new();
    for (key, by) in reserved(events) {
        let Some(view) = there.hold(key) else { continue };
        let open = there.hold(key).filter(|view| view.state == HoldState::Held);
        assert_eq!(restored.hold(key), open, "{at}");
        for line in &view.lines {
            let units = match view.state {
                HoldState::Held => line.units,
                HoldState::Confirmed => line.taken,
                HoldState::Cancelled | HoldState::Expired => 0,
            };
            if let Some(by) = by {
                *owned.entry((line.pool, line.round, by)).or_default() += u64::from(units);
            }
        }
    }
    for RoundImage { view, owners, .. } in &image.rounds {
        let rows: BTreeMap<u64, u64> =
            owners.iter().map(|(owner, units)| (owner.get(), u64::from(*units))).collect();
        let counted: BTreeMap<u64, u64> = owned
            .iter()
            .filter(|((pool, round, _), units)| (*pool, *round) == (view.pool, view.round) && **units > 0)
            .map(|((_, _, owner), units)| (*owner, *units))
            .collect();
        assert_eq!(rows, counted, "{at}, pool {} round {}", view.pool.0, view.round);
    }
}

/// Rounds with all they have come to, and their players.
fn same_play(restored: &Ledger, there: &Ledger, at: &str) {
    assert_eq!(restored.halted(), there.halted(), "{at}");
    for activity in ACTIVITIES {
        assert_eq!(restored.round(activity), there.round(activity), "{at}");
        for user in PLAYERS {
            let state = |ledger: &Ledger| {
                let mut state = ledger.player_state(activity, user);
                state.iter_mut().for_each(|state| state.wins.sort_unstable());
                state
            };
            assert_eq!(state(restored), state(there), "{at}");
        }
    }
}

/// At the end: every hold, and every pool's movements sum up to its counters.
async fn same_holds(db: &Db, life: &Life, seed: u64) {
    for n in 0..24 {
        let found = db.hold_find(hold(n)).await.unwrap();
        assert_eq!(found.position, life.ledger.seq());
        // Of one that was cancelled before it arrived, the ledger knows no more than that.
        let view = found.hold.as_ref().map(|stored| match stored.spent {
            true => HoldView::spent(hold(n), Timestamp(0)),
            false => stored.view.clone(),
        });
        assert_eq!(view, life.ledger.hold(hold(n)), "seed {seed}");
        let steps = db.hold_life(hold(n)).await.unwrap();
        let numbers: Vec<u64> = steps.iter().map(|step| step.seq).collect();
        let told = life.events.iter().filter(|event| names(event, hold(n))).map(|event| event.seq);
        assert_eq!(numbers, told.collect::<Vec<_>>(), "seed {seed}");
    }
    for view in life.ledger.pools() {
        let mut sum = Delta::default();
        let mut page = PageRequest::first(7);
        loop {
            let movements = db.movements(Some(view.pool), page).await.unwrap();
            for movement in movements.items.iter().filter(|movement| movement.round == view.round) {
                sum.total += movement.delta.total;
                sum.available += movement.delta.available;
                sum.held += movement.delta.held;
                sum.taken += movement.delta.taken;
            }
            match movements.next {
                Some(_) => page.after = movements.next,
                None => break,
            }
        }
        let counters = [view.total, view.available, view.held, view.taken].map(|n| i64::try_from(n).unwrap());
        assert_eq!([sum.total, sum.available, sum.held, sum.taken], counters, "seed {seed}");
    }
}

/// Every hold that was ever made, and whose it is.
fn reserved(events: &[Event]) -> impl Iterator<Item = (Key, Option<u64>)> {
    events.iter().filter_map(|event| match &event.change {
        Change::Reserved { key, owner, .. } => Some((*key, owner.as_ref().map(|owner| owner.id.get()))),
        _ => None,
    })
}

fn names(event: &Event, key: Key) -> bool {
    match &event.change {
        Change::Reserved { key: of, .. } => *of == key,
        Change::Confirmed { hold, .. }
        | Change::Cancelled { hold, .. }
        | Change::Spent { hold, .. }
        | Change::Extended { hold, .. }
        | Change::Expired { hold, .. } => *hold == key,
        _ => false,
    }
}

/// Stops anywhere, starts from the rows, folds the rest, and then both live on through the same commands.
async fn a_ledger_that_starts_from_rows_goes_on_the_same(db: &Db) {
    for seed in 0..SEQUENCES {
        let mut life = Life::random(seed, COMMANDS);
        empty(db, life.start).await;
        let mut dice = Dice(seed ^ 0xbeef);
        let stop = usize::try_from(dice.roll(u64::try_from(life.events.len()).unwrap())).unwrap() + 1;
        for batch in life.events[..stop].chunks(1 + usize::try_from(dice.roll(40)).unwrap()) {
            db.ledger_project(batch.to_vec()).await.unwrap();
        }
        let mut restored = db.ledger_load().await.unwrap().restore(LIMITS).unwrap();
        let projected = restored.seq();
        life.events[stop..].iter().for_each(|event| {
            restored.fold(event);
        });
        restored.assert_sound();
        same_play(&restored, &life.ledger, &format!("seed {seed}"));
        // What was projected has left the other one's memory too.
        life.ledger.forget(projected, usize::MAX);
        assert_eq!(restored.sizes(), life.ledger.sizes(), "seed {seed}");
        assert_eq!(restored.next_expiry(), life.ledger.next_expiry(), "seed {seed}");
        let mut probes: Vec<Command> = life.commands.clone();
        probes.extend((0..COMMANDS).map(|step| life.any_command(&mut dice, 1_000 + step)));
        probes.retain(|command| !matches!(command, Command::ExpireOne));
        for probe in probes {
            life.clock = life.clock + dice.roll(2).cast_signed();
            let expected = life.ledger.apply(life.clock, &probe);
            assert_eq!(restored.apply(life.clock, &probe), expected, "seed {seed}: {probe:?}");
        }
        // The order within 64 ms is free, so both run dry before they are compared again.
        life.clock = life.clock + 10_000;
        for ledger in [&mut life.ledger, &mut restored] {
            while let Answer::Accepted { .. } = ledger.apply(life.clock, &Command::ExpireOne) {}
            ledger.assert_sound();
        }
        let pools =
            |ledger: &Ledger| ledger.pools().map(|view| (view.pool, view)).collect::<BTreeMap<_, _>>();
        assert_eq!(pools(&restored), pools(&life.ledger), "seed {seed}");
        same_play(&restored, &life.ledger, &format!("seed {seed}"));
    }
}

/// Memory and database give the same answer under the same id.
async fn ids_that_left_memory_are_answered_the_same(db: &Db) {
    let mut looked_up = 0;
    for seed in 0..SEQUENCES / 4 {
        let life = Life::random(seed, COMMANDS);
        empty(db, life.start).await;
        db.ledger_project(life.events.clone()).await.unwrap();
        let mut forgetful = life.ledger.clone();
        forgetful.forget(life.ledger.seq(), usize::MAX);
        let mut probes = life.commands.clone();
        probes.extend((0..24).flat_map(|n| {
            [confirm(n, None), cancel(n), extend(n, life.clock), reserve(n, None, vec![line(pool(0), 1)])]
        }));
        for probe in probes {
            if forgetful.clone().apply(life.clock, &probe) != Answer::LookUp {
                continue;
            }
            looked_up += 1;
            let found = db.id_find(probe.key().unwrap()).await.unwrap();
            assert_eq!(found.position, life.ledger.seq());
            let recalled = found.stored.as_ref().and_then(|stored| recall(stored, &probe));
            let remembered = life.ledger.clone().apply(life.clock, &probe);
            assert_eq!(recalled, Some(remembered), "seed {seed}: {probe:?}");
        }
    }
    assert!(looked_up > 1_000, "{looked_up} look-ups prove little");
}
