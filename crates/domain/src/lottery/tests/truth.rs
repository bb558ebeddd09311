//! Inputs that do not follow from the draws before are found out, one by one.

use super::fixtures::{DAY, Given, NOON, id, key, one, strategy, ten, with_fallback};
use crate::lottery::decide::PlayerHistory;
use crate::lottery::deck::Deck;
use crate::lottery::history::{Claim, History, Untrue};
use crate::lottery::live::{Exclusion, ExclusionReason};
use crate::lottery::random::DrawKey;
use crate::lottery::record::Record;
use crate::lottery::strategy::{Mode, Release};
use crate::lottery::ticket::settle;
use crate::time::{HOUR_MS, Timestamp};

/// Three tickets of one player, on two days: prize 0 is paced, capped, budgeted; prize 1 is not.
fn tickets() -> (Given, Vec<Record>) {
    let mut strategy = strategy(Mode::Fixed, &[50, 20]);
    let paced = &mut strategy.prizes[0];
    (paced.win_cap, paced.hourly_cap, paced.cost_minor) = (Some(3), Some(2), 10);
    paced.release = vec![Release { at: NOON, units: 2 }, Release { at: Timestamp(NOON.0 + 1), units: 9 }];
    (strategy.budget.total_minor, strategy.budget.day_minor) = (Some(100), Some(50));
    with_fallback(&mut strategy);
    let mut given = Given::new(strategy);
    let mut records = Vec::new();
    for (draws, minutes, day) in [(ten(), 0, DAY), (one(), 61, DAY), (ten(), 24 * 60, DAY + 1)] {
        given.shelf.advance(&given.deck, Timestamp(NOON.0 + minutes * 60_000), day);
        if given.player.day != day {
            given.player = PlayerHistory { day, draws_today: 0, ..given.player.clone() };
        }
        let key = DrawKey { n: given.player.draws, ..key(0) };
        let record = settle(&given.deck, &given.generator, &given.shelf, key, &given.player, draws);
        for draw in &record.draws {
            given.shelf.give(&given.deck, &draw.drawn);
            given.player.after(&given.deck, &draw.drawn);
        }
        records.push(record);
    }
    (given, records)
}

type Lie = (&'static str, usize, fn(&mut Record), u32, Claim);

fn told(prize: u16, reason: ExclusionReason) -> Claim {
    Claim::Told(Exclusion { prize: id(prize), reason })
}

#[test]
fn every_untrue_input_is_found() {
    let (given, records) = tickets();
    let lies: [Lie; 19] = [
        ("nothing", 0, |_| {}, 0, Claim::Time),
        ("earlier than the one before", 1, |r| r.at = Timestamp(NOON.0 - 1), 10, Claim::Time),
        ("a day that no calendar has", 0, |r| r.day = 20_260_132, 0, Claim::Day),
        ("no day", 0, |r| r.day = 0, 0, Claim::Day),
        ("two days before its moment", 0, |r| r.day = 20_251_230, 0, Claim::Day),
        ("two days after its moment", 0, |r| r.day = 20_260_103, 0, Claim::Day),
        ("a day before the one before", 1, |r| r.day = 20_251_231, 10, Claim::Day),
        ("a draw left out", 1, |r| r.key.n = 11, 11, Claim::Number),
        ("begun in the middle", 0, |r| r.key.n = 4, 4, Claim::Number),
        ("another client value", 2, |r| r.key.client.0[0] ^= 1, 11, Claim::ClientValue),
        ("a higher tier", 1, |r| r.draws_in_all = 11, 10, Claim::DrawsInAll),
        ("more draws today", 2, |r| r.draws_today = 1, 11, Claim::DrawsToday),
        ("more misses", 1, |r| r.misses += 1, 10, Claim::Misses),
        (
            "a schedule",
            1,
            |r| tell(r, 0, ExclusionReason::Unreleased),
            10,
            told(0, ExclusionReason::Unreleased),
        ),
        (
            "a cap by the hour",
            2,
            |r| tell(r, 0, ExclusionReason::HourlyCap),
            11,
            told(0, ExclusionReason::HourlyCap),
        ),
        (
            "the budget",
            1,
            |r| tell(r, 0, ExclusionReason::BudgetTotal),
            10,
            told(0, ExclusionReason::BudgetTotal),
        ),
        (
            "the day's budget",
            2,
            |r| tell(r, 0, ExclusionReason::BudgetDay),
            11,
            told(0, ExclusionReason::BudgetDay),
        ),
        ("a cap", 0, |r| tell(r, 0, ExclusionReason::Capped), 0, told(0, ExclusionReason::Capped)),
        (
            "the purse",
            0,
            |r| tell(r, 9, ExclusionReason::PointsBudget),
            0,
            told(9, ExclusionReason::PointsBudget),
        ),
    ];
    for (name, at, lie, n, what) in lies {
        let mut history = History::new(given.deck.clone());
        let mut changed = records.clone();
        lie(&mut changed[at]);
        let found = changed.iter().try_for_each(|record| history.follow(record));
        let seat = key(0).seat;
        let expected = if changed == records { Ok(()) } else { Err(Untrue { seat, n, what }) };
        assert_eq!(found, expected, "{name}");
    }
}

fn tell(record: &mut Record, prize: u16, reason: ExclusionReason) {
    record.draws[0].news = vec![Exclusion { prize: id(prize), reason }];
}

/// The same prize in every draw of ten: the first rule that forbids it says so.
#[test]
fn nothing_is_given_beyond_a_rule() {
    let (given, records) = tickets();
    for (prize, points, hours, n, reason) in [
        (0, 0, 0, 2, ExclusionReason::Unreleased),
        (0, 0, 1, 2, ExclusionReason::HourlyCap),
        // Eight times thirteen points are more than the purse had.
        (9, 13, 0, 8, ExclusionReason::PointsBudget),
    ] {
        let mut changed = records[0].clone();
        changed.at = Timestamp(NOON.0 + hours * HOUR_MS);
        for draw in &mut changed.draws {
            draw.news.clear();
            (draw.drawn.prize, draw.drawn.points) = (Some(id(prize)), points);
        }
        let mut history = History::new(given.deck.clone());
        let what = Claim::Given(Exclusion { prize: id(prize), reason });
        assert_eq!(history.follow(&changed), Err(Untrue { seat: key(0).seat, n, what }));
    }
}

/// Three tickets under three versions, of which the second knows no prize 0: what the first gave of it counts in the
/// third, and so does all that the player brings.
#[test]
fn a_later_version_goes_on_from_where_the_one_before_ended() {
    let (given, records) = tickets();
    let mut without = given.deck.strategy().clone();
    without.prizes.remove(0);
    without.tables[0].slices.remove(0);
    let without = Deck::new(without).unwrap();
    let begun = || {
        let mut history = History::new(given.deck.clone());
        assert_eq!(history.follow(&records[0]), Ok(()));
        history
    };
    let plain = |changed: &mut Record| {
        for draw in &mut changed.draws {
            draw.news.clear();
            (draw.drawn.prize, draw.drawn.points) = (None, 0);
        }
        changed.misses = given_misses(&records[0]);
    };
    let rows: [Lie; 8] = [
        ("nothing", 0, |_| {}, 10, Claim::Time),
        ("a draw left out", 0, |r| r.key.n = 11, 11, Claim::Number),
        ("begun anew", 0, |r| (r.key.n, r.draws_in_all) = (0, 0), 0, Claim::Number),
        ("another client value", 0, |r| r.key.client.0[0] ^= 1, 10, Claim::ClientValue),
        ("the day before", 0, |r| (r.day, r.draws_today) = (20_251_231, 0), 10, Claim::Day),
        ("no draws today", 0, |r| r.draws_today = 0, 10, Claim::DrawsToday),
        ("more misses", 0, |r| r.misses += 1, 10, Claim::Misses),
        (
            "a schedule",
            0,
            |r| tell(r, 1, ExclusionReason::Unreleased),
            10,
            told(1, ExclusionReason::Unreleased),
        ),
    ];
    for (name, _, lie, n, what) in rows {
        let mut second = records[1].clone();
        plain(&mut second);
        let right = second.clone();
        lie(&mut second);
        let found = begun().next_version(without.clone()).follow(&second);
        let expected = if second == right { Ok(()) } else { Err(Untrue { seat: key(0).seat, n, what }) };
        assert_eq!(found, expected, "{name}");
    }

    // Two were given in the first hour, which is all there was: not even after a version without the prize is there more.
    let mut again = records[1].clone();
    plain(&mut again);
    again.at = NOON;
    again.draws[0].drawn.prize = Some(id(0));
    let excluded = Exclusion { prize: id(0), reason: ExclusionReason::Unreleased };
    let untrue = Untrue { seat: key(0).seat, n: 10, what: Claim::Given(excluded) };
    let mut third = begun().next_version(without).next_version(given.deck.clone());
    assert_eq!(third.follow(&again), Err(untrue));

    let mut fresh = History::new(given.deck);
    let expected = Untrue { seat: key(0).seat, n: 10, what: Claim::Number };
    assert_eq!(
        fresh.follow(&records[1]),
        Err(expected),
        "in another round everybody begins at the beginning"
    );
}

fn given_misses(record: &Record) -> u32 {
    let last = record.draws.iter().rev().take_while(|draw| draw.drawn.prize.is_none());
    u32::try_from(last.count()).unwrap()
}

/// What people read names the thing in words.
#[test]
fn an_untrue_input_is_told_in_words() {
    let (seat, n) = (key(0).seat, 4);
    for (what, text) in [
        (Claim::Number, "its number is not the next one after the player's draws before"),
        (Claim::Day, "its day is no date that fits its moment and the days of the records before"),
        (
            told(3, ExclusionReason::Capped),
            "of prize 3 it is said that the player has won it as often as anybody may, and it is not so",
        ),
        (
            Claim::Given(Exclusion { prize: id(3), reason: ExclusionReason::HourlyCap }),
            "prize 3 was given, although the cap of the hour is reached",
        ),
    ] {
        assert_eq!(Untrue { seat, n, what }.to_string(), format!("player {seat}, draw 4: {text}"));
    }
}
