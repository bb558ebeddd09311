//! How rows are drawn: few names, so that they meet; every bound, so that each is run into.

use std::fmt;

use domain::ledger::{PoolState, QUANTITY_MAX, TOTAL_MAX};
use domain::time::HOUR_MS;
use proptest::collection::vec;
use proptest::prelude::*;

use super::play_random;
use super::step::{HOLDS, OWNERS, POOLS, Step, Units};

/// A sequence, shown as a table when it is a counterexample.
#[derive(Clone)]
pub struct Rows(pub Vec<Step>);

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| write!(f, "\n    {step}"))
    }
}

/// What a sequence may hold.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub rows_max: usize,
    /// Whether expiry is a row of its own, or comes by itself.
    pub expire: bool,
    /// Whether activities and tickets are among the rows.
    pub play: bool,
    /// Clocks that were far ahead and are put right.
    pub put_back: bool,
}

pub fn rows(shape: Shape) -> impl Strategy<Value = Rows> {
    let openings = vec(opening(), 0..4);
    let activities = vec(play_random::opening().prop_map(Step::Play), 0..if shape.play { 3 } else { 1 });
    let rich = prop::bool::weighted(0.1);
    let (more, shuffled) = (vec(step(shape), 1..shape.rows_max), play_random::shuffled());
    (rich, openings, activities, more, shuffled).prop_map(
        |(rich, mut rows, activities, mut more, shuffled)| {
            if rich {
                rows.insert(0, Step::Open { pool: 0, round: 1, total: TOTAL_MAX, owner_max: 0, id: 9 });
                more.iter_mut().for_each(enlarge);
            }
            rows.extend(activities.into_iter().chain(more));
            for step in &mut rows {
                if let Step::Play(play) = step {
                    play.shuffle(shuffled);
                }
            }
            Rows(rows)
        },
    )
}

/// In a pool with as much as there can be, one owner takes as much as one line can say, again and again.
fn enlarge(step: &mut Step) {
    if let Step::Reserve { lines, owner, .. } = step
        && let [(0, units)] = lines.as_mut_slice()
    {
        (*units, *owner) = (QUANTITY_MAX, Some(0));
    }
}

fn step(shape: Shape) -> BoxedStrategy<Step> {
    let step = prop_oneof![
        8 => wait(),
        6 => open(),
        4 => (pool(), delta(), id()).prop_map(|(pool, delta, id)| Step::Adjust { pool, delta, id }),
        3 => (pool(), 0..4_u32, id()).prop_map(|(pool, owner_max, id)| Step::Limit { pool, owner_max, id }),
        5 => (pool(), state(), id()).prop_map(|(pool, state, id)| Step::State { pool, state, id }),
        30 => reserve(shape.play),
        12 => (hold(), part()).prop_map(|(hold, part)| Step::Confirm { hold, part }),
        9 => hold().prop_map(|hold| Step::Cancel { hold }),
        6 => (hold(), -50..4_000_i64).prop_map(|(hold, by_ms)| Step::Extend { hold, by_ms }),
        5 => forget(),
        2 => Just(Step::Restart),
    ];
    let mut step = step.boxed();
    if shape.put_back {
        let back = (-3 * HOUR_MS..-HOUR_MS / 2).prop_map(Step::Wait);
        step = prop_oneof![30 => step, 1 => back, 2 => Just(Step::PutBack)].boxed();
    }
    if shape.expire {
        step = prop_oneof![9 => step, 1 => Just(Step::Expire)].boxed();
    }
    if shape.play {
        step = prop_oneof![2 => step, 1 => play_random::step().prop_map(Step::Play)].boxed();
    }
    step
}

fn wait() -> impl Strategy<Value = Step> {
    prop_oneof![8 => 0..130_i64, 6 => 130..1_200_i64, 4 => -1_500..0_i64, 1 => Just(HOUR_MS)]
        .prop_map(Step::Wait)
}

/// A pool that can be sold from, so that most sequences get somewhere.
fn opening() -> impl Strategy<Value = Step> {
    (pool(), 1..12_u64, 0..4_u32, 10..1_000_u16).prop_map(|(pool, total, owner_max, id)| Step::Open {
        pool,
        round: 1,
        total,
        owner_max,
        id,
    })
}

fn open() -> impl Strategy<Value = Step> {
    let total = prop_oneof![
        8 => 0..12_u64,
        2 => Just(5_000_000_000),
        1 => Just(TOTAL_MAX),
        1 => Just(TOTAL_MAX + 1),
    ];
    let owner_max = prop_oneof![3 => Just(0), 3 => 1..4_u32, 1 => Just(u32::MAX)];
    (pool(), 0..4_u32, total, owner_max, id()).prop_map(|(pool, round, total, owner_max, id)| Step::Open {
        pool,
        round,
        total,
        owner_max,
        id,
    })
}

/// Where there are activities, some holds depend on them.
fn reserve(play: bool) -> impl Strategy<Value = Step> {
    let ttl_ms = prop_oneof![6 => Just(100), 3 => 10..=1_000_i64, 1 => Just(9), 1 => Just(1_001)];
    let owner = prop::option::of(0..OWNERS.len());
    let gates = vec(play_random::gate(), if play { 0..3 } else { 0..1 });
    let gates = prop_oneof![2 => Just(Vec::new()), 1 => gates];
    (hold(), lines(), owner, ttl_ms, gates).prop_map(|(hold, lines, owner, ttl_ms, gates)| Step::Reserve {
        hold,
        lines,
        owner,
        ttl_ms,
        gates,
    })
}

fn forget() -> impl Strategy<Value = Step> {
    (0..4_u64, prop_oneof![1..3_usize, Just(usize::MAX)])
        .prop_map(|(behind, limit)| Step::Forget { behind, limit })
}

fn part() -> impl Strategy<Value = Option<Vec<Units>>> {
    prop_oneof![3 => Just(None), 2 => lines().prop_map(Some)]
}

/// Mostly one line, the same often enough to meet itself; sometimes none, sometimes too many, sometimes huge.
fn lines() -> impl Strategy<Value = Vec<Units>> {
    let units = prop_oneof![12 => 1..4_u32, 1 => Just(QUANTITY_MAX)];
    prop_oneof![
        6 => (pool(), 1..3_u32).prop_map(|line| vec![line]),
        4 => vec((pool(), units), 0..5),
        1 => (pool(), 1..3_usize).prop_map(|(pool, many)| vec![(pool, QUANTITY_MAX); many]),
    ]
}

fn delta() -> impl Strategy<Value = i64> {
    prop_oneof![
        10 => -4..6_i64,
        1 => Just(1_i64 << 50),
        1 => Just(5_000_000_000),
        1 => Just(i64::MIN),
        1 => Just(i64::MAX),
    ]
}

fn state() -> impl Strategy<Value = PoolState> {
    prop_oneof![1 => Just(PoolState::Open), 2 => Just(PoolState::Frozen), 2 => Just(PoolState::Closed)]
}

/// The first pool is the one most is about.
fn pool() -> impl Strategy<Value = usize> {
    prop_oneof![3 => Just(0), 2 => 0..POOLS.len()]
}

fn hold() -> impl Strategy<Value = usize> {
    0..HOLDS.len()
}

/// Half of them used before, half of them new.
fn id() -> impl Strategy<Value = u16> {
    prop_oneof![0..4_u16, 10..1_000_u16]
}
