//! One row of a sequence, by short names: pools `p q r`, holds `a` to `g`, owners `ann bob`, ids of pool commands `#n`.

use std::fmt;

use domain::ledger::{
    Act, Command, Key, Limits, Line, MustRun, Note, Owner, PoolId, PoolName, PoolState, Quantity, Take, Text,
};
use domain::time::Timestamp;

use super::play_step::{ACTIVITIES, PlayStep, activity_id};

/// Bounds small enough that random rows run into every one of them.
pub const LIMITS: Limits =
    Limits { lines_max: 3, ttl_min_ms: 10, ttl_max_ms: 1_000, life_max_ms: 3_000, tombstones_max: 2 };

pub const POOLS: [&str; 3] = ["p", "q", "r"];
pub const OWNERS: [&str; 2] = ["ann", "bob"];
/// The last shares its fingerprint with the first: the filter cannot tell them apart.
pub const HOLDS: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];

/// Units of a pool.
pub type Units = (usize, u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The clock moves by so many milliseconds; it may also move back.
    Wait(i64),
    Open {
        pool: usize,
        round: u32,
        total: u64,
        owner_max: u32,
        id: u16,
    },
    Adjust {
        pool: usize,
        delta: i64,
        id: u16,
    },
    Limit {
        pool: usize,
        owner_max: u32,
        id: u16,
    },
    State {
        pool: usize,
        state: PoolState,
        id: u16,
    },
    Reserve {
        hold: usize,
        lines: Vec<Units>,
        owner: Option<usize>,
        ttl_ms: i64,
        /// Activities that have to be running, each with its round and version.
        gates: Vec<(usize, u32, u32)>,
    },
    Confirm {
        hold: usize,
        part: Option<Vec<Units>>,
    },
    Cancel {
        hold: usize,
    },
    /// So many milliseconds from now.
    Extend {
        hold: usize,
        by_ms: i64,
    },
    Expire,
    Play(PlayStep),
    /// The database is so many changes behind; what it has leaves memory, at most `limit` of it.
    Forget {
        behind: u64,
        limit: usize,
    },
    Restart,
    /// The clock that was ahead was put right, and is believed.
    PutBack,
}

impl Step {
    /// The command this row stands for at this time, if it is one.
    pub fn command(&self, clock: Timestamp) -> Option<Command> {
        let note = Note::default();
        Some(match self {
            Self::Wait(_) | Self::Forget { .. } | Self::Restart | Self::PutBack => return None,
            Self::Open { pool, round, total, owner_max, id } => Command::direct(
                pool_key(*id),
                note,
                Act::PoolOpen {
                    pool: pool_id(*pool),
                    name: pool_name(*pool),
                    round: *round,
                    total: *total,
                    owner_max: *owner_max,
                },
            ),
            Self::Adjust { pool, delta, id } => {
                Command::direct(pool_key(*id), note, Act::PoolAdjust { pool: pool_id(*pool), delta: *delta })
            }
            Self::Limit { pool, owner_max, id } => Command::direct(
                pool_key(*id),
                note,
                Act::PoolLimit { pool: pool_id(*pool), owner_max: *owner_max },
            ),
            Self::State { pool, state, id } => {
                Command::direct(pool_key(*id), note, Act::PoolState { pool: pool_id(*pool), state: *state })
            }
            Self::Reserve { hold, lines, owner, ttl_ms, gates } => Command::Reserve {
                key: hold_key(*hold),
                id: text(HOLDS[*hold]),
                caller: caller(*hold),
                owner: owner.map(|owner| Owner::new(text(OWNERS[owner]))),
                lines: command_lines(lines),
                ttl_ms: *ttl_ms,
                gates: gates.iter().map(gate).collect(),
            },
            Self::Confirm { hold, part } => {
                let take = part.as_ref().map_or(Take::All, |lines| Take::Part(command_lines(lines)));
                Command::Confirm { hold: hold_key(*hold), take }
            }
            Self::Cancel { hold } => {
                Command::Cancel { hold: hold_key(*hold), id: text(HOLDS[*hold]), caller: caller(*hold) }
            }
            Self::Extend { hold, by_ms } => Command::Extend { hold: hold_key(*hold), until: clock + *by_ms },
            Self::Expire => Command::ExpireOne,
            Self::Play(step) => step.command(clock),
        })
    }
}

fn gate((activity, round, version): &(usize, u32, u32)) -> MustRun {
    MustRun { activity: activity_id(*activity), round: *round, version: *version }
}

fn pool_name(pool: usize) -> PoolName {
    PoolName::new(&format!("inventory/shelf/{pool}")).expect("a short name")
}

pub fn pool_id(pool: usize) -> PoolId {
    PoolId(i64::try_from(pool).expect("few pools") + 1)
}

pub fn hold_key(hold: usize) -> Key {
    let key = Key::of("hold", caller(hold), HOLDS[hold]);
    if hold + 1 == HOLDS.len() {
        return Key(u128::from(hold_key(0).fingerprint()) << 64 | (key.0 & u128::from(u64::MAX)));
    }
    key
}

/// Number 0 is the first hold's own id: purposes keep such ids apart, and the ledger does not rely on it.
pub(super) fn pool_key(id: u16) -> Key {
    if id == 0 { hold_key(0) } else { Key::of("pool", 1, &id.to_string()) }
}

fn caller(hold: usize) -> i64 {
    if hold < 5 { 1 } else { 2 }
}

fn text(text: &str) -> Text {
    Text::new(text).expect("a short name")
}

pub(super) fn command_lines(lines: &[Units]) -> Vec<Line> {
    let quantity = |units: u32| Quantity::new(i64::from(units)).expect("a positive number");
    lines.iter().map(|(pool, units)| Line { pool: pool_id(*pool), quantity: quantity(*units) }).collect()
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wait(ms) => write!(f, "wait {ms}"),
            Self::Open { pool, round, total, owner_max, id } => {
                write!(f, "open {} {total} round {round} max {owner_max} #{id}", POOLS[*pool])
            }
            Self::Adjust { pool, delta, id } => write!(f, "adjust {} {delta} #{id}", POOLS[*pool]),
            Self::Limit { pool, owner_max, id } => write!(f, "limit {} {owner_max} #{id}", POOLS[*pool]),
            Self::State { pool, state, id } => {
                let verb = match state {
                    PoolState::Open => "thaw",
                    PoolState::Frozen => "freeze",
                    PoolState::Closed => "close",
                };
                write!(f, "{verb} {} #{id}", POOLS[*pool])
            }
            Self::Reserve { hold, lines, owner, ttl_ms, gates } => {
                write!(f, "reserve {} {}", HOLDS[*hold], Joined(lines))?;
                owner.map_or(Ok(()), |owner| write!(f, " by {}", OWNERS[owner]))?;
                write!(f, " ttl {ttl_ms}")?;
                gates.iter().try_for_each(|(activity, round, version)| {
                    write!(f, " when {}/{round}/{version}", ACTIVITIES[*activity])
                })
            }
            Self::Confirm { hold, part } => {
                write!(f, "confirm {}", HOLDS[*hold])?;
                part.as_ref().map_or(Ok(()), |lines| write!(f, " {}", Joined(lines)))
            }
            Self::Cancel { hold } => write!(f, "cancel {}", HOLDS[*hold]),
            Self::Extend { hold, by_ms } => write!(f, "extend {} +{by_ms}", HOLDS[*hold]),
            Self::Expire => f.write_str("expire"),
            Self::Play(step) => step.fmt(f),
            Self::Forget { behind, limit } => write!(f, "forget {limit} up to {behind} behind"),
            Self::Restart => f.write_str("restart"),
            Self::PutBack => f.write_str("the clock was put right"),
        }
    }
}

struct Joined<'a>(&'a [Units]);

impl fmt::Display for Joined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("-");
        }
        for (at, (pool, units)) in self.0.iter().enumerate() {
            write!(f, "{}{}:{units}", if at == 0 { "" } else { "," }, POOLS[*pool])?;
        }
        Ok(())
    }
}
