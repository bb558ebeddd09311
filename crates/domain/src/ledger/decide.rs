//! Deciding: reads the state, judges the command, changes nothing.

use super::command::{Command, Key, Line, MustRun, Owner, PoolId, Quantity, Take};
use super::digest::CommandDigest;
use super::directive::judge::once;
use super::event::{Change, PoolState, TakenLine};
use super::lines::Lines;
use super::play::decide::Admission;
use super::play::{self, Ticket};
use super::record::{Hold, HoldEnd, HoldState, Record};
use super::refusal::{HoldRefusal, PoolRefusal, Refusal};
use super::slab::Slot;
use super::state::{Effect, Ledger, OWNER_UNITS_MAX};
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
        Command::Direct(directive) => once(ledger, directive, absent_at),
        Command::Reserve { key, id, caller, owner, lines, ttl_ms, gates } => {
            let digest = command.digest();
            match lookup(ledger, *key, absent_at) {
                Found::Hold(hold) if hold.digest == digest => {
                    Decision::Replay(Effect::Hold(ledger.hold_view(hold)))
                }
                Found::Hold(_) | Found::Directive(_) | Found::Ticket(_) => Refusal::Conflict.into(),
                Found::Tombstone => Refusal::Hold(HoldRefusal::AlreadyCancelled).into(),
                Found::Perhaps => Decision::LookUp,
                Found::Nothing => match reserve(ledger, owner.as_ref(), lines, *ttl_ms, gates) {
                    Err(refusal) => refusal.into(),
                    Ok(lines) => Decision::Accept(Change::Reserved {
                        key: *key,
                        digest,
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
            Found::Directive(_) | Found::Ticket(_) => Refusal::Hold(HoldRefusal::Unknown).into(),
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
        Command::Draw(draw) => play::decide::draw(ledger, draw, command.digest(), absent_at),
        Command::Enter { key, activity, round, user, entries, day } => {
            let (key, digest, draws) = (*key, command.digest(), *entries);
            let asked = Admission { key, digest, activity: *activity, round: *round, user: *user, draws };
            play::decide::enter(ledger, &asked, *day, absent_at)
        }
    }
}

/// What is known of an id.
pub(super) enum Found<'a> {
    Hold(&'a Hold),
    Tombstone,
    Directive(CommandDigest),
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
            Record::Directive { digest, .. } => Found::Directive(*digest),
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
        Found::Hold(_) | Found::Directive(_) | Found::Ticket(_) | Found::Nothing => {
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

pub(super) fn current(ledger: &Ledger, pool: PoolId) -> Result<Slot, Refusal> {
    ledger.current.get(&pool).copied().ok_or(Refusal::Pool(PoolRefusal::Unknown { pool }))
}
