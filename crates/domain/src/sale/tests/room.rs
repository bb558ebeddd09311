//! The waiting room as stories: one row per step, ending in where somebody stands.

use crate::ids::UserId;
use crate::sale::room::{
    ADMITTED_FOR_MS, AWAY_AFTER_MS, Conditions, JoinOutcome, QueuePosition, ServerLoad, WaitingRoom,
    ask_again_ms,
};
use crate::time::Timestamp;

const EASY: Conditions =
    Conditions { open: true, per_second: 2, free: 100, held: 0, health: ServerLoad::Good };
const BUSY: Conditions = Conditions { health: ServerLoad::Busy, ..EASY };
const STUCK: Conditions = Conditions { health: ServerLoad::Stuck, ..EASY };
const EARLY: Conditions = Conditions { open: false, ..EASY };
const ONE_LEFT: Conditions = Conditions { free: 1, ..EASY };
const ALL_HELD: Conditions = Conditions { free: 0, held: 1, ..EASY };
const GONE: Conditions = Conditions { free: 0, held: 0, ..EASY };

enum Do {
    Join(i64, Stands),
    /// With a place they kept.
    Show(i64, i64, Stands),
    Look(i64, Stands),
    Leave(i64),
    Tick(Conditions),
    /// Everything in memory is lost; the next block begins here.
    Restart(i64),
}
use Do::{Join, Leave, Look, Restart, Show, Tick};

/// Where somebody stands, in short: with so many before them, inside, or nowhere.
#[derive(Debug, PartialEq, Eq)]
enum Stands {
    Behind(u64),
    Inside,
    Nowhere,
}
use Stands::{Behind, Inside, Nowhere};

fn stands(standing: QueuePosition) -> Stands {
    match standing {
        QueuePosition::Waiting { ahead, .. } => Behind(ahead),
        QueuePosition::Admitted { .. } => Inside,
        QueuePosition::Nowhere => Nowhere,
    }
}

fn joined(joined: JoinOutcome) -> Stands {
    let JoinOutcome::Stands(standing) = joined else { panic!("{joined:?}") };
    stands(standing)
}

fn room(first: i64) -> WaitingRoom {
    let mut room = WaitingRoom::default();
    room.supply(first..first + 1_000);
    room.tick(Timestamp(1_000_000), STUCK);
    room
}

fn check(story: &str, rows: &[(i64, Do)]) {
    let mut room = room(1);
    for (row, (ms, step)) in rows.iter().enumerate() {
        let now = Timestamp(1_000_000 + ms);
        let (came, expected) = match step {
            Join(user, expected) => (joined(room.join(UserId(*user), None, now)), expected),
            Show(user, number, expected) => (joined(room.join(UserId(*user), Some(*number), now)), expected),
            Look(user, expected) => (stands(room.look(UserId(*user), now)), expected),
            Leave(user) => {
                room.leave(UserId(*user), now);
                continue;
            }
            Tick(conditions) => {
                room.tick(now, *conditions);
                continue;
            }
            Restart(first) => {
                room = self::room(*first);
                continue;
            }
        };
        assert_eq!(came, *expected, "{story}, row {row}");
    }
}

#[test]
fn first_come_first_served() {
    check(
        "two a second, in order",
        &[
            (0, Join(1, Behind(0))),
            (0, Join(2, Behind(1))),
            (0, Join(3, Behind(2))),
            (0, Join(2, Behind(1))),
            (500, Tick(EASY)),
            (500, Look(1, Inside)),
            (500, Look(2, Behind(0))),
            (500, Look(3, Behind(1))),
            (1_000, Tick(EASY)),
            (1_000, Look(2, Inside)),
            (1_000, Join(4, Behind(1))),
            (1_500, Tick(EASY)),
            (1_500, Look(3, Inside)),
            (1_500, Look(4, Behind(0))),
            (1_500, Look(5, Nowhere)),
        ],
    );
    check(
        "what nobody used is not saved up",
        &[
            (60_000, Tick(EASY)),
            (60_000, Join(1, Behind(0))),
            (60_000, Join(2, Behind(1))),
            (60_000, Join(3, Behind(2))),
            (60_000, Join(4, Behind(3))),
            (60_500, Tick(EASY)),
            (60_500, Look(2, Inside)),
            (60_500, Look(3, Behind(0))),
        ],
    );
    check(
        "before the start one waits, and the first is the first",
        &[
            (0, Join(1, Behind(0))),
            (0, Join(2, Behind(1))),
            (20_000, Tick(EARLY)),
            (20_000, Look(1, Behind(0))),
            (20_500, Tick(EASY)),
            (20_500, Look(1, Inside)),
            (20_500, Look(2, Behind(0))),
        ],
    );
}

#[test]
fn the_pace_follows_health_and_stock() {
    check(
        "a busy server lets half as many in, and one that is stuck nobody",
        &[
            (0, Join(1, Behind(0))),
            (0, Join(2, Behind(1))),
            (500, Tick(BUSY)),
            (500, Look(1, Behind(0))),
            (1_000, Tick(BUSY)),
            (1_000, Look(1, Inside)),
            (5_000, Tick(STUCK)),
            (5_000, Look(2, Behind(0))),
            (5_500, Tick(EASY)),
            (5_500, Look(2, Inside)),
        ],
    );
    check(
        "not many more are inside than there are units; one who is done makes room",
        &[
            (0, Join(1, Behind(0))),
            (0, Join(2, Behind(1))),
            (0, Join(3, Behind(2))),
            (1_000, Tick(ONE_LEFT)),
            (1_000, Look(2, Inside)),
            (2_000, Tick(ONE_LEFT)),
            (2_000, Look(3, Behind(0))),
            (2_000, Leave(1)),
            (2_000, Look(1, Nowhere)),
            (3_000, Tick(ONE_LEFT)),
            (3_000, Look(3, Inside)),
        ],
    );
    check(
        "what is held may come back: one waits, and is not let in to find nothing",
        &[
            (0, Join(1, Behind(0))),
            (1_000, Tick(ALL_HELD)),
            (1_000, Look(1, Behind(0))),
            (2_000, Tick(ONE_LEFT)),
            (2_000, Look(1, Inside)),
        ],
    );
    for (conditions, gone, per_second) in
        [(EASY, false, 2), (ALL_HELD, false, 0), (GONE, true, 0), (EARLY, false, 0)]
    {
        let mut room = room(1);
        room.tick(Timestamp(2_000_000), conditions);
        let line = room.line();
        assert_eq!((line.gone, line.per_second), (gone, per_second), "{conditions:?}");
        assert_eq!(line.wait_ms(10), (per_second > 0).then_some(5_000), "{conditions:?}");
    }
}

#[test]
fn a_turn_is_had_once() {
    let over = 1_000 + ADMITTED_FOR_MS;
    check(
        "who lets it pass begins again at the end",
        &[
            (0, Join(1, Behind(0))),
            (1_000, Tick(EASY)),
            (1_000, Join(1, Inside)),
            (over - 1, Tick(GONE)),
            (over - 1, Look(1, Inside)),
            (over - 1, Join(2, Behind(0))),
            (over, Tick(GONE)),
            (over, Look(1, Nowhere)),
            (over, Show(1, 1, Behind(1))),
        ],
    );
    check(
        "who used it begins again at the end, and the old place is worth nothing",
        &[
            (0, Join(1, Behind(0))),
            (0, Join(2, Behind(1))),
            (500, Tick(EASY)),
            (500, Leave(1)),
            (600, Show(1, 1, Behind(1))),
        ],
    );
}

/// A line looks different with every tick in which somebody's turn began or ended: whoever follows it hears at once, also
/// when they are the only one. A tick in which nothing happens looks the same.
#[test]
fn whoever_follows_the_line_hears_of_their_turn_with_its_tick() {
    let mut room = room(1);
    let alone = UserId(1);
    let mut line = room.line();
    let mut changed = |room: &mut WaitingRoom, ms: i64| {
        room.tick(Timestamp(1_000_000 + ms), EASY);
        let before = std::mem::replace(&mut line, room.line());
        before != line
    };
    changed(&mut room, 1_000);
    room.join(alone, None, Timestamp(1_001_000));
    assert!(changed(&mut room, 1_500), "let in");
    assert!(!changed(&mut room, 2_000), "nothing happened");
    room.leave(alone, Timestamp(1_002_000));
    assert!(changed(&mut room, 2_500), "used");
    assert!(!changed(&mut room, 3_000), "nothing happened");
    room.join(alone, None, Timestamp(1_003_000));
    assert!(changed(&mut room, 3_500), "let in again");
    assert!(!changed(&mut room, 4_000), "nothing happened");
    assert!(changed(&mut room, 3_500 + ADMITTED_FOR_MS), "passed");
}

#[test]
fn who_is_not_there_is_passed_over_and_keeps_their_number() {
    check(
        "away, and back",
        &[
            (0, Join(1, Behind(0))),
            (0, Join(2, Behind(1))),
            (AWAY_AFTER_MS - 1, Look(2, Behind(1))),
            (AWAY_AFTER_MS, Tick(STUCK)),
            (AWAY_AFTER_MS, Look(2, Behind(0))),
            (AWAY_AFTER_MS, Join(3, Behind(1))),
            (AWAY_AFTER_MS + 500, Tick(STUCK)),
            (AWAY_AFTER_MS + 500, Look(1, Behind(0))),
            (AWAY_AFTER_MS + 1_000, Tick(EASY)),
            (AWAY_AFTER_MS + 1_000, Look(1, Inside)),
            (AWAY_AFTER_MS + 1_000, Look(2, Behind(0))),
        ],
    );
}

#[test]
fn a_restart_keeps_the_order() {
    check(
        "a place that was kept stands before all that are given later",
        &[
            (0, Join(1, Behind(0))),
            (0, Join(2, Behind(1))),
            (0, Restart(1_001)),
            (0, Look(2, Nowhere)),
            (0, Join(9, Behind(0))),
            (0, Show(2, 2, Behind(0))),
            (500, Tick(STUCK)),
            (500, Look(9, Behind(1))),
            (500, Show(1, 1, Behind(0))),
            (1_000, Tick(STUCK)),
            (1_000, Look(2, Behind(1))),
            (1_000, Look(9, Behind(2))),
        ],
    );
    check(
        "who took another place before they found the first has the first, and no second one",
        &[
            (0, Restart(1_001)),
            (0, Join(8, Behind(0))),
            (0, Join(1, Behind(1))),
            (0, Join(9, Behind(2))),
            (0, Show(1, 1, Behind(0))),
            (500, Tick(STUCK)),
            (500, Look(1, Behind(0))),
            (500, Look(8, Behind(1))),
            (500, Look(9, Behind(2))),
        ],
    );
}

#[test]
fn numbers_come_from_blocks_that_were_written_down() {
    let mut room = WaitingRoom::default();
    let now = Timestamp(1_000_000);
    assert_eq!(room.join(UserId(1), None, now), JoinOutcome::NeedsNumbers);
    room.supply(11..12);
    assert_eq!(
        room.join(UserId(1), None, now),
        JoinOutcome::Stands(QueuePosition::Waiting { number: 11, ahead: 0 })
    );
    assert_eq!(room.join(UserId(2), None, now), JoinOutcome::NeedsNumbers);
    room.supply(5..6);
    assert_eq!(room.join(UserId(2), None, now), JoinOutcome::NeedsNumbers, "an older block comes too late");
    room.supply(12..13);
    assert_eq!(
        room.join(UserId(2), None, now),
        JoinOutcome::Stands(QueuePosition::Waiting { number: 12, ahead: 1 })
    );
}

#[test]
fn it_remembers_so_many_and_no_more() {
    let places = 100;
    let mut room = WaitingRoom::with_places(100);
    let now = Timestamp(1_000_000);
    room.supply(1..places + 100);
    for user in 1..=places {
        assert!(matches!(room.join(UserId(user), None, now), JoinOutcome::Stands(_)));
    }
    assert_eq!(room.join(UserId(0), None, now), JoinOutcome::Full);
    assert_eq!(room.join(UserId(0), Some(places + 200), now), JoinOutcome::Full);
    assert!(matches!(room.join(UserId(1), None, now), JoinOutcome::Stands(_)), "whoever has a place has it");
    let later = now + AWAY_AFTER_MS;
    room.tick(later, STUCK);
    room.tick(later + ADMITTED_FOR_MS, STUCK);
    assert!(
        matches!(room.join(UserId(0), None, later + ADMITTED_FOR_MS), JoinOutcome::Stands(_)),
        "they went away"
    );
}

/// How long the wait is, and between which bounds people ask again.
#[test]
fn a_crowd_does_not_ask_all_at_once() {
    for (wait_ms, from, until) in [
        (Some(0), 500, 1_000),
        (Some(4_000), 2_000, 4_000),
        (Some(9_999_999), 10_000, 20_000),
        (None, 2_500, 5_000),
    ] {
        let asked: Vec<i64> = (1..=10_000).map(|number| ask_again_ms(wait_ms, number)).collect();
        assert!(asked.iter().all(|ms| (from..until).contains(ms)), "{wait_ms:?}");
        let tenth = (until - from) / 10;
        for part in 0..10 {
            let range = from + part * tenth..from + (part + 1) * tenth;
            let there = asked.iter().filter(|ms| range.contains(ms)).count();
            assert!((700..1_300).contains(&there), "{wait_ms:?}: {there} in part {part}");
        }
    }
}
