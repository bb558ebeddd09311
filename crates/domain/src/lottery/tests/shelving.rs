//! What an activity still has to give: over time, under caps, within budgets.

use std::collections::BTreeSet;

use super::fixtures::{DAY, Given, NOON, id, pooled, strategy, told, with_fallback};
use crate::lottery::strategy::{Mode, Release};
use crate::time::{HOUR_MS, Timestamp};

/// Units become drawable over time, and only so many an hour.
#[test]
fn pacing() {
    let mut paced = strategy(Mode::Fixed, &[100]);
    paced.prizes[0].stock = pooled(10);
    let step = |hours: i64, units| Release { at: Timestamp(NOON.0 + hours * HOUR_MS), units };
    paced.prizes[0].release = vec![step(1, 2), step(3, 10)];
    paced.prizes[0].hourly_cap = Some(3);
    let mut given = Given::new(paced);
    for (minutes, expected) in [
        (0, "nothing instead of 0: Unreleased"),
        (59, "nothing instead of 0: Unreleased"),
        (60, "0"),
        (60, "0"),
        (61, "nothing instead of 0: Unreleased"),
        (179, "nothing instead of 0: Unreleased"),
        (180, "0"),
        (181, "0"),
        (182, "0"),
        (183, "nothing instead of 0: HourlyCap"),
        (239, "nothing instead of 0: HourlyCap"),
        (240, "0"),
        // Back in time is no time at all.
        (100, "0"),
        (241, "0"),
        (242, "nothing instead of 0: HourlyCap"),
        (300, "0"),
        (301, "0"),
        (302, "nothing instead of 0: Exhausted"),
    ] {
        given.shelf.advance(&given.deck, Timestamp(NOON.0 + minutes * 60_000), DAY);
        let drawn = given.draw(0);
        assert_eq!(told(&drawn), expected, "after {minutes} minutes");
        given.shelf.give(&given.deck, &drawn);
    }
}

/// Money: what no longer fits is gone, what is cheaper is not, and a new day has its own.
#[test]
fn budgets() {
    let mut costly = strategy(Mode::Renormalised, &[99, 1]);
    (costly.prizes[0].cost_minor, costly.prizes[1].cost_minor) = (100, 30);
    (costly.budget.total_minor, costly.budget.day_minor) = (Some(400), Some(150));
    with_fallback(&mut costly);
    let mut given = Given::new(costly);
    // The roll always lands on the dear one, while it is there.
    let n = given.hitting(Some(0));
    for (day, expected) in [
        (0, "0"),
        (0, "1"),
        (0, "9 with points, for nothing is left"),
        (1, "0"),
        (1, "1"),
        (2, "0"),
        (2, "1"),
        // Ten are left in all.
        (2, "9 with points, for nothing is left"),
        (3, "9 with points, for nothing is left"),
    ] {
        given.shelf.advance(&given.deck, NOON, DAY + day);
        let drawn = given.draw(n);
        assert_eq!(told(&drawn), expected, "on day {day}");
        given.shelf.give(&given.deck, &drawn);
    }
    assert_eq!(given.shelf.spent().total_minor, 390);
}

/// The fallback gives while its purse covers the most of its range, and never beyond it.
#[test]
fn the_fallback_has_a_purse() {
    let mut strategy = strategy(Mode::Fixed, &[100]);
    with_fallback(&mut strategy);
    let mut given = Given::new(strategy);
    given.shelf.withdraw(&given.deck, id(0), true);
    let mut amounts = BTreeSet::new();
    let mut n = 0;
    while let Some(prize) = given.draw(n).prize {
        assert_eq!(prize, id(9));
        amounts.insert(given.draw(n).points);
        given.shelf.give(&given.deck, &given.draw(n));
        n += 1;
    }
    let spent = given.shelf.spent().fallback_points;
    assert!((92..=100).contains(&spent), "{spent} points of 100, and 9 no longer fit");
    assert!(amounts.iter().all(|points| (5..=9).contains(points)) && amounts.len() > 2, "{amounts:?}");
}
