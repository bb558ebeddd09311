//! Records, strategies and chains: their bytes are pinned, and whoever changes one is found out.

use proptest::prelude::*;

use super::given::{Given, id, key, one, pooled, prize, secret, strategy, table, ten, told, with_fallback};
use crate::ids::ActivityId;
use crate::ledger::play::{Draws, SETTLEMENT_MAX, Settlement};
use crate::lottery::WireError;
use crate::lottery::chain::{Published, Receipt};
use crate::lottery::live::{Excluded, Reason};
use crate::lottery::random::{ClientValue, Commitment, Secret};
use crate::lottery::record::Record;
use crate::lottery::replay::{Difference, Mismatch, Replayer, What};
use crate::lottery::strategy::{
    Mode, PRIZES_MAX, Pity, PrizeId, Release, Slice, SlotIndex, Strategy, Tier, TierBy, Tiers, Unlock,
    UnlockScope,
};
use crate::lottery::ticket::settle;
use crate::time::Timestamp;

fn hex(bytes: &[u8]) -> String {
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

/// A ten-draw with a bit of everything: a prize is gone, another runs out on the way, the fallback's purse does too.
fn eventful() -> (Given, Strategy, Record) {
    let mut strategy = strategy(Mode::Fixed, &[40, 40]);
    strategy.prizes[0].stock = pooled(2);
    with_fallback(&mut strategy);
    strategy.fallback.as_mut().unwrap().budget_points = 16;
    let mut given = Given::new(strategy.clone());
    given.shelf.withdraw(&given.deck, id(1), true);
    (given.player.draws, given.player.draws_today, given.player.rule_path) = (12, 2, 345);
    let record = settle(&given.deck, &given.generator, &given.shelf, key(12), &given.player, ten());
    (given, strategy, record)
}

fn plain() -> (Given, Strategy, Record) {
    let strategy = strategy(Mode::Fixed, &[40, 40]);
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
    assert_eq!(hex(&everything().hash().0), "HASH");
    for strategy in [everything(), strategy(Mode::Fixed, &[1]), strategy(Mode::Fixed, &[])] {
        assert_eq!(Strategy::decode(&strategy.encode()), Ok(strategy));
    }
    let bytes = everything().encode();
    for end in 0..bytes.len() {
        assert!(Strategy::decode(&bytes[..end]).is_err(), "cut at {end}");
    }
    let mut changed = bytes.clone();
    changed[2] = 2;
    assert_eq!(Strategy::decode(&changed), Err(WireError::Version(2)));
}

#[test]
fn a_record_is_written_in_one_way() {
    let (_, _, record) = plain();
    assert_eq!(hex(&record.encode()), "PLAIN");
    let (_, _, record) = eventful();
    assert_eq!(hex(&record.encode()), "EVENTFUL");
    assert_eq!(Record::decode(&record.encode()), Ok(record));
}

#[test]
fn the_ten_draws_of_the_pinned_record() {
    let (_, _, record) = eventful();
    let told: Vec<String> = record.draws.iter().map(|draw| told(&draw.drawn)).collect();
    assert_eq!(told, ["TOLD"]);
}

#[test]
fn records_are_small() {
    let (_, _, record) = plain();
    assert!(record.encode().len() <= 64, "a plain draw takes {} bytes", record.encode().len());
    // The worst there is: every other of the most prizes is gone, for two reasons, and the draws differ.
    let mut record = eventful().2;
    for (at, draw) in record.draws.iter_mut().enumerate() {
        let reason = |prize: u16| if prize % 4 < 2 { Reason::Exhausted } else { Reason::HourlyCap };
        let gone = (0..PRIZES_MAX).filter(|prize| usize::from(prize % 2) == at % 2);
        draw.excluded = gone.map(|prize| Excluded { prize: id(prize), reason: reason(prize) }).collect();
    }
    let bytes = record.encode();
    assert_eq!(Record::decode(&bytes), Ok(record));
    assert!(bytes.len() > SETTLEMENT_MAX && Settlement::new(&bytes).is_none(), "{}", bytes.len());
}

type Change = (&'static str, fn(&mut Record), Difference);

/// Whoever changes an input or an outcome, and writes the record well, is found out by deciding again.
#[test]
fn a_changed_record_does_not_replay() {
    let wrong = |n, what| Difference::Draw { n, what };
    let (given, strategy, record) = eventful();
    let replayer = Replayer::new(given.published(), strategy, &secret()).unwrap();
    assert_eq!(replayer.replay(&record.encode()), Ok(record.clone()));
    let rows: &[Change] = &[];
    for (name, change, expected) in rows {
        let mut changed = record.clone();
        change(&mut changed);
        assert_eq!(replayer.replay(&changed.encode()), Err(expected.clone()), "{name}");
    }
    let _ = wrong(0, What::Why);
}

/// Not a byte can be changed: what does not replay differently is found by the chain.
#[test]
fn any_changed_byte_is_found() {
    for (given, strategy, record) in [plain(), eventful()] {
        let bytes = record.encode();
        let mut replayer = Replayer::new(given.published(), strategy, &secret()).unwrap();
        let receipt = given.published().begin().next(&bytes);
        let mut by_replay = 0;
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                assert_eq!(
                    replayer.follow(&changed, &receipt),
                    Err(Difference::Chain),
                    "bit {bit} of byte {at}"
                );
                by_replay += usize::from(replayer.replay(&changed).is_err());
            }
        }
        // What is left to the chain alone are inputs that no rule of this strategy read: the moment, the day, counts.
        assert!(by_replay * 4 > bytes.len() * 8 * 3, "{by_replay} of {} bits", bytes.len() * 8);
        assert!(replayer.follow(&bytes, &receipt).is_ok());
    }
}

#[test]
fn a_chain_has_no_gap_and_no_guest() {
    let strategy = strategy(Mode::Fixed, &[40, 40]);
    let given = Given::new(strategy.clone());
    let mut receipts: Vec<(Vec<u8>, Receipt)> = Vec::new();
    let mut last = given.published().begin();
    for n in 0..5 {
        let bytes =
            settle(&given.deck, &given.generator, &given.shelf, key(n), &given.player, one()).encode();
        last = last.next(&bytes);
        receipts.push((bytes, last));
    }
    let replayer = || Replayer::new(given.published(), strategy.clone(), &secret()).unwrap();
    let follow = |order: &[usize]| {
        let mut replayer = replayer();
        order.iter().position(|at| replayer.follow(&receipts[*at].0, &receipts[*at].1).is_err())
    };
    for (name, order, stops) in [
        ("as it was", vec![0, 1, 2, 3, 4], None),
        ("one dropped", vec![0, 1, 3, 4], Some(2)),
        ("two swapped", vec![0, 2, 1], Some(1)),
        ("one twice", vec![0, 1, 1], Some(2)),
        ("begun later", vec![1], Some(0)),
    ] {
        assert_eq!(follow(&order), stops, "{name}");
    }
    assert_eq!(hex(&receipts[4].1.link.0), "LINK", "the chain is for good");
}

#[test]
fn a_replay_begins_with_what_was_published() {
    let (given, strategy, _) = plain();
    let published = given.published();
    let mut other = strategy.clone();
    other.tables[0].slices[0].odds -= 1;
    let mut next = strategy.clone();
    next.version = 2;
    let begin =
        |published, strategy: &Strategy, secret| Replayer::new(published, strategy.clone(), &secret).err();
    assert_eq!(begin(published, &strategy, secret()), None);
    assert_eq!(begin(published, &strategy, Secret::new([0; 32])), Some(Mismatch::Secret));
    assert_eq!(begin(published, &other, secret()), Some(Mismatch::Strategy));
    assert_eq!(begin(published, &next, secret()), Some(Mismatch::Strategy));
    let unfit = Published { strategy: next.hash(), ..published };
    assert_eq!(
        begin(unfit, &next, secret()),
        Some(Mismatch::Strategy),
        "of another version than was published"
    );
    let mut flawed = strategy.clone();
    flawed.prizes.push(prize(7));
    let foolish = Published { strategy: flawed.hash(), ..published };
    assert!(matches!(begin(foolish, &flawed, secret()), Some(Mismatch::Flawed(_))));
    for other in [
        Published { activity: ActivityId(1), ..published },
        Published { round: 2, ..published },
        Published { version: 2, ..published },
        Published { commitment: Commitment([0; 32]), ..published },
        unfit,
    ] {
        assert_ne!(other.link(), published.link(), "every part of what is published is in the chain");
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
