//! The rules of a draw, one by one and together.

use super::fixtures::{Given, id, pooled, prize, strategy, table, told, with_fallback};
use crate::lottery::decide::PlayerHistory;
use crate::lottery::deck::Deck;
use crate::lottery::shelf::Shelf;
use crate::lottery::strategy::{
    Mode, Pity, SlotIndex, Strategy, Tier, TierBy, Tiers, Unlock, UnlockScope, WHOLE_MAX,
};

/// What is published, who draws, how the shelf stands, what the roll hits, and what comes of it.
type Row = (
    &'static str,
    fn(&mut Strategy),
    fn(&mut PlayerHistory),
    fn(&Deck, &mut Shelf),
    Option<u16>,
    &'static str,
);

const AS_IS: fn(&mut Strategy) = |_| {};
const ANYBODY: fn(&mut PlayerHistory) = |_| {};
const FULL: fn(&Deck, &mut Shelf) = |_, _| {};
const NO_0: fn(&Deck, &mut Shelf) = |deck, shelf| shelf.withdraw(deck, id(0), true);
const NO_0_NOR_9: fn(&Deck, &mut Shelf) = |deck, shelf| {
    shelf.withdraw(deck, id(0), true);
    shelf.withdraw(deck, id(9), true);
};

fn unlock(strategy: &mut Strategy, draws: u32, scope: UnlockScope, current_counts: bool) {
    strategy.prizes[0].unlock = Some(Unlock { draws, scope, current_counts });
}

fn consoled(strategy: &mut Strategy) {
    strategy.prizes.push(prize(5));
    strategy.consolation = Some(id(5));
}

fn tiered(strategy: &mut Strategy, by: TierBy) {
    strategy.tables = vec![table(&[(0, 100)]), table(&[(1, 100)]), table(&[(2, 100)])];
    let steps = [(0, 0), (3, 1), (10, 2)].map(|(from, table)| Tier { from, table }).to_vec();
    strategy.tiers = Some(Tiers { by, steps });
}

fn pity(strategy: &mut Strategy) {
    strategy.pity = Some(Pity { prize: id(2), misses: 3 });
}

/// Prizes 0, 1, 2 at 40, 20 and 10 of a hundred, unless the row says otherwise.
const FIXED: &[Row] = &[
    ("a hit", AS_IS, ANYBODY, FULL, Some(0), "0"),
    ("no prize", AS_IS, ANYBODY, FULL, None, "no prize"),
    ("no prize is no case for the fallback", with_fallback, ANYBODY, FULL, None, "no prize"),
    // What cannot be given keeps its slice.
    ("withdrawn", AS_IS, ANYBODY, NO_0, Some(0), "nothing instead of 0: Withdrawn"),
    ("withdrawn, fallback", with_fallback, ANYBODY, NO_0, Some(0), "9 with points instead of 0: Withdrawn"),
    ("withdrawn, another hit", AS_IS, ANYBODY, NO_0, Some(1), "1"),
    (
        "withdrawn for the user",
        with_fallback,
        |p| p.withdrawn.push(id(0)),
        FULL,
        Some(0),
        "9 with points instead of 0: WithdrawnForUser",
    ),
    (
        "exhausted",
        |s| s.prizes[0].stock = pooled(1),
        ANYBODY,
        |deck, shelf| shelf.set_left(deck, id(0), 0),
        Some(0),
        "nothing instead of 0: Exhausted",
    ),
    (
        "restocked",
        |s| s.prizes[0].stock = pooled(1),
        ANYBODY,
        |deck, shelf| {
            shelf.set_left(deck, id(0), 0);
            shelf.set_left(deck, id(0), 1);
        },
        Some(0),
        "0",
    ),
    ("unlimited has no stock to run out of", AS_IS, ANYBODY, |d, s| s.set_left(d, id(0), 0), Some(0), "0"),
    // Unlock, in all its readings.
    (
        "from the 3rd draw on: the 2nd",
        |s| unlock(s, 3, UnlockScope::InAll, true),
        |p| p.draws = 1,
        FULL,
        Some(0),
        "nothing instead of 0: Locked",
    ),
    ("the 3rd itself", |s| unlock(s, 3, UnlockScope::InAll, true), |p| p.draws = 2, FULL, Some(0), "0"),
    (
        "after 3 finished: the 3rd",
        |s| unlock(s, 3, UnlockScope::InAll, false),
        |p| p.draws = 2,
        FULL,
        Some(0),
        "nothing instead of 0: Locked",
    ),
    (
        "after 3 finished: the 4th",
        |s| unlock(s, 3, UnlockScope::InAll, false),
        |p| p.draws = 3,
        FULL,
        Some(0),
        "0",
    ),
    (
        "today starts anew",
        |s| unlock(s, 3, UnlockScope::Today, true),
        |p| (p.draws, p.draws_today) = (50, 1),
        FULL,
        Some(0),
        "nothing instead of 0: Locked",
    ),
    (
        "the 3rd of today",
        |s| unlock(s, 3, UnlockScope::Today, true),
        |p| (p.draws, p.draws_today) = (2, 2),
        FULL,
        Some(0),
        "0",
    ),
    // Caps.
    (
        "won as often as anybody may",
        |s| s.prizes[0].win_cap = Some(2),
        |p| p.wins.push((id(0), 2)),
        FULL,
        Some(0),
        "nothing instead of 0: Capped",
    ),
    ("one more", |s| s.prizes[0].win_cap = Some(2), |p| p.wins.push((id(0), 1)), FULL, Some(0), "0"),
    // Tiers.
    ("the first tier", |s| tiered(s, TierBy::Draws), |p| p.draws = 2, FULL, Some(0), "0"),
    (
        "a threshold is reached when it is reached",
        |s| tiered(s, TierBy::Draws),
        |p| p.draws = 3,
        FULL,
        Some(1),
        "1",
    ),
    ("between thresholds", |s| tiered(s, TierBy::Draws), |p| p.draws = 9, FULL, Some(1), "1"),
    ("the last tier", |s| tiered(s, TierBy::Draws), |p| p.draws = 1_000, FULL, Some(2), "2"),
    (
        "by points",
        |s| tiered(s, TierBy::PointsSpent),
        |p| (p.draws, p.points_spent) = (2, 10),
        FULL,
        Some(2),
        "2",
    ),
    // Pity.
    ("not yet", pity, |p| p.misses = 2, FULL, None, "no prize"),
    ("pity", pity, |p| p.misses = 3, FULL, None, "2 for pity"),
    ("more than pity", pity, |p| p.misses = 9, FULL, Some(0), "2 for pity"),
    ("pity is gone", pity, |p| p.misses = 3, |d, s| s.withdraw(d, id(2), true), Some(0), "0"),
    (
        "pity is gone, and so is luck",
        pity,
        |p| p.misses = 3,
        |d, s| s.withdraw(d, id(2), true),
        None,
        "no prize",
    ),
    // The block list.
    ("blocked", consoled, |p| p.blocked = true, FULL, Some(0), "5 as consolation"),
    (
        "blocked, whatever they missed",
        |s| {
            consoled(s);
            pity(s);
        },
        |p| (p.blocked, p.misses) = (true, 9),
        FULL,
        Some(0),
        "5 as consolation",
    ),
    (
        "no consolation",
        with_fallback,
        |p| p.blocked = true,
        FULL,
        Some(0),
        "nothing as there is no consolation",
    ),
    (
        "consolation gone",
        consoled,
        |p| p.blocked = true,
        |d, s| s.withdraw(d, id(5), true),
        Some(0),
        "nothing as consolation is gone",
    ),
    (
        "consolation gone, fallback",
        |s| {
            consoled(s);
            with_fallback(s);
        },
        |p| p.blocked = true,
        |deck, shelf| shelf.withdraw(deck, id(5), true),
        Some(0),
        "9 with points as consolation is gone",
    ),
    (
        "consolation is capped like any other",
        |s| {
            consoled(s);
            s.prizes[3].win_cap = Some(1);
        },
        |p| (p.blocked, p.wins) = (true, vec![(id(5), 1)]),
        FULL,
        Some(0),
        "nothing as consolation is gone",
    ),
    // The fallback obeys too.
    ("fallback withdrawn", with_fallback, ANYBODY, NO_0_NOR_9, Some(0), "nothing instead of 0: Withdrawn"),
    (
        "fallback locked",
        |s| {
            with_fallback(s);
            s.prizes[3].unlock = Some(Unlock { draws: 2, scope: UnlockScope::InAll, current_counts: true });
        },
        ANYBODY,
        NO_0,
        Some(0),
        "nothing instead of 0: Withdrawn",
    ),
];

fn check(mode: Mode, odds: &[u64], rows: &[Row]) {
    for (name, change, who, stand, hit, expected) in rows {
        let mut strategy = strategy(mode, odds);
        change(&mut strategy);
        let mut given = Given::new(strategy);
        who(&mut given.player);
        stand(&given.deck, &mut given.shelf);
        let drawn = given.draw(given.hitting(*hit));
        assert_eq!(told(&drawn), *expected, "{name}");
        let slot = drawn.prize.map_or(SlotIndex(0), |prize| SlotIndex(prize.number() + 1));
        assert_eq!(drawn.slot, slot, "{name}: the wheel stops where the prize is");
        if drawn.points > 0 {
            assert!((5..=9).contains(&drawn.points), "{name}: {} points", drawn.points);
        }
    }
}

#[test]
fn fixed() {
    check(Mode::Fixed, &[40, 20, 10], FIXED);
}

/// Prizes 0 and 1 share the whole: without one, there is only the other; without both, nothing.
#[test]
fn renormalised() {
    check(
        Mode::Renormalised,
        &[70, 30],
        &[
            ("a hit", AS_IS, ANYBODY, FULL, Some(0), "0"),
            ("another", AS_IS, ANYBODY, FULL, Some(1), "1"),
            ("one is gone", AS_IS, ANYBODY, NO_0, Some(0), "1"),
            ("one is gone, the other is hit", AS_IS, ANYBODY, NO_0, Some(1), "1"),
            ("one is not for them", AS_IS, |p| p.withdrawn.push(id(1)), FULL, Some(1), "0"),
            ("one is locked", |s| unlock(s, 2, UnlockScope::InAll, true), ANYBODY, FULL, Some(0), "1"),
            (
                "one is capped",
                |s| s.prizes[1].win_cap = Some(1),
                |p| p.wins.push((id(1), 1)),
                FULL,
                Some(1),
                "0",
            ),
            (
                "one is gone, one is locked",
                |s| {
                    s.prizes[1].unlock =
                        Some(Unlock { draws: 2, scope: UnlockScope::InAll, current_counts: true });
                },
                ANYBODY,
                NO_0,
                Some(0),
                "nothing, for nothing is left",
            ),
            (
                "both are gone",
                with_fallback,
                |p| p.withdrawn.push(id(1)),
                NO_0,
                Some(0),
                "9 with points, for nothing is left",
            ),
            (
                "all are gone",
                with_fallback,
                |p| p.withdrawn.push(id(1)),
                NO_0_NOR_9,
                Some(0),
                "nothing, for nothing is left",
            ),
            (
                "gone for two reasons at once is gone once",
                |s| s.prizes[0].win_cap = Some(1),
                |p| {
                    p.wins.push((id(0), 1));
                    p.withdrawn.push(id(0));
                },
                FULL,
                Some(0),
                "1",
            ),
        ],
    );
}

/// Whatever gives a prize ends a run of misses; then it begins anew.
#[test]
fn pity_comes_after_every_run_of_misses() {
    let mut rare = strategy(Mode::Fixed, &[1, 1, 1]);
    rare.whole = WHOLE_MAX;
    pity(&mut rare);
    let mut given = Given::new(rare);
    for n in 0..12 {
        let drawn = given.draw(n);
        assert_eq!(told(&drawn), if n % 4 == 3 { "2 for pity" } else { "no prize" }, "draw {n}");
        given.player.after(&given.deck, &drawn);
    }
}
