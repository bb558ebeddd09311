//! Holes of other systems that can be shown closed by the decision alone; see `docs/holes.md`.

use std::collections::BTreeMap;

use super::fixtures::{Given, id, key, one, pooled, pooled_in, prize, strategy, ten, told, with_fallback};
use crate::lottery::strategy::{Mode, PPM, Tier, TierBy, Tiers, Unlock, UnlockScope};
use crate::lottery::ticket::{pool_lines, settle};

/// A miss is a result with a record like any other, and the same draw decided again is the same miss.
#[test]
fn hole_41_a_miss_is_a_result_and_is_never_drawn_again() {
    let given = Given::new(strategy(Mode::Fixed, &[1]));
    let n = given.hitting(None);
    let first = settle(&given.deck, &given.generator, &given.shelf, key(n), &given.player, one());
    assert_eq!(told(&first.draws[0].drawn), "no prize");
    for _ in 0..100 {
        let again = settle(&given.deck, &given.generator, &given.shelf, key(n), &given.player, one());
        assert_eq!(again, first);
    }
}

/// What is left is read in the same step as the draw: the last unit goes, and the very next draw has another table.
#[test]
fn hole_43_always_wins_wins_also_when_the_last_unit_goes() {
    let mut strategy = strategy(Mode::Renormalised, &[99, 1]);
    (strategy.prizes[0].stock, strategy.prizes[1].stock) = (pooled_in(1, 1), pooled_in(2, 9));
    let mut given = Given::new(strategy);
    let record = settle(&given.deck, &given.generator, &given.shelf, key(0), &given.player, ten());
    let won: Vec<_> = record.draws.iter().map(|draw| draw.drawn.prize.map(super::fixtures::number)).collect();
    assert_eq!(won.iter().filter(|prize| **prize == Some(0)).count(), 1, "{won:?}");
    assert_eq!(won.iter().filter(|prize| **prize == Some(1)).count(), 9, "ten units, ten wins: {won:?}");
    let taken: Vec<_> =
        pool_lines(&given.deck, &record).iter().map(|line| (line.pool.0, line.quantity.units())).collect();
    assert_eq!(taken.iter().copied().collect::<BTreeMap<_, _>>(), BTreeMap::from([(1, 1), (2, 9)]));
    record.draws.iter().for_each(|draw| given.shelf.give(&given.deck, &draw.drawn));
    assert_eq!(told(&given.draw(10)), "nothing, for nothing is left");
}

/// Odds of one in a million are written as they are; weighed anew, nothing is rounded and nobody gets the rest.
#[test]
fn hole_44_odds_below_one_per_cent_keep_their_share() {
    let mut strategy = strategy(Mode::Renormalised, &[1, 9_999, 90_000, 500_000]);
    strategy.whole = PPM;
    let mut given = Given::new(strategy);
    given.shelf.withdraw(&given.deck, id(3), true);
    let wheel = given.shelf.live().wheel(&given.deck, 0);
    let widths = [0, 1, 2].map(|prize| wheel.stretch(id(prize)).unwrap().width);
    assert_eq!((widths, wheel.total()), ([1, 9_999, 90_000], 500_000));
    let hits = (0..wheel.total()).filter(|roll| wheel.land(*roll) == Some(id(2))).count();
    assert_eq!(hits, 90_000, "not a part more for the last one");
}

/// A table is compiled whole or not at all, and the same strategy is the same deck wherever it is compiled.
#[test]
fn hole_45_a_table_is_whole_and_the_same_everywhere() {
    let strategy = strategy(Mode::Fixed, &[13, 40]);
    let (one, other) = (Given::new(strategy.clone()), Given::new(strategy));
    assert_eq!(one.deck.hash(), other.deck.hash());
    for n in 0..1_000 {
        assert_eq!(one.draw(n), other.draw(n));
    }
}

#[test]
fn hole_51_block_list_and_tiers_obey_the_stock() {
    let mut strategy = strategy(Mode::Fixed, &[50]);
    strategy.prizes[0].stock = pooled(1);
    strategy.prizes.push(prize(5));
    strategy.prizes[1].stock = pooled_in(2, 1);
    strategy.consolation = Some(id(5));
    strategy.tables.push(super::fixtures::table(&[(0, 100)]));
    let steps = vec![Tier { from: 0, table: 0 }, Tier { from: 5, table: 1 }];
    strategy.tiers = Some(Tiers { by: TierBy::Draws, steps });
    let mut given = Given::new(strategy);
    for (blocked, draws, expected) in [
        (true, 0, "5 as consolation"),
        (true, 0, "nothing as consolation is gone"),
        (false, 5, "0"),
        (false, 5, "nothing instead of 0: Exhausted"),
    ] {
        (given.player.blocked, given.player.draws) = (blocked, draws);
        let drawn = given.draw(0);
        assert_eq!(told(&drawn), expected);
        given.shelf.give(&given.deck, &drawn);
    }
}

/// Whether the current draw counts is written in the rule, and it counts as written.
#[test]
fn hole_51_the_unlock_rule_counts_as_stated() {
    for (current_counts, first_open) in [(true, 2), (false, 3)] {
        let mut strategy = strategy(Mode::Fixed, &[100]);
        strategy.prizes[0].unlock = Some(Unlock { draws: 3, scope: UnlockScope::InAll, current_counts });
        let given = Given::new(strategy);
        let record = settle(&given.deck, &given.generator, &given.shelf, key(0), &given.player, ten());
        let won = record.draws.iter().position(|draw| draw.drawn.prize.is_some());
        assert_eq!(won, Some(first_open), "current counts: {current_counts}");
    }
}

/// Of a million rolls, 130,000 lie on a slice of 13 %, whatever stands beside it.
#[test]
fn hole_51_thirteen_per_cent_stays_thirteen_per_cent() {
    let mut strategy = strategy(Mode::Fixed, &[1, 130_000, 7, 333_333]);
    strategy.whole = PPM;
    let given = Given::new(strategy);
    let wheel = given.deck.wheel(0);
    assert_eq!((0..PPM).filter(|roll| wheel.land(*roll) == Some(id(1))).count(), 130_000);
}

/// "Empty" is not a fault that flies past the fallback: it leads there.
#[test]
fn hole_51_an_empty_stock_reaches_the_fallback() {
    for (mode, odds) in [(Mode::Fixed, 100), (Mode::Renormalised, 100), (Mode::Renormalised, 60)] {
        let mut strategy = strategy(mode, &[odds]);
        strategy.prizes[0].stock = pooled(1);
        with_fallback(&mut strategy);
        let mut given = Given::new(strategy);
        given.shelf.give(&given.deck, &given.draw(given.hitting(Some(0))));
        let drawn = given.draw(given.hitting(Some(0)));
        assert_eq!((drawn.prize, drawn.points > 0), (Some(id(9)), true), "{mode:?}: {drawn:?}");
    }
}
