//! Every reason why a strategy cannot work, by name and field.

use std::collections::HashSet;

use super::fixtures::{id, pooled, prize, strategy, table, with_fallback};
use crate::Lang;
use crate::activity::tests::workable::AROUND;
use crate::lottery::check::check;
use crate::lottery::deck::Deck;
use crate::lottery::flaw::StrategyFlaw;
use crate::lottery::strategy::{
    AMOUNT_MAX, Budget, Mode, PRIZES_MAX, Pity, Release, Strategy, Tier, TierBy, Tiers, Unlock, UnlockScope,
    WHOLE_MAX,
};
use crate::time::Timestamp;

type Row = (&'static str, fn(&mut Strategy), &'static [&'static str]);

fn tiers(steps: &[(u64, u8)]) -> Option<Tiers> {
    let steps = steps.iter().map(|(from, table)| Tier { from: *from, table: *table }).collect();
    Some(Tiers { by: TierBy::Draws, steps })
}

fn unlock(draws: u32, scope: UnlockScope, current_counts: bool) -> Option<Unlock> {
    Some(Unlock { draws, scope, current_counts })
}

fn release(steps: &[(i64, u64)]) -> Vec<Release> {
    steps.iter().map(|(at, units)| Release { at: Timestamp(*at), units: *units }).collect()
}

/// Prizes 0 and 1 at 30 and 20 of a hundred, unless the row says otherwise.
const ROWS: &[Row] = &[
    ("as it is", |_| {}, &[]),
    ("odds that fill the whole", |s| s.tables = vec![table(&[(0, 99), (1, 1)])], &[]),
    (
        "odds above the whole",
        |s| s.tables = vec![table(&[(0, 99), (1, 2)])],
        &["odds_exceed_whole tables[0]"],
    ),
    (
        "odds that overflow",
        |s| s.tables = vec![table(&[(0, u64::MAX), (1, 2)])],
        &["odds_exceed_whole tables[0]"],
    ),
    ("a whole of nothing", |s| s.whole = 0, &["whole_out_of_range whole", "odds_exceed_whole tables[0]"]),
    ("a whole too fine", |s| s.whole = WHOLE_MAX + 1, &["whole_out_of_range whole"]),
    ("the finest whole", |s| s.whole = WHOLE_MAX, &[]),
    (
        "no prizes",
        |s| (s.prizes, s.tables) = (vec![], vec![table(&[])]),
        &["prizes_none prizes", "table_empty tables[0]"],
    ),
    (
        "no prizes to weigh",
        |s| (s.mode, s.prizes, s.tables) = (Mode::Renormalised, vec![], vec![table(&[])]),
        &["prizes_none prizes", "renormalised_without_prize tables[0]"],
    ),
    (
        "odds of zero everywhere",
        |s| s.tables = vec![table(&[(0, 0), (1, 0)])],
        &[
            "table_empty tables[0]",
            "odds_zero tables[0].slices[0].odds",
            "odds_zero tables[0].slices[1].odds",
            "prize_unreachable prizes[0]",
            "prize_unreachable prizes[1]",
        ],
    ),
    (
        "more prizes than ids",
        |s| s.prizes.extend((0..PRIZES_MAX).map(|_| prize(1))),
        // And every one of them has an id and a slot that are taken: named in another row.
        &["prizes_too_many prizes", "…"],
    ),
    (
        "the same id and slot again",
        |s| s.prizes.push(prize(1)),
        &["prize_id_twice prizes[2].id", "slot_twice prizes[2].slot"],
    ),
    ("the slot of no prize", |s| s.miss_slot = s.prizes[1].slot, &["slot_twice prizes[1].slot"]),
    ("no name", |s| s.prizes[0].name = "  ".into(), &["name_out_of_range prizes[0].name"]),
    ("a long name", |s| s.prizes[0].name = "奖".repeat(41), &["name_out_of_range prizes[0].name"]),
    ("dear", |s| s.prizes[0].cost_minor = AMOUNT_MAX + 1, &["amount_too_large prizes[0].cost_minor"]),
    ("no table", |s| s.tables = vec![], &["tables_none tables", "prize_unreachable prizes[0]", "…"]),
    (
        "many tables",
        |s| s.tables = vec![s.tables[0].clone(); 65],
        &["tables_too_many tables", "table_unreachable tables[1]", "…"],
    ),
    (
        "a slice of nothing known",
        |s| s.tables = vec![table(&[(0, 1), (1, 1), (8, 1)])],
        &["prize_unknown tables[0].slices[2].prize"],
    ),
    (
        "two slices of one prize",
        |s| s.tables = vec![table(&[(0, 1), (1, 1), (0, 1)])],
        &["slice_twice tables[0].slices[2].prize"],
    ),
    ("a prize that nobody can win", |s| s.prizes.push(prize(2)), &["prize_unreachable prizes[2]"]),
    (
        "a prize that only a rule gives",
        |s| {
            s.prizes.push(prize(2));
            s.consolation = Some(id(2));
        },
        &[],
    ),
    ("an empty pool", |s| s.prizes[0].stock = pooled(0), &["stock_zero prizes[0].stock"]),
    (
        "one pool for two",
        |s| (s.prizes[0].stock, s.prizes[1].stock) = (pooled(4), pooled(5)),
        &["pool_twice prizes[1].stock"],
    ),
    (
        "a bottomless pool",
        |s| s.prizes[0].stock = pooled(AMOUNT_MAX + 1),
        &["amount_too_large prizes[0].stock"],
    ),
    (
        "unlocked from the start",
        |s| s.prizes[0].unlock = unlock(0, UnlockScope::InAll, true),
        &["unlock_zero prizes[0].unlock.draws"],
    ),
    (
        "caps of zero",
        |s| {
            (s.prizes[0].win_cap, s.prizes[0].hourly_cap) = (Some(0), Some(0));
            s.budget = Budget { total_minor: Some(0), day_minor: Some(0) };
        },
        &[
            "cap_zero prizes[0].win_cap",
            "cap_zero prizes[0].hourly_cap",
            "cap_zero budget.total_minor",
            "cap_zero budget.day_minor",
        ],
    ),
    (
        "a budget that covers no unit",
        |s| (s.prizes[1].cost_minor, s.budget.day_minor) = (101, Some(100)),
        &["cost_beyond_budget prizes[1].cost_minor"],
    ),
    (
        "a schedule",
        |s| (s.prizes[0].stock, s.prizes[0].release) = (pooled(9), release(&[(1, 3), (2, 9)])),
        &[],
    ),
    (
        "a schedule that stands still",
        |s| s.prizes[0].release = release(&[(1, 3), (1, 4), (2, 4), (3, 5)]),
        &["release_not_increasing prizes[0].release[1]", "release_not_increasing prizes[0].release[2]"],
    ),
    (
        "a schedule of nothing",
        |s| s.prizes[0].release = release(&[(1, 0)]),
        &["release_not_increasing prizes[0].release[0]"],
    ),
    (
        "a schedule beyond the stock",
        |s| (s.prizes[0].stock, s.prizes[0].release) = (pooled(9), release(&[(1, 3), (2, 10)])),
        &["release_beyond_stock prizes[0].release[1].units"],
    ),
    (
        "a schedule without end",
        |s| s.prizes[0].release = (1..=1025).map(|at| release(&[(at, at.cast_unsigned())])[0]).collect(),
        &["release_too_long prizes[0].release"],
    ),
    (
        "tiers",
        |s| {
            s.tables.push(table(&[(1, 100)]));
            s.tiers = tiers(&[(0, 0), (5, 1)]);
        },
        &[],
    ),
    ("no tiers at all", |s| s.tiers = tiers(&[]), &["tiers_none tiers", "table_unreachable tables[0]"]),
    ("no tier for a beginner", |s| s.tiers = tiers(&[(1, 0)]), &["tier_for_zero_missing tiers[0].from"]),
    (
        "tiers that do not rise, and lead nowhere",
        |s| s.tiers = tiers(&[(0, 0), (5, 0), (5, 7)]),
        &["tiers_not_increasing tiers[2].from", "table_unknown tiers[2].table"],
    ),
    ("a fallback", with_fallback, &[]),
    (
        "a fallback without a range",
        |s| {
            with_fallback(s);
            s.fallback.as_mut().unwrap().amount_min = 10;
        },
        &["fallback_range_empty fallback.amount_min"],
    ),
    (
        "a fallback of nothing, or too much",
        |s| {
            with_fallback(s);
            let fallback = s.fallback.as_mut().unwrap();
            (fallback.amount_min, fallback.amount_max, fallback.budget_amount) = (0, u64::MAX, u64::MAX);
        },
        &[
            "fallback_range_empty fallback.amount_min",
            "amount_too_large fallback.amount_max",
            "amount_too_large fallback.budget_amount",
        ],
    ),
    (
        "a fallback without a budget",
        |s| {
            with_fallback(s);
            s.fallback.as_mut().unwrap().budget_amount = 8;
        },
        &["fallback_without_budget fallback.budget_amount"],
    ),
    (
        "rules that name nothing known",
        |s| {
            with_fallback(s);
            s.prizes.pop();
            (s.consolation, s.pity) = (Some(id(8)), Some(Pity { prize: id(8), misses: 3 }));
        },
        &["prize_unknown consolation", "prize_unknown fallback.prize", "prize_unknown pity.prize"],
    ),
    (
        "risk labels that nobody can carry, twice, and too many",
        |s| {
            s.prizes[0].withdrawn_for = vec![String::new(), "bot ".into(), "bot".into(), "bot".into()];
            s.prizes[1].withdrawn_for = ('a'..='q').map(String::from).collect();
        },
        &[
            "label_malformed prizes[0].withdrawn_for[0]",
            "label_malformed prizes[0].withdrawn_for[1]",
            "label_twice prizes[0].withdrawn_for[2]",
            "label_twice prizes[0].withdrawn_for[3]",
            "labels_too_many prizes[1].withdrawn_for",
        ],
    ),
    (
        "pity at once, and of nothing",
        |s| (s.prizes[0].stock, s.pity) = (pooled(0), Some(Pity { prize: id(0), misses: 0 })),
        &["stock_zero prizes[0].stock", "pity_zero pity.misses", "pity_without_stock pity.prize"],
    ),
];

#[test]
fn every_flaw_is_listed_with_its_field() {
    let mut seen = HashSet::new();
    for (name, change, expected) in ROWS {
        let mut strategy = strategy(Mode::Fixed, &[30, 20]);
        change(&mut strategy);
        let problems = check(&strategy);
        seen.extend(problems.iter().map(|problem| problem.flaw));
        let mut got: Vec<String> =
            problems.iter().map(|problem| format!("{} {}", problem.flaw.code(), problem.field)).collect();
        if expected.last() == Some(&"…") {
            got.truncate(expected.len() - 1);
            got.push("…".to_owned());
        }
        assert_eq!(got, *expected, "{name}");
        assert_eq!(
            Deck::new(strategy).is_ok(),
            problems.is_empty(),
            "{name}: only what works becomes a deck"
        );
    }
    let missing: Vec<_> = StrategyFlaw::ALL.iter().filter(|flaw| !seen.contains(flaw)).copied().collect();
    assert_eq!(missing, AROUND, "a flaw without a row; those of the activity around it have rows there");
}

#[test]
fn every_flaw_has_a_name_of_its_own_and_two_texts() {
    let names: HashSet<_> = StrategyFlaw::ALL.iter().map(|flaw| flaw.code()).collect();
    assert_eq!(names.len(), StrategyFlaw::ALL.len());
    for flaw in StrategyFlaw::ALL {
        assert!(flaw.text(Lang::En).is_ascii() && !flaw.text(Lang::Zh).is_ascii(), "{flaw:?}");
    }
}
