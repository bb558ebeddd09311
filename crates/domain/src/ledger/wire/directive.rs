//! The journal's form of directives: key, digest and note alike for all of them, then what the act needs. The pool or the
//! activity that it is about, and the round, are the event's own.

use super::kind;
use super::read::{Reader, WireError};
use super::write::{bytes, command_digest, hold, number, pool, signed};
use crate::ids::{ActivityId, UserId};
use crate::ledger::command::{Key, Note, PoolId, PoolName};
use crate::ledger::digest::CommandDigest;
use crate::ledger::directive::Act;
use crate::ledger::event::{Change, Event, PoolState};
use crate::ledger::play::{ActivityState, ChanceLimits, Terms};
use crate::lottery::chain::ChainLink;
use crate::time::Timestamp;

pub(super) fn kind_of(act: &Act) -> u8 {
    match act {
        Act::PoolOpen { .. } => kind::POOL_OPENED,
        Act::PoolAdjust { .. } => kind::POOL_ADJUSTED,
        Act::PoolLimit { .. } => kind::POOL_LIMITED,
        Act::PoolState { .. } => kind::POOL_STATE_SET,
        Act::ActivityOpen { .. } => kind::ACTIVITY_OPENED,
        Act::ActivityTerms { .. } => kind::ACTIVITY_TERMS_SET,
        Act::ActivityState { .. } => kind::ACTIVITY_STATE_SET,
        Act::PrizeState { .. } => kind::PRIZE_STATE_SET,
        Act::Halt { .. } => kind::HALTED,
        Act::Grant { .. } => kind::CHANCES_GRANTED,
        Act::Revoke { .. } => kind::CHANCES_REVOKED,
    }
}

/// Whether an event of this kind is a directive.
pub(super) fn has_kind(kind: u8) -> bool {
    matches!(
        kind,
        kind::POOL_OPENED
            | kind::POOL_ADJUSTED
            | kind::POOL_LIMITED
            | kind::POOL_STATE_SET
            | kind::ACTIVITY_OPENED
            | kind::ACTIVITY_TERMS_SET
            | kind::ACTIVITY_STATE_SET
            | kind::PRIZE_STATE_SET
            | kind::HALTED
            | kind::CHANCES_GRANTED
            | kind::CHANCES_REVOKED
    )
}

pub(super) fn write(out: &mut Vec<u8>, key: Key, digest: CommandDigest, note: &Note, act: &Act) {
    hold(out, key);
    command_digest(out, digest);
    signed(out, note.by());
    bytes(out, note.as_str().as_bytes());
    match act {
        Act::PoolOpen { name, total, owner_max, pool: _, round: _ } => {
            bytes(out, name.as_str().as_bytes());
            number(out, *total);
            number(out, u64::from(*owner_max));
        }
        Act::PoolAdjust { delta, pool: _ } => signed(out, *delta),
        Act::PoolLimit { owner_max, pool: _ } => number(out, u64::from(*owner_max)),
        Act::PoolState { state, pool: _ } => out.push(match state {
            PoolState::Open => 0,
            PoolState::Frozen => 1,
            PoolState::Closed => 2,
        }),
        Act::ActivityOpen { terms, activity: _, round: _ }
        | Act::ActivityTerms { terms, activity: _, round: _ } => write_terms(out, terms),
        Act::ActivityState { state, activity: _ } => out.push(match state {
            ActivityState::Open => 0,
            ActivityState::Paused => 1,
            ActivityState::Closed => 2,
        }),
        Act::PrizeState { prize, withdrawn, activity: _ } => {
            number(out, u64::from(prize.number()));
            out.push(u8::from(*withdrawn));
        }
        Act::Halt { on } => out.push(u8::from(*on)),
        Act::Grant { user, chances, activity: _ } | Act::Revoke { user, chances, activity: _ } => {
            signed(out, user.0);
            number(out, u64::from(*chances));
        }
    }
}

pub(super) fn read(reader: &mut Reader<'_>, kind: u8, event: &Event) -> Result<Change, WireError> {
    let (key, digest, by) = (reader.key()?, reader.digest()?, reader.signed()?);
    let note = Note::new(reader.str()?).ok_or(WireError::Value("note"))?.signed(by);
    Ok(Change::Directed { key, digest, note, act: read_act(reader, kind, event)? })
}

fn read_act(reader: &mut Reader<'_>, kind: u8, event: &Event) -> Result<Act, WireError> {
    let (pool, activity, round) = (event.route, ActivityId(event.route.0), event.round);
    Ok(match kind {
        kind::POOL_OPENED => {
            let name = PoolName::new(reader.str()?).ok_or(WireError::Value("name"))?;
            let (total, owner_max) = (reader.number()?, reader.small("owner limit")?);
            Act::PoolOpen { pool, name, round, total, owner_max }
        }
        kind::POOL_ADJUSTED => Act::PoolAdjust { pool, delta: reader.signed()? },
        kind::POOL_LIMITED => Act::PoolLimit { pool, owner_max: reader.small("owner limit")? },
        kind::POOL_STATE_SET => {
            let state = match reader.byte()? {
                0 => PoolState::Open,
                1 => PoolState::Frozen,
                2 => PoolState::Closed,
                _ => return Err(WireError::Value("pool state")),
            };
            Act::PoolState { pool, state }
        }
        kind::ACTIVITY_OPENED => Act::ActivityOpen { activity, round, terms: read_terms(reader)? },
        kind::ACTIVITY_TERMS_SET => Act::ActivityTerms { activity, round, terms: read_terms(reader)? },
        kind::ACTIVITY_STATE_SET => {
            let state = match reader.byte()? {
                0 => ActivityState::Open,
                1 => ActivityState::Paused,
                2 => ActivityState::Closed,
                _ => return Err(WireError::Value("activity state")),
            };
            Act::ActivityState { activity, state }
        }
        kind::PRIZE_STATE_SET => {
            Act::PrizeState { activity, prize: reader.prize()?, withdrawn: reader.flag()? }
        }
        kind::HALTED => Act::Halt { on: reader.flag()? },
        kind::CHANCES_GRANTED => {
            let (user, chances) = read_chances(reader)?;
            Act::Grant { activity, user, chances }
        }
        kind::CHANCES_REVOKED => {
            let (user, chances) = read_chances(reader)?;
            Act::Revoke { activity, user, chances }
        }
        other => return Err(WireError::Kind(other)),
    })
}

fn read_chances(reader: &mut Reader<'_>) -> Result<(UserId, u32), WireError> {
    Ok((UserId(reader.signed()?), reader.small("chances")?))
}

/// No pool has this id: it is what nothing is about.
const NO_POOL: PoolId = PoolId(0);

fn write_terms(out: &mut Vec<u8>, terms: &Terms) {
    number(out, u64::from(terms.version));
    signed(out, terms.from.0);
    signed(out, terms.until.0);
    pool(out, terms.entries.unwrap_or(NO_POOL));
    for limit in [terms.limits.total, terms.limits.month, terms.limits.day] {
        number(out, u64::from(limit));
    }
    out.push(u8::from(terms.begin.is_some()));
    if let Some(ChainLink(begin)) = terms.begin {
        out.extend_from_slice(&begin);
    }
}

fn read_terms(reader: &mut Reader<'_>) -> Result<Terms, WireError> {
    let version = reader.small("version")?;
    let (from, until) = (Timestamp(reader.signed()?), Timestamp(reader.signed()?));
    let entries = Some(reader.pool()?).filter(|pool| *pool != NO_POOL);
    let mut limit = || reader.small("chances");
    let limits = ChanceLimits { total: limit()?, month: limit()?, day: limit()? };
    let begin = if reader.flag()? { Some(ChainLink(reader.array()?)) } else { None };
    Ok(Terms { version, from, until, entries, limits, begin })
}
