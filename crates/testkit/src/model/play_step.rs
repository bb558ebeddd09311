//! Rows about activities and tickets, by short names: activities `A B`, players `ann bob`, tickets `t` to `w`.

use std::fmt;

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{
    ActivityState, ChanceLimits, DRAWS_MAX, Day, Draws, GRANT_MAX, Play, Settlement, Terms,
};
use domain::ledger::{Key, Note};
use domain::time::Timestamp;
use proptest::collection::vec;
use proptest::prelude::*;

use super::step::{OWNERS, POOLS, Units, command_lines, pool_id, pool_key};

pub const ACTIVITIES: [&str; 2] = ["A", "B"];
pub const TICKETS: [&str; 4] = ["t", "u", "v", "w"];
/// A day is this long here, and a month has two.
const DAY_MS: i64 = 400;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayStep {
    Open {
        activity: usize,
        round: u32,
        hours: (i64, i64),
        entries: Option<usize>,
        limits: [u32; 3],
        id: u16,
    },
    State {
        activity: usize,
        state: ActivityState,
        id: u16,
    },
    Grant {
        activity: usize,
        user: usize,
        chances: u32,
        id: u16,
    },
    /// On the day the clock shows, or on the one before.
    Take {
        ticket: usize,
        activity: usize,
        round: u32,
        user: usize,
        draws: u32,
        late: bool,
    },
    Settle {
        ticket: usize,
        takes: Vec<Units>,
    },
}

impl PlayStep {
    pub fn play(&self, clock: Timestamp) -> Play {
        let note = Note::default();
        match self {
            Self::Open { activity, round, hours, entries, limits, id } => {
                let [total, month, day] = *limits;
                let terms = Terms {
                    from: Timestamp(hours.0),
                    until: Timestamp(hours.1),
                    entries: entries.map(pool_id),
                    limits: ChanceLimits { total, month, day },
                };
                Play::ActivityOpen {
                    key: pool_key(*id),
                    activity: activity_id(*activity),
                    round: *round,
                    terms,
                    note,
                }
            }
            Self::State { activity, state, id } => Play::ActivityState {
                key: pool_key(*id),
                activity: activity_id(*activity),
                state: *state,
                note,
            },
            Self::Grant { activity, user, chances, id } => {
                let (key, activity, user) = (pool_key(*id), activity_id(*activity), user_id(*user));
                Play::Grant { key, activity, user, chances: *chances, note }
            }
            Self::Take { ticket, activity, round, user, draws, late } => Play::Take {
                key: ticket_key(*ticket),
                activity: activity_id(*activity),
                round: *round,
                user: user_id(*user),
                draws: Draws::new(*draws).expect("one to ten"),
                day: day(clock, *late),
            },
            Self::Settle { ticket, takes } => Play::Settle {
                ticket: ticket_key(*ticket),
                takes: command_lines(takes),
                settlement: Settlement::new(format!("{takes:?}").as_bytes()).expect("a short text"),
            },
        }
    }
}

fn day(clock: Timestamp, late: bool) -> Day {
    let number = clock.0 / DAY_MS - i64::from(late && clock.0 >= DAY_MS);
    let (month, day) = (number / 2 + 1, number % 2 + 1);
    let (from, until) = (Timestamp(number * DAY_MS), Timestamp((number + 1) * DAY_MS));
    Day { number: u32::try_from(month * 100 + day).expect("not long ago"), from, until }
}

pub fn activity_id(activity: usize) -> ActivityId {
    ActivityId(i64::try_from(activity).expect("few activities") + 100)
}

pub fn user_id(user: usize) -> UserId {
    UserId(i64::try_from(user).expect("few players") + 1_000)
}

fn ticket_key(ticket: usize) -> Key {
    Key::of("ticket", 1, TICKETS[ticket])
}

pub(super) fn step() -> impl Strategy<Value = PlayStep> {
    let activity = || prop_oneof![4 => Just(0), 1 => 0..ACTIVITIES.len()];
    let user = || 0..OWNERS.len();
    // Few of their own, so that they are used again; some of the pools'.
    let id = || prop_oneof![1 => 0..4_u16, 5 => 4..8_u16, 2 => 10..1_000_u16];
    let round = || prop_oneof![4 => Just(1_u32), 2 => Just(2), 1 => 0..4_u32];
    let hours = prop_oneof![4 => Just((0, i64::MAX)), 1 => (0..2_000_i64, 0..3_000_i64)];
    let limits = prop_oneof![
        3 => (0..15_u32, 0..4_u32, 0..3_u32).prop_map(|(total, month, day)| [total, month, day]),
        1 => Just([u32::MAX, 0, 0]),
    ];
    let entries = prop_oneof![2 => Just(None), 1 => Just(Some(0)), 1 => (0..POOLS.len()).prop_map(Some)];
    let state = prop_oneof![
        2 => Just(ActivityState::Open),
        2 => Just(ActivityState::Paused),
        2 => Just(ActivityState::Closed)
    ];
    let chances =
        prop_oneof![4 => Just(2_u32), 2 => 0..5_u32, 1 => Just(GRANT_MAX), 1 => Just(GRANT_MAX + 1)];
    let draws = prop_oneof![5 => Just(1_u32), 2 => 1..=DRAWS_MAX];
    let takes = prop_oneof![2 => Just(Vec::new()), 2 => vec((0..POOLS.len(), 1..3_u32), 1..3)];
    prop_oneof![
        3 => (activity(), round(), hours, entries, limits, id()).prop_map(
            |(activity, round, hours, entries, limits, id)| PlayStep::Open {
                activity,
                round,
                hours,
                entries,
                limits,
                id
            }
        ),
        2 => (activity(), state, id())
            .prop_map(|(activity, state, id)| PlayStep::State { activity, state, id }),
        2 => (activity(), user(), chances, id())
            .prop_map(|(activity, user, chances, id)| PlayStep::Grant { activity, user, chances, id }),
        8 => (0..TICKETS.len(), activity(), round(), user(), draws, prop::bool::weighted(0.1)).prop_map(
            |(ticket, activity, round, user, draws, late)| PlayStep::Take {
                ticket,
                activity,
                round,
                user,
                draws,
                late
            }
        ),
        6 => (0..TICKETS.len(), takes).prop_map(|(ticket, takes)| PlayStep::Settle { ticket, takes }),
    ]
}

impl fmt::Display for PlayStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open { activity, round, hours, entries, limits, id } => {
                let [total, month, day] = limits;
                write!(f, "activity {} {}..{} total {total}", ACTIVITIES[*activity], hours.0, hours.1)?;
                write!(f, " month {month} day {day}")?;
                entries.map_or(Ok(()), |pool| write!(f, " entries {}", POOLS[pool]))?;
                write!(f, " round {round} #{id}")
            }
            Self::State { activity, state, id } => {
                write!(f, "{} {state:?} #{id}", ACTIVITIES[*activity])
            }
            Self::Grant { activity, user, chances, id } => {
                write!(f, "grant {} {} {chances} #{id}", ACTIVITIES[*activity], OWNERS[*user])
            }
            Self::Take { ticket, activity, round, user, draws, late } => {
                let (ticket, activity, user) = (TICKETS[*ticket], ACTIVITIES[*activity], OWNERS[*user]);
                let late = if *late { " on yesterday" } else { "" };
                write!(f, "ticket {ticket} {activity} {user} x {draws} round {round}{late}")
            }
            Self::Settle { ticket, takes } => write!(f, "settle {} {takes:?}", TICKETS[*ticket]),
        }
    }
}
