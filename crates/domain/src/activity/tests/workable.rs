//! A strategy against the activity around it: every reason why the two cannot work together, by name and field.

use std::collections::BTreeSet;

use super::fields::{draft, raffle};
use crate::activity::*;
use crate::fulfilment::{Gift, PrizeKind};
use crate::ids::CodePoolId;
use crate::lottery::flaw::StrategyFlaw;
use crate::lottery::strategy::{Mode, Pity, Release, Strategy, Tier, TierBy, Tiers, Unlock, UnlockScope};
use crate::lottery::tests::fixtures::{id, pooled, strategy, table, with_fallback};

/// What a strategy cannot know by itself.
pub(crate) const AROUND: [StrategyFlaw; 7] = [
    StrategyFlaw::ReleaseBeyondWindow,
    StrategyFlaw::UnlockBeyondQuota,
    StrategyFlaw::TierBeyondQuota,
    StrategyFlaw::PityBeyondQuota,
    StrategyFlaw::PityWithoutMiss,
    StrategyFlaw::TenBeyondQuota,
    StrategyFlaw::FallbackKind,
];

/// What is tried: prizes 0 and 1 at 30 and 20 of a hundred, in an activity with the chances (total, month, day).
struct Tried {
    strategy: Strategy,
    draft: ActivityDraft,
    cards: Vec<Card>,
}

type Row = (&'static str, (u32, u32, u32), fn(&mut Tried), &'static [&'static str]);

fn unlock(tried: &mut Tried, draws: u32, scope: UnlockScope, current_counts: bool) {
    tried.strategy.prizes[0].unlock = Some(Unlock { draws, scope, current_counts });
}

/// One more table for those who have reached so much.
fn tier(tried: &mut Tried, by: TierBy, from: u64) {
    tried.strategy.tables.push(table(&[(0, 50)]));
    let steps = vec![Tier { from: 0, table: 0 }, Tier { from, table: 1 }];
    tried.strategy.tiers = Some(Tiers { by, steps });
}

fn pity(tried: &mut Tried, misses: u32) {
    tried.strategy.pity = Some(Pity { prize: id(1), misses });
}

/// Everything is always won: the odds fill the whole, and nothing runs out.
fn full(tried: &mut Tried) {
    tried.strategy.tables = vec![table(&[(0, 80), (1, 20)])];
    pity(tried, 3);
}

fn fallback(tried: &mut Tried, kind: PrizeKind, amount: Option<u64>) {
    with_fallback(&mut tried.strategy);
    let prize = tried.strategy.fallback.unwrap().prize;
    tried.cards.retain(|card| card.prize != prize);
    let pool = (kind == PrizeKind::Code).then_some(CodePoolId(1));
    tried.cards.push(Card { pool, ..Card::plain(prize, Gift::new(kind, amount).unwrap()) });
}

const TEN: (u32, u32, u32) = (10, 0, 3);
const GRANTED: (u32, u32, u32) = (0, 0, 0);

const ROWS: &[Row] = &[
    ("as it is", TEN, |_| {}, &[]),
    (
        "released at the last moment, and at the end",
        TEN,
        |t| {
            let until = t.draft.until;
            t.strategy.prizes[1].stock = pooled(9);
            let step = |at, units| Release { at, units };
            t.strategy.prizes[1].release = vec![step(until - 1, 1), step(until, 2), step(until + 1, 3)];
        },
        &["release_beyond_window prizes[1].release[1].at", "release_beyond_window prizes[1].release[2].at"],
    ),
    ("unlocked by the last draw itself", TEN, |t| unlock(t, 10, UnlockScope::InAll, true), &[]),
    (
        "unlocked after the last draw",
        TEN,
        |t| unlock(t, 10, UnlockScope::InAll, false),
        &["unlock_beyond_quota prizes[0].unlock.draws"],
    ),
    ("the month and the day are not the round", (10, 2, 1), |t| unlock(t, 10, UnlockScope::InAll, true), &[]),
    ("unlocked by the last of a day", TEN, |t| unlock(t, 3, UnlockScope::Today, true), &[]),
    (
        "more draws than a day has",
        TEN,
        |t| unlock(t, 4, UnlockScope::Today, true),
        &["unlock_beyond_quota prizes[0].unlock.draws"],
    ),
    (
        "more draws today than a month has",
        (10, 2, 0),
        |t| unlock(t, 3, UnlockScope::Today, true),
        &["unlock_beyond_quota prizes[0].unlock.draws"],
    ),
    ("every chance is granted", GRANTED, |t| unlock(t, 99, UnlockScope::InAll, true), &[]),
    ("a tier for the last draw", TEN, |t| tier(t, TierBy::Draws, 9), &[]),
    ("a tier after it", TEN, |t| tier(t, TierBy::Draws, 10), &["tier_beyond_quota tiers[1].from"]),
    ("a tier of granted draws", GRANTED, |t| tier(t, TierBy::Draws, 10), &[]),
    ("points know no such end", TEN, |t| tier(t, TierBy::PointsSpent, 10), &[]),
    ("certain in the last draw", TEN, |t| pity(t, 9), &[]),
    ("certain after it", TEN, |t| pity(t, 10), &["pity_beyond_quota pity.misses"]),
    ("certain after granted draws", GRANTED, |t| pity(t, 10), &[]),
    ("nobody ever misses", TEN, full, &["pity_without_miss pity"]),
    (
        "one prize may run out",
        TEN,
        |t| {
            full(t);
            t.strategy.prizes[0].stock = pooled(5);
        },
        &[],
    ),
    (
        "what runs out leaves the wheel to what does not",
        TEN,
        |t| {
            full(t);
            (t.strategy.prizes[0].stock, t.strategy.mode) = (pooled(5), Mode::Renormalised);
        },
        &["pity_without_miss pity"],
    ),
    (
        "everything may be locked",
        TEN,
        |t| {
            full(t);
            t.strategy.mode = Mode::Renormalised;
            for prize in &mut t.strategy.prizes {
                prize.win_cap = Some(1);
            }
        },
        &[],
    ),
    (
        "the money may run out",
        TEN,
        |t| {
            full(t);
            (t.strategy.prizes[0].cost_minor, t.strategy.budget.day_minor) = (5, Some(50));
        },
        &[],
    ),
    (
        "only some never miss",
        TEN,
        |t| {
            full(t);
            tier(t, TierBy::Draws, 5);
        },
        &[],
    ),
    ("ten at a time", (10, 10, 10), |t| t.draft.kind = KindSettings::Instant { ten: true }, &[]),
    (
        "ten at a time of nine",
        (9, 0, 0),
        |t| t.draft.kind = KindSettings::Instant { ten: true },
        &["ten_beyond_quota ten"],
    ),
    (
        "ten at a time of nine a month",
        (90, 9, 0),
        |t| t.draft.kind = KindSettings::Instant { ten: true },
        &["ten_beyond_quota ten"],
    ),
    (
        "ten at a time of nine a day",
        (90, 0, 9),
        |t| t.draft.kind = KindSettings::Instant { ten: true },
        &["ten_beyond_quota ten"],
    ),
    ("ten granted at a time", GRANTED, |t| t.draft.kind = KindSettings::Instant { ten: true }, &[]),
    ("points instead", TEN, |t| fallback(t, PrizeKind::Points, Some(0)), &[]),
    ("a text instead", TEN, |t| fallback(t, PrizeKind::Text, None), &[]),
    ("a parcel instead", TEN, |t| fallback(t, PrizeKind::Parcel, None), &["fallback_kind fallback.prize"]),
    ("a code instead", TEN, |t| fallback(t, PrizeKind::Code, None), &["fallback_kind fallback.prize"]),
    ("a coupon instead", TEN, |t| fallback(t, PrizeKind::Coupon, None), &["fallback_kind fallback.prize"]),
    ("chances instead", TEN, |t| fallback(t, PrizeKind::Chances, Some(1)), &["fallback_kind fallback.prize"]),
    (
        "everything at once, after what is wrong with the strategy itself",
        (2, 0, 0),
        |t| {
            t.strategy.prizes[0].stock = pooled(0);
            unlock(t, 3, UnlockScope::InAll, true);
            pity(t, 2);
            t.draft.kind = KindSettings::Instant { ten: true };
        },
        &[
            "stock_zero prizes[0].stock",
            "unlock_beyond_quota prizes[0].unlock.draws",
            "pity_beyond_quota pity.misses",
            "ten_beyond_quota ten",
        ],
    ),
];

#[test]
fn every_flaw_is_listed_with_its_field() {
    let mut seen = BTreeSet::new();
    for (name, (total, month, day), change, expected) in ROWS {
        let limit = |limit: u32| (limit > 0).then_some(limit);
        let chances = Chances { total: *total, month: limit(*month), day: limit(*day) };
        let draft = ActivityDraft { chances, kind: KindSettings::Instant { ten: false }, ..draft() };
        let mut tried = Tried { strategy: strategy(Mode::Fixed, &[30, 20]), draft, cards: Vec::new() };
        change(&mut tried);
        let Tried { strategy, draft, cards } = tried;
        let configuration = draft.check().unwrap();
        let content = Content { configuration, plan: Plan::Instant(strategy), cards };
        let told = flaws(&content, |_, field| field.to_owned());
        seen.extend(told.iter().map(|flaw| flaw.code));
        let told: Vec<String> = told.iter().map(|flaw| format!("{} {}", flaw.code, flaw.field)).collect();
        assert_eq!(told, *expected, "{name}");
    }
    assert!(AROUND.iter().all(|flaw| seen.contains(flaw.code())), "a flaw without a row");
}

#[test]
fn a_raffle_has_prizes_and_units_of_each() {
    let prize = |number, units| RafflePrize { id: id(number), name: "car".to_owned(), units };
    for (prizes, expected) in [
        (vec![prize(0, 1)], vec![]),
        (vec![], vec!["prizes_none prizes"]),
        (vec![prize(0, 1), prize(1, 0)], vec!["stock_zero prizes[1].units"]),
    ] {
        let configuration = ActivityDraft { kind: raffle(3_000, None), ..draft() }.check().unwrap();
        let content = Content { configuration, plan: Plan::Raffle(prizes), cards: vec![] };
        let told = flaws(&content, |_, field| field.to_owned());
        let told: Vec<String> = told.iter().map(|flaw| format!("{} {}", flaw.code, flaw.field)).collect();
        assert_eq!(told, expected);
    }
}
