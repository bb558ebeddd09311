//! Whole lives of activities, at random: whatever the rules, nothing is given that is not there, and everything can be
//! decided again.

use proptest::prelude::{ProptestConfig, any, prop, prop_assert, prop_assert_eq, prop_compose, proptest};

use super::fixtures::{
    DAY, Given, NOON, id, key, one, pooled, pooled_in, prize, seat, strategy, ten, with_fallback,
};
use crate::lottery::decide::PlayerHistory;
use crate::lottery::history::History;
use crate::lottery::live::KnownExclusions;
use crate::lottery::random::DrawKey;
use crate::lottery::replay::Replayer;
use crate::lottery::strategy::{
    Mode, OddsSlice, Pity, PrizeStock, Release, Strategy, Tier, TierBy, Tiers, Unlock, UnlockScope,
};
use crate::lottery::ticket::settle;
use crate::time::{HOUR_MS, Timestamp};

prop_compose! {
    /// Four prizes with everything that there are rules for, now and then.
    fn strategies()(
        fixed: bool,
        odds in prop::collection::vec(1..=25_u64, 4),
        stocks in prop::collection::vec(prop::option::of(1..12_u64), 4),
        costs in prop::collection::vec(0..50_u64, 4),
        caps in prop::collection::vec(prop::option::of(1..4_u32), 4),
        hourly in prop::collection::vec(prop::option::of(1..5_u32), 4),
        unlocks in prop::collection::vec(prop::option::of((1..6_u32, any::<bool>(), any::<bool>())), 4),
        released in prop::option::of(1..4_u64),
        budgets in (prop::option::of(50..600_u64), prop::option::of(50..300_u64)),
        (fallback, on_wheel, consolation, pity, tiers) in any::<(bool, bool, bool, bool, bool)>(),
    ) -> Strategy {
        let mut strategy = strategy(if fixed { Mode::Fixed } else { Mode::Renormalised }, &odds);
        for (at, prize) in strategy.prizes.iter_mut().enumerate() {
            let pool = i64::try_from(at).unwrap();
            prize.stock = stocks[at].map_or(PrizeStock::Unlimited, |units| pooled_in(pool, units));
            (prize.cost_minor, prize.win_cap, prize.hourly_cap) = (costs[at], caps[at], hourly[at]);
            prize.unlock = unlocks[at].map(|(draws, today, current_counts)| {
                let scope = if today { UnlockScope::Today } else { UnlockScope::InAll };
                Unlock { draws, scope, current_counts }
            });
        }
        if let (Some(units), Some(stock)) = (released, stocks[0])
            && stock > units
        {
            let step = |hours: i64, units| Release { at: Timestamp(NOON.0 + hours * HOUR_MS), units };
            strategy.prizes[0].release = vec![step(1, units), step(2, stock)];
        }
        (strategy.budget.total_minor, strategy.budget.day_minor) = budgets;
        if fallback {
            with_fallback(&mut strategy);
            if on_wheel {
                strategy.tables[0].slices.push(OddsSlice { prize: id(9), odds: 10 });
                strategy.whole += 10;
            }
        }
        if consolation {
            let mut prize = prize(5);
            prize.stock = pooled(3);
            strategy.prizes.push(prize);
            strategy.consolation = Some(id(5));
        }
        strategy.pity = pity.then_some(Pity { prize: id(1), misses: 2 });
        if tiers {
            strategy.tables.push(super::fixtures::table(&[(3, 50), (0, 30)]));
            let steps = vec![Tier { from: 0, table: 0 }, Tier { from: 4, table: 1 }];
            strategy.tiers = Some(Tiers { by: TierBy::Draws, steps });
        }
        strategy
    }
}

/// A step of a life: who takes a ticket of how many, after how many minutes.
fn steps() -> impl proptest::strategy::Strategy<Value = Vec<(usize, bool, i64)>> {
    prop::collection::vec((0..4_usize, any::<bool>(), 0..90_i64), 1..25)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn nothing_is_given_that_is_not_there_and_all_of_it_replays(
        strategy in strategies(),
        steps in steps(),
        blocked in 0..8_usize,
    ) {
        let mut given = Given::new(strategy.clone());
        let mut replayer = Replayer::new(given.published(), strategy.clone(), &super::fixtures::secret()).unwrap();
        let mut history = History::new(given.deck.clone());
        let mut receipt = given.published().begin();
        let player = |at| PlayerHistory { blocked: at == blocked, day: DAY, ..PlayerHistory::default() };
        let mut players: Vec<PlayerHistory> = (0..4).map(player).collect();
        let mut numbers = [0_u32; 4];
        let (mut at, mut day_spent, mut day) = (NOON.0, 0, DAY);
        for (who, many, minutes) in steps {
            at += minutes * 60_000;
            let today = DAY + u32::try_from((at - NOON.0) / (12 * HOUR_MS)).unwrap();
            if today != day {
                (day, day_spent) = (today, 0);
                players.iter_mut().for_each(|player| (player.draws_today, player.day) = (0, today));
            }
            given.shelf.advance(&given.deck, Timestamp(at), today);
            let key = DrawKey { seat: seat(u32::try_from(who).unwrap() + 1), n: numbers[who], ..key(0) };
            let draws = if many { ten() } else { one() };
            let record = settle(&given.deck, &given.generator, &given.shelf, key, &players[who], draws);
            numbers[who] += draws.count();
            for draw in &record.draws {
                players[who].after(&given.deck, &draw.drawn);
                // Giving asserts that a unit is there.
                given.shelf.give(&given.deck, &draw.drawn);
                day_spent += draw.drawn.prize.and_then(|id| strategy.prize(id)).map_or(0, |prize| prize.cost_minor);
            }
            let spent = given.shelf.spent();
            let within = |cap: Option<u64>, spent: u64| cap.is_none_or(|cap| spent <= cap);
            prop_assert!(within(strategy.budget.total_minor, spent.total_minor));
            prop_assert!(within(strategy.budget.day_minor, day_spent));
            prop_assert!(spent.fallback_points <= 100);
            for prize in &strategy.prizes {
                let units = given.shelf.units(prize.id);
                prop_assert!(prize.hourly_cap.is_none_or(|cap| units.given_this_hour <= cap));
                let released = prize.release.iter().filter(|release| release.at.0 <= at).map(|release| release.units);
                prop_assert!(prize.release.is_empty() || units.given <= released.max().unwrap_or(0));
                let won = players[who].wins.iter().find(|(won, _)| *won == prize.id).map_or(0, |(_, wins)| *wins);
                prop_assert!(prize.win_cap.is_none_or(|cap| won <= cap));
            }
            let bytes = record.encode();
            receipt = receipt.next(&bytes);
            prop_assert_eq!(history.follow(&record), Ok(()));
            prop_assert_eq!(replayer.follow(&bytes, &receipt), Ok(record));
        }
    }

    /// Ten on one ticket are ten of one: each sees what those before it did.
    #[test]
    fn ten_at_once_are_ten_in_a_row(strategy in strategies(), blocked: bool) {
        let mut given = Given::new(strategy);
        given.player.blocked = blocked;
        let together = settle(&given.deck, &given.generator, &given.shelf, key(0), &given.player, ten());
        let mut known = KnownExclusions::default();
        for (n, expected) in (0..).zip(&together.draws) {
            let single = settle(&given.deck, &given.generator, &given.shelf, key(n), &given.player, one());
            prop_assert_eq!(single.draws[0].drawn, expected.drawn, "draw {}", n);
            // By itself it tells all that mattered to it; on a ticket, what was not told before.
            let news = known.news(single.draws[0].news.clone());
            prop_assert_eq!(&news, &expected.news, "draw {}", n);
            known.learn(&news);
            given.shelf.give(&given.deck, &expected.drawn);
            given.player.after(&given.deck, &expected.drawn);
        }
    }
}
