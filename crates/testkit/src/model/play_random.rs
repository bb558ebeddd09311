//! How rows about activities are drawn: few names, so that they meet; every bound, so that each is run into.

use domain::ledger::play::{ActivityState, DRAWS_MAX, GRANT_MAX};
use proptest::prelude::*;

use super::decks::{DECKS, PRIZES};
use super::play_step::{ACTIVITIES, Paper, PlayStep, Seat, TICKETS};
use super::step::OWNERS;

/// An activity that can be drawn from, so that most sequences get somewhere.
pub(super) fn opening() -> impl Strategy<Value = PlayStep> {
    (activity(), paper(Just(1)), 10..1_000_u16).prop_map(|(activity, mut paper, id)| {
        paper.hours = (0, i64::MAX);
        paper.limits[0] = paper.limits[0].max(6);
        PlayStep::Open { activity, round: 1, paper, id }
    })
}

/// Which deck a version has is up to the sequence.
pub(super) fn shuffled() -> impl Strategy<Value = usize> {
    0..DECKS
}

pub(super) fn step() -> impl Strategy<Value = PlayStep> {
    prop_oneof![
        3 => (activity(), round(), paper(version()), id())
            .prop_map(|(activity, round, paper, id)| PlayStep::Open { activity, round, paper, id }),
        2 => (activity(), round(), paper(1..4_u32), id())
            .prop_map(|(activity, round, paper, id)| PlayStep::Terms { activity, round, paper, id }),
        2 => (activity(), state(), id())
            .prop_map(|(activity, state, id)| PlayStep::State { activity, state, id }),
        1 => (activity(), 1..=PRIZES, prop::bool::weighted(0.6), id())
            .prop_map(|(activity, prize, withdrawn, id)| PlayStep::Prize { activity, prize, withdrawn, id }),
        2 => (prop::bool::weighted(0.3), id()).prop_map(|(on, id)| PlayStep::Halt { on, id }),
        2 => (activity(), user(), chances(), id())
            .prop_map(|(activity, user, chances, id)| PlayStep::Grant { activity, user, chances, id }),
        5 => seat().prop_map(PlayStep::Enter),
        15 => draw(),
        1 => (activity(), user(), chances(), id())
            .prop_map(|(activity, user, chances, id)| PlayStep::Revoke { activity, user, chances, id }),
    ]
}

/// An activity, a round and a version that a hold depends on.
pub(super) fn gate() -> impl Strategy<Value = (usize, u32, u32)> {
    (activity(), round(), version())
}

fn draw() -> impl Strategy<Value = PlayStep> {
    let client = prop_oneof![4 => Just(None), 1 => (0..3_u8).prop_map(Some)];
    (seat(), version(), client, 0..20_usize).prop_map(|(seat, version, client, standing)| PlayStep::Draw {
        seat,
        version,
        deck: 0,
        client,
        standing,
    })
}

fn seat() -> impl Strategy<Value = Seat> {
    let draws = prop_oneof![5 => Just(1_u32), 2 => 1..=DRAWS_MAX];
    (0..TICKETS.len(), activity(), round(), user(), draws, prop::bool::weighted(0.1)).prop_map(
        |(ticket, activity, round, user, draws, late)| Seat { ticket, activity, round, user, draws, late },
    )
}

fn paper(version: impl Strategy<Value = u32>) -> impl Strategy<Value = Paper> {
    let deck = prop_oneof![5 => Just(Some(0)), 1 => Just(None)];
    let hours = prop_oneof![4 => Just((0, i64::MAX)), 1 => (0..2_000_i64, 0..3_000_i64)];
    let limits = prop_oneof![
        3 => (0..15_u32, 0..4_u32, 0..3_u32).prop_map(|(total, month, day)| [total, month, day]),
        2 => Just([u32::MAX, 0, 0]),
    ];
    (version, deck, hours, prop::bool::weighted(0.4), limits)
        .prop_map(|(version, deck, hours, entries, limits)| Paper { version, deck, hours, entries, limits })
}

fn version() -> impl Strategy<Value = u32> {
    prop_oneof![5 => Just(1_u32), 2 => Just(2), 1 => 1..4_u32]
}

fn activity() -> impl Strategy<Value = usize> {
    prop_oneof![4 => Just(0), 1 => 0..ACTIVITIES.len()]
}

fn user() -> impl Strategy<Value = usize> {
    0..OWNERS.len()
}

/// Few of their own, so that they are used again; some of the pools'.
fn id() -> impl Strategy<Value = u16> {
    prop_oneof![1 => 0..4_u16, 5 => 4..8_u16, 4 => 10..1_000_u16]
}

fn round() -> impl Strategy<Value = u32> {
    prop_oneof![4 => Just(1_u32), 2 => Just(2), 1 => 0..4_u32]
}

fn state() -> impl Strategy<Value = ActivityState> {
    prop_oneof![
        3 => Just(ActivityState::Open),
        2 => Just(ActivityState::Paused),
        2 => Just(ActivityState::Closed)
    ]
}

fn chances() -> impl Strategy<Value = u32> {
    prop_oneof![4 => Just(2_u32), 2 => 0..5_u32, 1 => Just(GRANT_MAX), 1 => Just(GRANT_MAX + 1)]
}
