//! Odds over many draws, by the simulator and on all cores: a million per mode in `make test`, ten in `make odds`.
//!
//! Secrets are fixed, so each of these passes always or never.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use domain::activity::Window;
use domain::ledger::PoolId;
use domain::ledger::play::{ChanceLimits, Day};
use domain::lottery::chi::{ChiSquare, chi_square};
use domain::lottery::deck::Deck;
use domain::lottery::record::Record;
use domain::lottery::simulate::{Course, Nothing, RecordSink, SimulationReport};
use domain::lottery::strategy::{
    Budget, Mode, OddsSlice, OddsTable, PPM, Prize, PrizeId, PrizeStock, SlotIndex, Strategy,
};
use domain::time::{DAY_MS, Timestamp};
use windfall_engine::activities::simulation::simulate;

const P_MIN: f64 = 0.01;
/// Parts of a million; what is left over is no prize. One prize is as rare as can be.
const ODDS: [u64; 4] = [130_000, 1, 250_000, 19_999];

/// `WINDFALL_DRAWS`, or a million.
fn draws() -> u64 {
    std::env::var("WINDFALL_DRAWS").map_or(1_000_000, |draws| draws.parse().expect("a number of draws"))
}

fn strategy(mode: Mode) -> Strategy {
    let id = |number| PrizeId::new(number).unwrap();
    let prize = |number: u16| Prize {
        id: id(number),
        name: format!("prize {number}"),
        slot: SlotIndex(number),
        stock: PrizeStock::Unlimited,
        cost_minor: 0,
        unlock: None,
        win_cap: None,
        release: Vec::new(),
        hourly_cap: None,
        withdrawn_for: Vec::new(),
    };
    let slices = (0..).zip(ODDS).map(|(prize, odds)| OddsSlice { prize: id(prize), odds });
    Strategy {
        version: 1,
        whole: PPM,
        mode,
        prizes: (0..4).map(prize).collect(),
        tables: vec![OddsTable { slices: slices.collect() }],
        miss_slot: SlotIndex(9),
        tiers: None,
        consolation: None,
        fallback: None,
        pity: None,
        budget: Budget::default(),
    }
}

fn run<K: RecordSink>(strategy: Strategy, keep: &mut K) -> SimulationReport {
    let day = Day { number: 19_700_101, from: Timestamp(0), until: Timestamp(DAY_MS) };
    let window = Window { from: day.from, until: day.until };
    let deck = Deck::new(strategy).unwrap();
    let course =
        Course::new(deck, window, vec![day], ChanceLimits::default(), None, draws(), 1_000, 1).unwrap();
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    simulate(&course, threads, keep, |_| true).unwrap()
}

fn judge(what: &str, cells: &[(u64, u64)]) {
    let judged = |cells: &[(u64, u64)]| -> ChiSquare { chi_square(cells).expect("something to compare") };
    let got = judged(cells);
    println!("{what}: {} draws, p = {:.4}", draws(), got.p_value);
    assert!(got.p_value > P_MIN, "{what}: {got:?} {cells:?}");
    // Had 13 % been 13.3 %, it would have been found out: the test can fail.
    let mut lie = cells.to_vec();
    lie[0].1 += 3_000;
    assert!(judged(&lie).p_value < P_MIN, "{what}: a lie passes");
}

/// As published, in both modes.
#[test]
fn odds_do_not_drift() {
    for mode in [Mode::Fixed, Mode::Renormalised] {
        let report = run(strategy(mode), &mut Nothing);
        let table = &report.tables[0];
        assert_eq!((table.rolls, report.draws), (draws(), draws()), "{mode:?}: every draw was a roll");
        let cells: Vec<(u64, u64)> = table.cells.iter().map(|cell| (cell.hits, cell.odds)).collect();
        judge(&format!("{mode:?}"), &cells);
    }
}

/// One prize has a single unit. From then on `fixed` keeps its slice, and it is a miss; `renormalised` gives its part to
/// the others, and to no prize.
#[test]
fn odds_do_not_drift_when_a_prize_is_gone() {
    for mode in [Mode::Fixed, Mode::Renormalised] {
        let mut strategy = strategy(mode);
        strategy.prizes[2].stock = PrizeStock::Pool { pool: PoolId(1), units: 1 };
        let mut counts: BTreeMap<Option<u16>, u64> = BTreeMap::new();
        let mut gone = false;
        let mut count = |record: Record| {
            let prize = record.draws[0].drawn.prize.map(PrizeId::number);
            if gone {
                *counts.entry(prize).or_default() += 1;
            }
            gone |= prize == Some(2);
        };
        run(strategy, &mut count);
        let no_prize = PPM - ODDS.iter().sum::<u64>();
        let missed = match mode {
            Mode::Fixed => no_prize + ODDS[2],
            Mode::Renormalised => no_prize,
        };
        let parts = [(Some(0), ODDS[0]), (Some(1), ODDS[1]), (Some(3), ODDS[3]), (None, missed)];
        let cells = parts.map(|(prize, odds)| (counts.get(&prize).copied().unwrap_or_default(), odds));
        assert_eq!(counts.get(&Some(2)), None, "{mode:?}: it is gone");
        judge(&format!("{mode:?}, a prize gone"), &cells);
    }
}
