//! Deciding: reads the state, judges the command, changes nothing.

use super::command::{Command, Key, Line, MustRun, Owner, PoolId, QUANTITY_MAX, Quantity, Take};
use super::event::{Change, PoolState, TakenLine};
use super::lines::Lines;
use super::play::{self, Ticket};
use super::record::{Hold, HoldEnd, HoldState, Pool, Record};
use super::refusal::{HoldRefusal, PoolRefusal, Refusal};
use super::slab::Slot;
use super::state::{Effect, Ledger, OWNER_UNITS_MAX, TOTAL_MAX};
use crate::time::CLOCK_SLACK_MS;

pub(super) enum Decision {
    Accept(Change),
    Replay(Effect),
    Refuse(Refusal),
    LookUp,
}

impl From<Refusal> for Decision {
    fn from(refusal: Refusal) -> Self {
        Self::Refuse(refusal)
    }
}

/// `absent_at` comes with a second try after [`Decision::LookUp`]: the database, at this position, has never heard of
/// the id.
pub(super) fn decide(ledger: &Ledger, command: &Command, absent_at: Option<u64>) -> Decision {
    match command {
        Command::PoolOpen { key, pool, name, round, total, owner_max, note } => {
            pool_change(ledger, (*key, absent_at), *pool, body(command), |ledger, body| {
                pool_open(ledger, *pool, *round, *total)?;
                let (key, pool, round, total, owner_max) = (*key, *pool, *round, *total, *owner_max);
                let (name, note) = (name.clone(), note.clone());
                Ok(Change::PoolOpened { key, body, pool, name, round, total, owner_max, note })
            })
        }
        Command::PoolAdjust { key, pool, delta, note } => {
            pool_change(ledger, (*key, absent_at), *pool, body(command), |ledger, body| {
                pool_adjust(ledger, *pool, *delta)?;
                Ok(Change::PoolAdjusted { key: *key, body, pool: *pool, delta: *delta, note: note.clone() })
            })
        }
        Command::PoolLimit { key, pool, owner_max, note } => {
            pool_change(ledger, (*key, absent_at), *pool, body(command), |ledger, body| {
                not_closed(ledger, *pool)?;
                Ok(Change::PoolLimited {
                    key: *key,
                    body,
                    pool: *pool,
                    owner_max: *owner_max,
                    note: note.clone(),
                })
            })
        }
        Command::PoolState { key, pool, state, note } => {
            pool_change(ledger, (*key, absent_at), *pool, body(command), |ledger, body| {
                not_closed(ledger, *pool)?;
                Ok(Change::PoolStateSet { key: *key, body, pool: *pool, state: *state, note: note.clone() })
            })
        }
        Command::Reserve { key, id, caller, owner, lines, ttl_ms, gates } => {
            let body = body(command);
            match lookup(ledger, *key, absent_at) {
                Found::Hold(hold) if hold.body == body => {
                    Decision::Replay(Effect::Hold(ledger.hold_view(hold)))
                }
                Found::Hold(_) | Found::Change(_) | Found::Ticket(_) => Refusal::Conflict.into(),
                Found::Tombstone => Refusal::Hold(HoldRefusal::AlreadyCancelled).into(),
                Found::Perhaps => Decision::LookUp,
                Found::Nothing => match reserve(ledger, owner.as_ref(), lines, *ttl_ms, gates) {
                    Err(refusal) => refusal.into(),
                    Ok(lines) => Decision::Accept(Change::Reserved {
                        key: *key,
                        body,
                        id: id.clone(),
                        caller: *caller,
                        owner: owner.clone(),
                        due: ledger.now + *ttl_ms,
                        lines,
                    }),
                },
            }
        }
        Command::Confirm { hold, take } => match lookup(ledger, *hold, absent_at) {
            Found::Hold(record) => confirm(ledger, record, take).unwrap_or_else(Decision::Refuse),
            other => no_open_hold(&other),
        },
        Command::Cancel { hold, id, caller } => match lookup(ledger, *hold, absent_at) {
            Found::Hold(record) => match record.state_at(ledger.now) {
                HoldState::Held => {
                    Decision::Accept(Change::Cancelled { hold: *hold, made_seq: record.made_seq })
                }
                HoldState::Cancelled => Decision::Replay(Effect::Hold(ledger.hold_view(record))),
                HoldState::Confirmed => Refusal::Hold(HoldRefusal::AlreadyConfirmed).into(),
                HoldState::Expired => Refusal::Hold(HoldRefusal::Expired).into(),
            },
            // Cancelled before it arrived, and now again: the same "no such hold any more".
            Found::Tombstone => Refusal::Hold(HoldRefusal::AlreadyCancelled).into(),
            Found::Change(_) | Found::Ticket(_) => Refusal::Hold(HoldRefusal::Unknown).into(),
            Found::Perhaps => Decision::LookUp,
            Found::Nothing => {
                let max = ledger.limits.tombstones_max;
                if ledger.tombstones.get(caller).is_some_and(|count| *count >= max) {
                    return Refusal::Hold(HoldRefusal::TombstonesFull { max }).into();
                }
                Decision::Accept(Change::Spent { hold: *hold, id: id.clone(), caller: *caller })
            }
        },
        Command::Extend { hold, until } => match lookup(ledger, *hold, absent_at) {
            Found::Hold(record) => match open(ledger, record) {
                Err(refusal) => refusal.into(),
                Ok(()) if *until <= record.due => Decision::Replay(Effect::Hold(ledger.hold_view(record))),
                Ok(()) if *until > record.made + ledger.limits.life_max_ms => {
                    Refusal::Hold(HoldRefusal::ExtendTooFar { max_ms: ledger.limits.life_max_ms }).into()
                }
                Ok(()) => {
                    let made_seq = record.made_seq;
                    Decision::Accept(Change::Extended { hold: *hold, made_seq, due: *until })
                }
            },
            other => no_open_hold(&other),
        },
        Command::ExpireOne => match ledger.due.first_due(ledger.now) {
            None => Refusal::NothingDue.into(),
            Some(slot) => {
                let Hold { key, made_seq, .. } = *ledger.hold_at(slot);
                Decision::Accept(Change::Expired { hold: key, made_seq })
            }
        },
        Command::Play(play) => play::decide::decide(ledger, play, absent_at),
    }
}

/// What is known of an id.
pub(super) enum Found<'a> {
    Hold(&'a Hold),
    Tombstone,
    Change(u64),
    Ticket(&'a Ticket),
    /// It may be one that has left memory.
    Perhaps,
    Nothing,
}

pub(super) fn lookup(ledger: &Ledger, key: Key, absent_at: Option<u64>) -> Found<'_> {
    if let Some(slot) = ledger.find(key) {
        return match &ledger.records[slot] {
            Record::Hold(hold) => Found::Hold(hold),
            Record::Tombstone { .. } => Found::Tombstone,
            Record::Change { body, .. } => Found::Change(*body),
            Record::Ticket(ticket) => Found::Ticket(ticket),
        };
    }
    // "Absent" counts only if nothing has left memory since the database was asked: otherwise this very id may have.
    let known_absent = absent_at.is_some_and(|position| position >= ledger.forgotten);
    if !known_absent && ledger.filter.contains(key.fingerprint()) { Found::Perhaps } else { Found::Nothing }
}

fn no_open_hold(found: &Found<'_>) -> Decision {
    match found {
        Found::Tombstone => Refusal::Hold(HoldRefusal::AlreadyCancelled).into(),
        Found::Perhaps => Decision::LookUp,
        Found::Hold(_) | Found::Change(_) | Found::Ticket(_) | Found::Nothing => {
            Refusal::Hold(HoldRefusal::Unknown).into()
        }
    }
}

/// Passes while a hold can still be confirmed or extended. It is over at its due time, whether or not its expiry has
/// been carried out.
fn open(ledger: &Ledger, hold: &Hold) -> Result<(), Refusal> {
    match hold.state_at(ledger.now) {
        HoldState::Held => Ok(()),
        HoldState::Expired => Err(Refusal::Hold(HoldRefusal::Expired)),
        HoldState::Confirmed => Err(Refusal::Hold(HoldRefusal::AlreadyConfirmed)),
        HoldState::Cancelled => Err(Refusal::Hold(HoldRefusal::AlreadyCancelled)),
    }
}

fn confirm(ledger: &Ledger, hold: &Hold, take: &Take) -> Result<Decision, Refusal> {
    let taken = taken_units(hold.lines.as_slice(), |line| (ledger.pools[line.pool].id, line.units), take);
    if let HoldEnd::Confirmed { taken: before } = &hold.end {
        return match taken {
            Ok(taken) if *taken == **before => Ok(Decision::Replay(Effect::Hold(ledger.hold_view(hold)))),
            _ => Err(Refusal::Hold(HoldRefusal::AlreadyConfirmed)),
        };
    }
    open(ledger, hold)?;
    Ok(Decision::Accept(Change::Confirmed { hold: hold.key, made_seq: hold.made_seq, taken: taken? }))
}

/// Units to take, line by line. `read` says which pool a line is of, and how many units.
pub(super) fn taken_units<L>(
    held: &[L],
    read: impl Fn(&L) -> (PoolId, u32),
    take: &Take,
) -> Result<Vec<u32>, Refusal> {
    match take {
        Take::All => Ok(held.iter().map(|line| read(line).1).collect()),
        Take::Part(lines) if lines.is_empty() => Err(Refusal::Hold(HoldRefusal::NoLines)),
        Take::Part(lines) => {
            let mut units = vec![0; held.len()];
            for Line { pool, quantity } in lines {
                let not_held = || Refusal::Hold(HoldRefusal::NotHeld { pool: *pool });
                let at = held.iter().position(|line| read(line).0 == *pool).ok_or_else(not_held)?;
                units[at] = quantity
                    .units()
                    .checked_add(units[at])
                    .filter(|sum| *sum <= read(&held[at]).1)
                    .ok_or_else(not_held)?;
            }
            Ok(units)
        }
    }
}

fn reserve(
    ledger: &Ledger,
    owner: Option<&Owner>,
    lines: &[Line],
    ttl_ms: i64,
    gates: &[MustRun],
) -> Result<Lines<TakenLine>, Refusal> {
    let limits = &ledger.limits;
    if !(limits.ttl_min_ms..=limits.ttl_max_ms).contains(&ttl_ms) {
        return Err(Refusal::Hold(HoldRefusal::TtlOutOfRange {
            min_ms: limits.ttl_min_ms,
            max_ms: limits.ttl_max_ms,
        }));
    }
    if lines.is_empty() {
        return Err(Refusal::Hold(HoldRefusal::NoLines));
    }
    if lines.len().max(gates.len()) > limits.lines_max as usize {
        return Err(Refusal::Hold(HoldRefusal::TooManyLines { max: limits.lines_max }));
    }
    clock_right(ledger)?;
    play::decide::all_open(ledger, gates)?;
    taken_lines(ledger, owner, lines)
}

/// Nothing new is begun while nobody knows what time it is: the clock says one thing and the ledger another.
pub(super) fn clock_right(ledger: &Ledger) -> Result<(), Refusal> {
    let behind_ms = ledger.behind_ms;
    if behind_ms > CLOCK_SLACK_MS { Err(Refusal::ClockBehind { behind_ms }) } else { Ok(()) }
}

/// Lines on one pool summed, each with the round it is taken in; all of them, or a refusal.
pub(super) fn taken_lines(
    ledger: &Ledger,
    owner: Option<&Owner>,
    lines: &[Line],
) -> Result<Lines<TakenLine>, Refusal> {
    let mut taken = summed(lines)?;
    for line in &mut *taken {
        let slot = current(ledger, line.pool)?;
        line.round = take_from(ledger, slot, owner, line.quantity.units())?;
    }
    Ok(taken)
}

/// One line for each pool; which round it is of is still to be said.
fn summed(lines: &[Line]) -> Result<Lines<TakenLine>, Refusal> {
    let taken = |line: &Line| TakenLine { pool: line.pool, round: 0, quantity: line.quantity };
    if let [one] = lines {
        return Ok(Lines::One(taken(one)));
    }
    let mut sums: Vec<TakenLine> = Vec::with_capacity(lines.len());
    for line in lines {
        match sums.iter_mut().find(|earlier| earlier.pool == line.pool) {
            Some(earlier) => earlier.quantity = sum(earlier, line)?,
            None => sums.push(taken(line)),
        }
    }
    Ok(sums.into())
}

fn sum(earlier: &TakenLine, line: &Line) -> Result<Quantity, Refusal> {
    let units = i64::from(earlier.quantity.units()) + i64::from(line.quantity.units());
    Quantity::new(units).ok_or(Refusal::Hold(HoldRefusal::QuantityTooLarge { pool: line.pool }))
}

/// Whether one pool gives so many units to this owner now; answers the round it gives them in.
pub(super) fn take_from(
    ledger: &Ledger,
    slot: Slot,
    owner: Option<&Owner>,
    units: u32,
) -> Result<u32, Refusal> {
    let pool = &ledger.pools[slot];
    let id = pool.id;
    match pool.state {
        PoolState::Open => {}
        PoolState::Frozen => return Err(Refusal::Pool(PoolRefusal::Frozen { pool: id })),
        PoolState::Closed => return Err(Refusal::Pool(PoolRefusal::Closed { pool: id })),
    }
    if let Some(owner) = owner {
        let limit = if pool.owner_max == 0 { OWNER_UNITS_MAX } else { pool.owner_max };
        let has = pool.owners.get(&owner.id.get()).copied().unwrap_or(0);
        if has.checked_add(units).is_none_or(|sum| sum > limit) {
            return Err(Refusal::Pool(PoolRefusal::LimitReached { pool: id, limit, has }));
        }
    }
    if u64::from(units) > pool.available {
        return Err(Refusal::Pool(PoolRefusal::SoldOut { pool: id, left: pool.available }));
    }
    Ok(pool.round)
}

fn pool_change(
    ledger: &Ledger,
    (key, absent_at): (Key, Option<u64>),
    pool: PoolId,
    body: u64,
    judge: impl FnOnce(&Ledger, u64) -> Result<Change, Refusal>,
) -> Decision {
    match lookup(ledger, key, absent_at) {
        Found::Change(before) if before == body => match ledger.pool(pool) {
            Some(view) => Decision::Replay(Effect::Pool(view)),
            None => Refusal::Pool(PoolRefusal::Unknown { pool }).into(),
        },
        Found::Change(_) | Found::Hold(_) | Found::Ticket(_) | Found::Tombstone => Refusal::Conflict.into(),
        Found::Perhaps => Decision::LookUp,
        Found::Nothing => judge(ledger, body).map_or_else(Decision::Refuse, Decision::Accept),
    }
}

fn pool_open(ledger: &Ledger, pool: PoolId, round: u32, total: u64) -> Result<(), Refusal> {
    if total > TOTAL_MAX {
        return Err(Refusal::Pool(PoolRefusal::TotalTooLarge { pool }));
    }
    let (expected, closed) = match ledger.current.get(&pool) {
        None => (1, true),
        Some(slot) => (ledger.pools[*slot].round + 1, ledger.pools[*slot].state == PoolState::Closed),
    };
    if round == expected && closed {
        Ok(())
    } else {
        Err(Refusal::Pool(PoolRefusal::RoundStale { pool, round }))
    }
}

fn pool_adjust(ledger: &Ledger, id: PoolId, delta: i64) -> Result<(), Refusal> {
    let pool = not_closed(ledger, id)?;
    let units = delta.unsigned_abs();
    if delta < 0 && units > pool.available {
        return Err(Refusal::Pool(PoolRefusal::NotFree { pool: id, free: pool.available }));
    }
    if delta > 0 && pool.total.saturating_add(units) > TOTAL_MAX {
        return Err(Refusal::Pool(PoolRefusal::TotalTooLarge { pool: id }));
    }
    Ok(())
}

/// The current round of a pool that is not closed.
fn not_closed(ledger: &Ledger, pool: PoolId) -> Result<&Pool, Refusal> {
    let round = &ledger.pools[current(ledger, pool)?];
    if round.state == PoolState::Closed {
        Err(Refusal::Pool(PoolRefusal::Closed { pool }))
    } else {
        Ok(round)
    }
}

fn current(ledger: &Ledger, pool: PoolId) -> Result<Slot, Refusal> {
    ledger.current.get(&pool).copied().ok_or(Refusal::Pool(PoolRefusal::Unknown { pool }))
}

/// What a command said, in eight bytes: the same id with another body is a conflict. Written into the database, so its
/// value for a given body never changes. What ends a hold has no body: the hold itself says whether it is the same.
pub fn body(command: &Command) -> u64 {
    let body = match command {
        Command::PoolOpen { pool, round, total, owner_max, key: _, name: _, note: _ } => {
            Body::new(1).id(pool.0).number(u64::from(*round)).number(*total).number(u64::from(*owner_max))
        }
        Command::PoolAdjust { pool, delta, key: _, note: _ } => {
            Body::new(2).id(pool.0).number(delta.cast_unsigned())
        }
        Command::PoolLimit { pool, owner_max, key: _, note: _ } => {
            Body::new(3).id(pool.0).number(u64::from(*owner_max))
        }
        Command::PoolState { pool, state, key: _, note: _ } => Body::new(4).id(pool.0).number(*state as u64),
        Command::Reserve { owner, lines, ttl_ms, gates, key: _, id: _, caller: _ } => {
            let owner = owner.as_ref().map_or(0, |owner| owner.id.get());
            let start = Body::new(5).number(ttl_ms.cast_unsigned()).number(owner);
            debug_assert!(lines.iter().all(|line| line.quantity.units() <= QUANTITY_MAX));
            let asked = lines
                .iter()
                .fold(start, |body, line| body.id(line.pool.0).number(u64::from(line.quantity.units())));
            // Which activities is what was asked for; in which round and version, a repetition may see otherwise.
            gates.iter().fold(asked, |body, gate| body.id(gate.activity.0))
        }
        Command::Confirm { .. } | Command::Cancel { .. } | Command::Extend { .. } | Command::ExpireOne => {
            Body::new(0)
        }
        Command::Play(play) => return play::decide::body(play),
    };
    body.value()
}

/// A frozen mixing of numbers. It need not resist anybody: who finds a collision conflicts with themselves.
#[derive(Clone, Copy)]
pub(super) struct Body(u64);

impl Body {
    pub fn new(kind: u64) -> Self {
        Self(0x7769_6e64_6661_6c6c).number(kind)
    }

    pub fn id(self, id: i64) -> Self {
        self.number(id.cast_unsigned())
    }

    pub fn number(self, number: u64) -> Self {
        let mut mixed = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^= mixed >> 32;
        Self(mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ (mixed >> 29))
    }

    pub fn value(self) -> u64 {
        self.0
    }
}
