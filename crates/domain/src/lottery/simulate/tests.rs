//! Simulations: the same for the same course, and within every rule.

use super::{BUCKETS, Course, Nothing, Simulation, SimulationRefusal, SimulationReport};
use crate::activity::Window;
use crate::ledger::play::{ChanceLimits, Day};
use crate::lottery::decide::{Cause, DrawReason};
use crate::lottery::deck::Deck;
use crate::lottery::history::History;
use crate::lottery::live::{Exclusion, ExclusionReason};
use crate::lottery::record::Record;
use crate::lottery::replay::Replayer;
use crate::lottery::strategy::{Mode, Pity, Release, Strategy, Tier, TierBy, Tiers, Unlock, UnlockScope};
use crate::lottery::tests::fixtures::{id, pooled, strategy, table, with_fallback};
use crate::time::{DAY_MS, HOUR_MS, Timestamp};

/// The last day of January 1970 and two of February.
const WINDOW: Window = Window { from: Timestamp(30 * DAY_MS), until: Timestamp(33 * DAY_MS) };

fn days() -> Vec<Day> {
    let day =
        |(at, number)| Day { number, from: Timestamp(at * DAY_MS), until: Timestamp((at + 1) * DAY_MS) };
    (30..).zip([19_700_131, 19_700_201, 19_700_202]).map(day).collect()
}

fn course(strategy: Strategy, chances: ChanceLimits, draws: u64, users: u32) -> Course {
    Course::new(Deck::new(strategy).unwrap(), WINDOW, days(), chances, None, draws, users, 7).unwrap()
}

/// In blocks of some size.
fn run(course: &Course, block: u64) -> (SimulationReport, Vec<Record>) {
    let mut records = Vec::new();
    let mut simulation = Simulation::new(course);
    let mut words = Vec::new();
    let mut at = 0;
    while at < course.draws() {
        let end = (at + block).min(course.draws());
        course.words(at..end, &mut words);
        simulation.follow(&words, &mut |record| records.push(record));
        at = end;
    }
    (simulation.report(), records)
}

/// Everything a strategy can say at once.
fn eventful(mode: Mode) -> Strategy {
    let mut strategy = strategy(mode, &[20, 10, 5, 15]);
    strategy.prizes[0].stock = pooled(40);
    strategy.prizes[1].win_cap = Some(2);
    strategy.prizes[1].cost_minor = 100;
    strategy.prizes[2].unlock = Some(Unlock { draws: 3, scope: UnlockScope::Today, current_counts: true });
    strategy.prizes[2].hourly_cap = Some(1);
    strategy.prizes[3].release =
        vec![Release { at: Timestamp(0), units: 5 }, Release { at: WINDOW.from + 30 * HOUR_MS, units: 90 }];
    strategy.tables.push(table(&[(0, 30), (1, 30), (2, 30)]));
    let steps = vec![Tier { from: 0, table: 0 }, Tier { from: 8, table: 1 }];
    strategy.tiers = Some(Tiers { by: TierBy::Draws, steps });
    strategy.pity = Some(Pity { prize: id(0), misses: 4 });
    (strategy.budget.total_minor, strategy.budget.day_minor) = (Some(9_000), Some(4_000));
    with_fallback(&mut strategy);
    strategy
}

const LIMITS: ChanceLimits = ChanceLimits { total: 12, month: 11, day: 6 };

/// Its records are what any other draws' are: they replay, and their inputs follow from each other.
#[test]
fn what_is_simulated_replays_and_is_true() {
    for mode in [Mode::Fixed, Mode::Renormalised] {
        let strategy = eventful(mode);
        let course = course(strategy.clone(), LIMITS, 1_500, 100);
        let (report, records) = run(&course, 64);
        assert_eq!(report.draws, records.len() as u64);
        let mut replayer = Replayer::new(course.published(), strategy, course.secret()).unwrap();
        let mut history = History::new(course.deck().clone());
        let mut last = course.published().begin();
        for record in &records {
            let bytes = record.encode();
            last = last.next(&bytes);
            assert_eq!(replayer.follow(&bytes, &last).as_ref(), Ok(record));
            assert_eq!(history.follow(record), Ok(()));
        }
    }
}

#[test]
fn the_size_of_blocks_changes_nothing() {
    for mode in [Mode::Fixed, Mode::Renormalised] {
        let course = course(eventful(mode), LIMITS, 1_500, 100);
        let (first, records) = run(&course, 1_500);
        for block in [1, 7, 100, 999] {
            let again = run(&course, block);
            assert_eq!(again, (first.clone(), records.clone()), "blocks of {block}");
        }
        let mut silent = Simulation::new(&course);
        let mut words = Vec::new();
        course.words(0..1_500, &mut words);
        silent.follow(&words, &mut Nothing);
        assert_eq!(silent.report(), first, "whether records are kept or not");
    }
}

#[test]
fn counts_add_up() {
    let course = course(eventful(Mode::Fixed), LIMITS, 1_500, 100);
    let (report, records) = run(&course, 64);
    let wins: u64 = report.prizes.iter().map(|prize| prize.wins).sum();
    assert_eq!(report.draws + report.refused.all(), 1_500);
    assert_eq!(wins + report.misses, report.draws);
    for prize in &report.prizes {
        let of = |record: &&Record| record.draws[0].drawn.prize == Some(prize.id);
        assert_eq!(prize.wins, records.iter().filter(of).count() as u64, "{}", prize.name);
        assert_eq!(prize.over_time.iter().sum::<u64>(), prize.wins);
        assert_eq!(prize.over_time.len(), BUCKETS);
        assert!(prize.units.is_none_or(|units| prize.wins <= units));
    }
    let gone = &report.prizes[0];
    let last = records.iter().rfind(|record| record.draws[0].drawn.prize == Some(gone.id)).unwrap();
    assert_eq!((gone.wins, gone.ran_out), (40, Some(last.at)), "forty there were");
    // Fifteen turns each, five a day; the first day is another month.
    assert_eq!((report.refused.total, report.refused.month, report.refused.day), (300, 0, 0));
}

#[test]
fn chances_are_counted_by_day_and_month() {
    for (limits, draws, refused) in [
        (ChanceLimits { total: 0, month: 0, day: 0 }, 300, (0, 0, 0)),
        (ChanceLimits { total: 20, month: 0, day: 0 }, 200, (100, 0, 0)),
        (ChanceLimits { total: 0, month: 0, day: 4 }, 120, (0, 0, 180)),
        // Ten turns a day: all of January's, then of February's.
        (ChanceLimits { total: 0, month: 12, day: 0 }, 220, (0, 80, 0)),
    ] {
        let course = course(strategy(Mode::Fixed, &[50]), limits, 300, 10);
        let (report, _) = run(&course, 64);
        let got = (report.refused.total, report.refused.month, report.refused.day);
        assert_eq!((report.draws, got), (draws, refused), "{limits:?}");
    }
    let deck = || Deck::new(strategy(Mode::Fixed, &[50])).unwrap();
    let entries = Course::new(deck(), WINDOW, days(), ChanceLimits::default(), Some(42), 300, 10, 7).unwrap();
    let (report, _) = run(&entries, 64);
    assert_eq!((report.draws, report.refused.entries), (42, 258));
}

/// What keeps a prize is said by its name, with the draws that it concerned and when it began.
#[test]
fn what_stopped_a_prize_is_told() {
    let mut strategy = strategy(Mode::Fixed, &[10, 20, 20, 20]);
    strategy.prizes[0].stock = pooled(5);
    strategy.prizes[1].hourly_cap = Some(1);
    strategy.prizes[2].win_cap = Some(1);
    let release = WINDOW.from + DAY_MS;
    strategy.prizes[3].release = vec![Release { at: release, units: 1_000_000 }];
    let course = course(strategy, ChanceLimits::default(), 3_000, 10);
    let (report, records) = run(&course, 64);
    let stops = |prize: usize| {
        let stops = report.prizes[prize].stops.iter();
        stops.map(|stop| (stop.reason, stop.draws, stop.first)).collect::<Vec<_>>()
    };
    let ran_out = report.prizes[0].ran_out.unwrap();
    let after = records.iter().filter(|record| record.at > ran_out).count() as u64;
    let next = records.iter().find(|record| record.at > ran_out).unwrap().at;
    assert_eq!(stops(0), [(ExclusionReason::Exhausted, after, next)]);
    let [(ExclusionReason::HourlyCap, capped, _)] = stops(1)[..] else { panic!("{:?}", stops(1)) };
    assert!((2_000..3_000).contains(&capped), "one win an hour, of forty draws: {capped}");
    let hit = |record: &&Record| {
        let excluded = Cause::Excluded(Exclusion { prize: id(2), reason: ExclusionReason::Capped });
        record.draws[0].drawn.why == DrawReason::Fallback(excluded)
    };
    let [(ExclusionReason::Capped, hits, _)] = stops(2)[..] else { panic!("{:?}", stops(2)) };
    assert_eq!(hits, records.iter().filter(hit).count() as u64);
    assert_eq!(stops(3), [(ExclusionReason::Unreleased, 1_000, WINDOW.from)]);
}

/// Chi-square where the odds apply: also when prizes run out or are locked, and in every tier.
#[test]
fn rolls_are_compared_with_the_odds_that_applied() {
    let mut anew = strategy(Mode::Renormalised, &[20, 10, 5, 15]);
    anew.prizes[0].stock = pooled(3_000);
    anew.prizes[1].win_cap = Some(1);
    for (strategy, all) in [(eventful(Mode::Fixed), true), (anew, false)] {
        let mode = strategy.mode;
        let course = course(strategy, ChanceLimits::default(), 60_000, 4_000);
        let (report, _) = run(&course, 4_096);
        let chi = report.chi_square().unwrap();
        assert!(chi.p_value > 0.01, "{mode:?}: {chi:?}");
        let rolls: u64 = report.tables.iter().map(|table| table.rolls).sum();
        let rolled = if all { 60_000..=60_000 } else { 10_000..=40_000 };
        assert!(rolled.contains(&rolls), "{mode:?}: {rolls} rolls of 60,000 draws");
    }
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    let made = |days, draws, users| {
        let deck = Deck::new(strategy(Mode::Fixed, &[50])).unwrap();
        Course::new(deck, WINDOW, days, ChanceLimits::default(), None, draws, users, 7).err()
    };
    for (days, draws, users, expected) in [
        (days(), 10, 10, None),
        (days(), 0, 1, Some(SimulationRefusal::Draws)),
        (days(), 10, 11, Some(SimulationRefusal::Users)),
        (days(), 10, 0, Some(SimulationRefusal::Users)),
        (Vec::new(), 10, 1, Some(SimulationRefusal::Days)),
        (days()[1..].to_vec(), 10, 1, Some(SimulationRefusal::Days)),
    ] {
        assert_eq!(made(days, draws, users), expected, "{draws} draws, {users} users");
    }
}
