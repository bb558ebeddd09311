//! What a backend asks for, as it was sent, and the ledger's command that it becomes.
//!
//! Ids are the whole organisation's: a hold begun with one key is confirmed with another. Who asked goes along, for the
//! movements and for limits per caller, and decides nothing.

use std::sync::Arc;

use domain::Rejection;
use domain::ledger::{
    Act, Command, Key, Line, NOTE_MAX, Note, Owner, POOL_NAME_MAX, PoolId, PoolName, PoolState, QUANTITY_MAX,
    Quantity, TEXT_MAX, TOTAL_MAX, Take, Text,
};
use domain::rejection::FieldProblem;
use domain::time::Timestamp;
use store::model::Actor;

use crate::ports::Lane;

/// Commands in one batch.
pub const BATCH_MAX: usize = 1_000;
/// What the names of these pools begin with in the ledger, which others use too.
const PREFIX: &str = "inventory/";
/// The longest piece of a wrong name that is told back, in characters.
const TOLD_MAX: usize = 60;
/// Where the command line's own commands wait.
const CONSOLE_LANE: Lane = 1;

/// Whose command it is: the id of a key or a person; zero for the machine's own command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asker(i64);

impl From<Actor> for Asker {
    fn from(actor: Actor) -> Self {
        match actor {
            Actor::Person(user) => Self(user.0),
            Actor::Key(key) => Self(key.0),
            Actor::Console | Actor::System => Self(0),
        }
    }
}

impl Asker {
    /// Puts the asker's name under a note.
    pub fn signed(self, note: Note) -> Note {
        note.signed(self.0)
    }

    /// Each caller has a lane of its own, so that a busy one keeps only itself waiting.
    pub(crate) fn lane(self) -> Lane {
        if self.0 == 0 { CONSOLE_LANE } else { self.0 }
    }
}

/// A command under the id that makes it safe to repeat.
#[derive(Clone, Debug)]
pub struct InventoryRequest {
    pub id: String,
    pub wish: Wish,
}

/// What is asked for; numbers and texts as they came.
#[derive(Clone, Debug)]
pub enum Wish {
    /// Makes a pool (round 1) or opens a closed one for its next round.
    Open {
        name: String,
        round: i64,
        total: i64,
        owner_max: i64,
        reason: String,
    },
    Restock {
        pool: String,
        quantity: i64,
        reason: String,
    },
    Adjust {
        pool: String,
        delta: i64,
        reason: String,
    },
    Limit {
        pool: String,
        owner_max: i64,
        reason: String,
    },
    State {
        pool: String,
        state: PoolState,
        reason: String,
    },
    Reserve {
        lines: Vec<GivenLine>,
        owner: Option<String>,
        ttl_ms: i64,
    },
    /// All of it, or these lines.
    Confirm {
        lines: Option<Vec<GivenLine>>,
    },
    Cancel,
    Extend {
        until_ms: i64,
    },
}

#[derive(Clone, Debug)]
pub struct GivenLine {
    pub pool: String,
    pub quantity: i64,
}

/// A command ready for the ledger, and what is needed to tell its answer.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub id: String,
    pub command: Command,
    /// The pools it names.
    pub names: Vec<(PoolId, Arc<str>)>,
    /// Whether it makes something new.
    pub creates: bool,
}

pub(crate) fn prepare(asker: Asker, ask: InventoryRequest) -> Result<Prepared, Rejection> {
    let InventoryRequest { id, wish } = ask;
    let creates = matches!(wish, Wish::Open { .. } | Wish::Reserve { .. });
    let mut names = Vec::new();
    let command = match wish {
        Wish::Open { name, round, total, owner_max, reason } => {
            let name = ledger_name(&name).ok_or_else(|| bad_name(&name))?;
            names.push((name.pool(), name.as_str().into()));
            let key = pool_key(&id)?;
            let act = Act::PoolOpen {
                pool: name.pool(),
                name,
                round: parse_u32("round", round)?,
                total: total_of(total)?,
                owner_max: parse_u32("owner_max", owner_max)?,
            };
            Command::direct(key, note(asker, &reason)?, act)
        }
        Wish::Restock { pool, quantity, reason } => {
            let pool = find_pool(&pool, &mut names)?;
            let delta = i64::from(units("quantity", quantity)?.units());
            Command::direct(pool_key(&id)?, parse_reason(asker, &reason)?, Act::PoolAdjust { pool, delta })
        }
        Wish::Adjust { pool, delta, reason } => {
            let pool = find_pool(&pool, &mut names)?;
            let max = TOTAL_MAX.cast_signed();
            if delta == 0 || !(-max..=max).contains(&delta) {
                return Err(Rejection::invalid("delta", FieldProblem::OutOfRange { min: -max, max }));
            }
            Command::direct(pool_key(&id)?, parse_reason(asker, &reason)?, Act::PoolAdjust { pool, delta })
        }
        Wish::Limit { pool, owner_max, reason } => {
            let pool = find_pool(&pool, &mut names)?;
            let owner_max = parse_u32("owner_max", owner_max)?;
            Command::direct(pool_key(&id)?, note(asker, &reason)?, Act::PoolLimit { pool, owner_max })
        }
        Wish::State { pool, state, reason } => {
            let pool = find_pool(&pool, &mut names)?;
            Command::direct(pool_key(&id)?, parse_reason(asker, &reason)?, Act::PoolState { pool, state })
        }
        Wish::Reserve { lines, owner, ttl_ms } => Command::Reserve {
            key: hold_key(&id),
            id: text("id", &id)?,
            caller: asker.0,
            owner: owner.map(|owner| text("owner", &owner)).transpose()?.map(Owner::new),
            lines: lines_of(&lines, &mut names)?,
            ttl_ms,
            gates: Vec::new(),
        },
        Wish::Confirm { lines } => {
            parse_hold_id(&id)?;
            let take = match lines {
                Some(lines) => Take::Part(lines_of(&lines, &mut names)?),
                None => Take::All,
            };
            Command::Confirm { hold: hold_key(&id), take }
        }
        Wish::Cancel => Command::Cancel { hold: hold_key(&id), id: parse_hold_id(&id)?, caller: asker.0 },
        Wish::Extend { until_ms } => {
            parse_hold_id(&id)?;
            Command::Extend { hold: hold_key(&id), until: Timestamp(until_ms) }
        }
    };
    Ok(Prepared { id, command, names, creates })
}

/// Whether an ask could be carried out at all, without asking anybody.
pub fn check(ask: InventoryRequest) -> Result<(), Rejection> {
    prepare(Asker(0), ask).map(drop)
}

/// The name of a pool in the ledger, given what its owner calls it.
pub(crate) fn ledger_name(name: &str) -> Option<PoolName> {
    PoolName::new(&format!("{PREFIX}{name}"))
}

/// What its owner calls a pool of that name in the ledger; nothing if it is somebody else's.
pub(crate) fn strip_owner_prefix(name: &str) -> Option<&str> {
    name.strip_prefix(PREFIX)
}

/// What the listing looks under.
pub(crate) fn under(given: &str) -> String {
    format!("{PREFIX}{given}")
}

pub(crate) fn hold_key(id: &str) -> Key {
    Key::of("hold", 0, id)
}

/// A name that cannot be a pool's names none.
pub(crate) fn find_pool(name: &str, names: &mut Vec<(PoolId, Arc<str>)>) -> Result<PoolId, Rejection> {
    let whole = ledger_name(name)
        .ok_or_else(|| Rejection::PoolUnknown { pool: name.chars().take(TOLD_MAX).collect() })?;
    names.push((whole.pool(), whole.as_str().into()));
    Ok(whole.pool())
}

fn bad_name(name: &str) -> Rejection {
    let max = POOL_NAME_MAX - PREFIX.len();
    let problem = match name.len() {
        0 => FieldProblem::TooShort { min: 1 },
        long if long > max => FieldProblem::TooLong { max: max as u64 },
        _ => FieldProblem::Malformed,
    };
    Rejection::invalid("name", problem)
}

fn pool_key(id: &str) -> Result<Key, Rejection> {
    text("id", id).map(|id| Key::of("pool", 0, id.as_str()))
}

/// An id that cannot be a hold's names none.
fn parse_hold_id(id: &str) -> Result<Text, Rejection> {
    Text::new(id).ok_or(Rejection::HoldUnknown)
}

/// A short text of the caller's own, or what is wrong with it.
pub(crate) fn text(field: &str, text: &str) -> Result<Text, Rejection> {
    Text::new(text).ok_or_else(|| {
        let problem = match text.len() {
            0 => FieldProblem::TooShort { min: 1 },
            long if long > TEXT_MAX => FieldProblem::TooLong { max: TEXT_MAX as u64 },
            _ => FieldProblem::Malformed,
        };
        Rejection::invalid(field, problem)
    })
}

fn note(asker: Asker, reason: &str) -> Result<Note, Rejection> {
    let problem = || match reason.len() {
        long if long > NOTE_MAX => FieldProblem::TooLong { max: NOTE_MAX as u64 },
        _ => FieldProblem::Malformed,
    };
    let note = Note::new(reason).ok_or_else(|| Rejection::invalid("reason", problem()))?;
    Ok(note.signed(asker.0))
}

fn parse_reason(asker: Asker, reason: &str) -> Result<Note, Rejection> {
    if reason.trim().is_empty() {
        return Err(Rejection::invalid("reason", FieldProblem::TooShort { min: 1 }));
    }
    note(asker, reason)
}

fn units(field: &str, units: i64) -> Result<Quantity, Rejection> {
    let problem = FieldProblem::OutOfRange { min: 1, max: i64::from(QUANTITY_MAX) };
    Quantity::new(units).ok_or_else(|| Rejection::invalid(field, problem))
}

fn total_of(total: i64) -> Result<u64, Rejection> {
    let problem = FieldProblem::OutOfRange { min: 0, max: TOTAL_MAX.cast_signed() };
    let fits = u64::try_from(total).ok().filter(|total| *total <= TOTAL_MAX);
    fits.ok_or_else(|| Rejection::invalid("total", problem))
}

fn parse_u32(field: &str, number: i64) -> Result<u32, Rejection> {
    let problem = FieldProblem::OutOfRange { min: 0, max: i64::from(u32::MAX) };
    u32::try_from(number).map_err(|_| Rejection::invalid(field, problem))
}

fn lines_of(given: &[GivenLine], names: &mut Vec<(PoolId, Arc<str>)>) -> Result<Vec<Line>, Rejection> {
    let line = |(at, line): (usize, &GivenLine)| {
        let name = ledger_name(&line.pool)
            .ok_or_else(|| Rejection::invalid(&format!("lines[{at}].pool"), FieldProblem::Malformed))?;
        let quantity = units(&format!("lines[{at}].quantity"), line.quantity)?;
        names.push((name.pool(), name.as_str().into()));
        Ok(Line { pool: name.pool(), quantity })
    };
    given.iter().enumerate().map(line).collect()
}
