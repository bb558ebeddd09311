//! Strategies and records: there is one way to write each, and it is pinned.

use proptest::prelude::*;

use super::fixtures::{Given, id, key, one, pooled, strategy, table, ten, told, with_fallback};
use crate::ledger::play::Settlement;
use crate::lottery::LotteryWireError;
use crate::lottery::live::{Exclusion, ExclusionReason};
use crate::lottery::record::Record;
use crate::lottery::rule_path::RulePath;
use crate::lottery::strategy::{
    Mode, PRIZES_MAX, Pity, Release, Strategy, Tier, TierBy, Tiers, Unlock, UnlockScope, WHOLE_MAX,
};
use crate::lottery::ticket::settle;
use crate::time::Timestamp;

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Everything that a strategy can say.
fn everything() -> Strategy {
    let mut strategy = strategy(Mode::Renormalised, &[13, 20, 7]);
    strategy.prizes[0].stock = pooled(5);
    strategy.prizes[0].release =
        vec![Release { at: Timestamp(1_000), units: 2 }, Release { at: Timestamp(2_000), units: 5 }];
    strategy.prizes[0].cost_minor = 99_900;
    strategy.prizes[1].unlock = Some(Unlock { draws: 3, scope: UnlockScope::Today, current_counts: true });
    strategy.prizes[1].win_cap = Some(2);
    strategy.prizes[1].name = "一等奖".into();
    strategy.prizes[2].hourly_cap = Some(50);
    strategy.tables.push(table(&[(2, 100)]));
    let steps = vec![Tier { from: 0, table: 0 }, Tier { from: 9, table: 1 }];
    strategy.tiers = Some(Tiers { by: TierBy::PointsSpent, steps });
    strategy.consolation = Some(id(2));
    strategy.pity = Some(Pity { prize: id(1), misses: 6 });
    (strategy.budget.total_minor, strategy.budget.day_minor) = (Some(1_000_000), Some(200_000));
    with_fallback(&mut strategy);
    strategy
}

/// The same, and prizes that are withdrawn for users with a risk label.
fn labelled() -> Strategy {
    let mut strategy = everything();
    strategy.prizes[0].withdrawn_for = vec!["bot".into(), "羊毛党".into()];
    strategy
}

/// Form 2 is for strategies with labels and for no other: one strategy, one hash.
#[test]
fn a_strategy_with_risk_labels_has_a_form_of_its_own() {
    let (plain, bytes) = (everything().encode(), labelled().encode());
    assert_eq!((plain[2], bytes[2]), (1, 2));
    // Two labels with their lengths beside an empty list, and an empty list for each of the three other prizes.
    assert_eq!(bytes.len(), plain.len() + 4 * 2 + (2 + 3) + (2 + 9));
    let mut empty = strategy(Mode::Fixed, &[1]);
    empty.prizes[0].withdrawn_for = vec!["bot".into()];
    let mut bytes = empty.encode();
    let at = bytes.windows(3).position(|three| three == b"bot").unwrap();
    bytes.drain(at - 2..at + 3);
    bytes[at - 3] = 0;
    assert_eq!(
        Strategy::decode(&bytes),
        Err(LotteryWireError::Value("form")),
        "form 2 without a label is none"
    );
    assert_ne!(labelled().hash(), everything().hash());
}

/// A ten-draw with a bit of everything: a prize is gone, another runs out on the way, the fallback's purse does too.
pub fn eventful() -> (Given, Strategy, Record) {
    let mut strategy = strategy(Mode::Fixed, &[40, 40]);
    strategy.prizes[0].stock = pooled(2);
    with_fallback(&mut strategy);
    strategy.fallback.as_mut().unwrap().budget_amount = 16;
    let mut given = Given::new(strategy.clone());
    given.shelf.withdraw(&given.deck, id(1), true);
    (given.player.draws, given.player.draws_today) = (12, 2);
    given.player.rule_path = RulePath::new(&[3, 0, 200, 1]).unwrap();
    let record = settle(&given.deck, &given.generator, &given.shelf, key(12), &given.player, ten());
    (given, strategy, record)
}

/// With odds so fine that no two rolls are the same.
pub fn plain() -> (Given, Strategy, Record) {
    let mut strategy = strategy(Mode::Fixed, &[WHOLE_MAX / 5 * 2, WHOLE_MAX / 5 * 2]);
    strategy.whole = WHOLE_MAX;
    let given = Given::new(strategy.clone());
    let record = settle(
        &given.deck,
        &given.generator,
        &given.shelf,
        key(given.hitting(Some(1))),
        &given.player,
        one(),
    );
    (given, strategy, record)
}

#[test]
fn a_strategy_is_written_in_one_way() {
    assert_eq!(hex(&everything().encode()), include_str!("strategy_1.hex").trim(), "the bytes are for good");
    assert_eq!(
        hex(&everything().hash().0),
        "805233c9a7e85a4f5d50b37e4abf5ea0627b748cde0dcb329bc3995afd2fbaf4"
    );
    for strategy in [everything(), labelled(), strategy(Mode::Fixed, &[1]), strategy(Mode::Fixed, &[])] {
        assert_eq!(Strategy::decode(&strategy.encode()), Ok(strategy));
    }
    let bytes = everything().encode();
    for end in 0..bytes.len() {
        assert!(Strategy::decode(&bytes[..end]).is_err(), "cut at {end}");
    }
    let mut changed = bytes.clone();
    changed[2] = 3;
    assert_eq!(Strategy::decode(&changed), Err(LotteryWireError::Version(3)));
}

#[test]
fn a_record_is_written_in_one_way() {
    let (_, _, record) = plain();
    assert_eq!(hex(&record.encode()), include_str!("record_1_plain.hex").trim());
    let (_, _, record) = eventful();
    assert_eq!(hex(&record.encode()), include_str!("record_1_ten.hex").trim());
    assert_eq!(Record::decode(&record.encode()), Ok(record));
}

#[test]
fn the_ten_draws_of_the_pinned_record() {
    let (_, _, record) = eventful();
    let told: Vec<String> = record.draws.iter().map(|draw| told(&draw.drawn)).collect();
    let expected = [
        "9 with points instead of 1: Withdrawn",
        "no prize",
        "no prize",
        "9 with points instead of 1: Withdrawn",
        "0",
        "nothing instead of 1: Withdrawn",
        "0",
        "no prize",
        "nothing instead of 1: Withdrawn",
        "nothing instead of 0: Exhausted",
    ];
    assert_eq!(told, expected);
}

#[test]
fn records_are_small() {
    let (_, _, record) = plain();
    assert!(
        record.encode().len() <= 66,
        "a plain draw, with the finest odds there are, takes {} bytes",
        record.encode().len()
    );
    // The worst there is: all of the most prizes are gone, neighbours always for different reasons, and later each for
    // another reason once more. It fits what the ledger keeps.
    let mut record = eventful().2;
    let first = [
        ExclusionReason::Exhausted,
        ExclusionReason::BudgetDay,
        ExclusionReason::Unreleased,
        ExclusionReason::BudgetDay,
    ];
    let tell = |reasons: [ExclusionReason; 4]| {
        let gone = (0..PRIZES_MAX).zip(reasons.into_iter().cycle());
        gone.map(|(prize, reason)| Exclusion { prize: id(prize), reason }).collect::<Vec<_>>()
    };
    record.draws.iter_mut().for_each(|draw| draw.news.clear());
    record.draws[0].news = tell(first);
    record.draws[5].news = tell(first);
    record.draws[5].news.retain(|one| one.reason == ExclusionReason::BudgetDay);
    record.draws[5].news.iter_mut().for_each(|one| one.reason = ExclusionReason::BudgetTotal);
    let bytes = record.encode();
    assert_eq!(Record::decode(&bytes), Ok(record));
    assert!(Settlement::new(&bytes).is_some(), "{} bytes", bytes.len());
}

/// A path has its length before it, at most 33.
#[test]
fn a_rule_path_is_written_in_one_way() {
    let (_, _, record) = plain();
    let bytes = record.encode();
    // After three short counts: no path, as one byte.
    let (head, tail) = (&bytes[..55], &bytes[56..]);
    assert_eq!(bytes[55], 0);
    let longest = [&[33][..], &[9; 33]].concat();
    for (name, path, expected) in [
        ("none", &[0][..], Ok(&[][..])),
        ("a leaf alone", &[1, 0], Ok(&[0][..])),
        ("the longest", &longest, Ok(&longest[1..])),
        ("too long", &[&[34][..], &[9; 34]].concat(), Err(LotteryWireError::Value("rule path"))),
        ("a needless byte", &[0x80, 0], Err(LotteryWireError::Value("a short number"))),
    ] {
        let changed = [head, path, tail].concat();
        let got = Record::decode(&changed);
        assert_eq!(
            got.as_ref().map(|record| record.rule_path.as_bytes()).map_err(|error| *error),
            expected,
            "{name}"
        );
        if let Ok(record) = got {
            assert_eq!(record.encode(), changed, "{name}");
        }
    }
}

/// The news of a plain draw, byte by byte.
#[test]
fn news_are_written_in_one_way() {
    let (group, run) =
        (LotteryWireError::Value("a group of prizes"), LotteryWireError::Value("a run of prizes"));
    let rows: [(&str, &[u8], Option<LotteryWireError>); 12] = [
        ("none", &[0], None),
        ("prize 5 is exhausted", &[1, 1, 1, 5, 1], None),
        ("prizes 0, 1 and 3", &[1, 1, 2, 0, 2, 1, 1], None),
        ("a group of none", &[1, 1, 0], Some(group)),
        ("groups out of order", &[2, 2, 1, 0, 1, 1, 1, 1, 1], Some(group)),
        ("what is locked", &[1, 10, 1, 0, 1], Some(group)),
        ("no such reason", &[1, 11, 1, 0, 1], Some(LotteryWireError::Value("reason"))),
        ("runs that touch", &[1, 1, 2, 0, 1, 0, 1], Some(run)),
        ("a run of none", &[1, 1, 1, 0, 0], Some(run)),
        ("beyond the last prize", &[1, 1, 1, 0x80, 0x20, 1], Some(run)),
        (
            "one prize, two reasons",
            &[2, 1, 1, 0, 1, 2, 1, 0, 1],
            Some(LotteryWireError::Value("a prize with two reasons")),
        ),
        ("and more", &[1, 1, 1, 0, 1, 9], Some(LotteryWireError::Long)),
    ];
    let plain = plain().2.encode();
    for (name, news, expected) in rows {
        let bytes = [&plain[..plain.len() - 1], news].concat();
        assert_eq!(Record::decode(&bytes).err(), expected, "{name}");
    }
}

/// Any bit of a record with all there is to write: refused, or another record with those bytes and no others.
#[test]
fn a_changed_record_has_no_second_form() {
    let mut record = eventful().2;
    let told = [
        (1, ExclusionReason::Exhausted),
        (2, ExclusionReason::Exhausted),
        (4, ExclusionReason::Exhausted),
        (7, ExclusionReason::Withdrawn),
    ];
    record.draws[4].news = told.map(|(prize, reason)| Exclusion { prize: id(prize), reason }).to_vec();
    let bytes = record.encode();
    for at in 0..bytes.len() {
        for changed in 0..=u8::MAX {
            let mut bytes = bytes.clone();
            bytes[at] = changed;
            if let Ok(record) = Record::decode(&bytes) {
                assert_eq!(record.encode(), bytes, "byte {at} as {changed}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    /// Whatever the bytes: an answer, and if it is a record, those are its only bytes.
    #[test]
    fn reading_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200), graft in any::<bool>(), at in 0..90_usize) {
        let mut all = bytes.clone();
        if graft {
            let mut real = eventful().2.encode();
            real.truncate(at.min(real.len()));
            real.extend_from_slice(&bytes);
            all = real;
        }
        if let Ok(record) = Record::decode(&all) {
            prop_assert_eq!(record.encode(), all.clone());
        }
        if let Ok(strategy) = Strategy::decode(&all) {
            prop_assert_eq!(strategy.encode(), all);
        }
    }
}
