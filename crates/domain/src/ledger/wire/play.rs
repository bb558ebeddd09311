//! The journal's form of what happens to activities, chances and tickets.

use super::kind;
use super::read::{Reader, WireError};
use super::write::{bytes, hold, line, made, number, pool, pool_change, signed};
use crate::ids::{ActivityId, UserId};
use crate::ledger::command::PoolId;
use crate::ledger::event::{Change, Event};
use crate::ledger::play::{ActivityState, ChanceLimits, Draws, Played, Settlement, Terms};
use crate::time::Timestamp;

pub(super) fn kind_of(played: &Played) -> u8 {
    match played {
        Played::ActivityOpened { .. } => kind::ACTIVITY_OPENED,
        Played::ActivityStateSet { .. } => kind::ACTIVITY_STATE_SET,
        Played::Granted { .. } => kind::CHANCES_GRANTED,
        Played::Taken { .. } => kind::TICKET_TAKEN,
        Played::Settled { .. } => kind::TICKET_SETTLED,
    }
}

/// The activity is the event's own route.
pub(super) fn write(out: &mut Vec<u8>, event: &Event, played: &Played) {
    match played {
        Played::ActivityOpened { key, body, terms, note, activity: _ } => {
            pool_change(out, *key, *body, note);
            signed(out, terms.from.0);
            signed(out, terms.until.0);
            pool(out, terms.entries.unwrap_or(NO_POOL));
            for limit in [terms.limits.total, terms.limits.month, terms.limits.day] {
                number(out, u64::from(limit));
            }
        }
        Played::ActivityStateSet { key, body, state, note, activity: _ } => {
            pool_change(out, *key, *body, note);
            out.push(match state {
                ActivityState::Open => 0,
                ActivityState::Paused => 1,
                ActivityState::Closed => 2,
            });
        }
        Played::Granted { key, body, user, chances, note, activity: _ } => {
            pool_change(out, *key, *body, note);
            signed(out, user.0);
            number(out, u64::from(*chances));
        }
        Played::Taken { key, body, user, first, draws, bonus, day, entries, activity: _ } => {
            hold(out, *key);
            out.extend_from_slice(&body.to_le_bytes());
            signed(out, user.0);
            for value in [*first, draws.count(), *bonus, *day] {
                number(out, u64::from(value));
            }
            number(out, u64::from(entries.is_some()));
            if let Some(entries) = entries {
                line(out, entries);
            }
        }
        Played::Settled { ticket, made_seq, user, lines, settlement } => {
            made(out, event, *ticket, *made_seq);
            signed(out, user.0);
            number(out, lines.len() as u64);
            lines.iter().for_each(|taken| line(out, taken));
            bytes(out, settlement.bytes());
        }
    }
}

/// No pool has this id: it is what nothing is about.
const NO_POOL: PoolId = PoolId(0);

pub(super) fn read(reader: &mut Reader<'_>, kind: u8, event: &Event) -> Result<Change, WireError> {
    let activity = ActivityId(event.route.0);
    Ok(Change::Played(match kind {
        kind::ACTIVITY_OPENED => {
            let (key, body, note) = reader.pool_change()?;
            let (from, until) = (Timestamp(reader.signed()?), Timestamp(reader.signed()?));
            let entries = Some(reader.pool()?).filter(|pool| *pool != NO_POOL);
            let mut limit = || reader.small("chances");
            let limits = ChanceLimits { total: limit()?, month: limit()?, day: limit()? };
            Played::ActivityOpened {
                key,
                body,
                activity,
                terms: Terms { from, until, entries, limits },
                note,
            }
        }
        kind::ACTIVITY_STATE_SET => {
            let (key, body, note) = reader.pool_change()?;
            let state = match reader.byte()? {
                0 => ActivityState::Open,
                1 => ActivityState::Paused,
                2 => ActivityState::Closed,
                _ => return Err(WireError::Value("activity state")),
            };
            Played::ActivityStateSet { key, body, activity, state, note }
        }
        kind::CHANCES_GRANTED => {
            let (key, body, note) = reader.pool_change()?;
            let (user, chances) = (UserId(reader.signed()?), reader.small("chances")?);
            Played::Granted { key, body, activity, user, chances, note }
        }
        kind::TICKET_TAKEN => {
            let (key, body, user) = (reader.key()?, reader.eight()?, UserId(reader.signed()?));
            let (first, draws) = (reader.small("number of a draw")?, reader.small("draws")?);
            let draws = Draws::new(draws).ok_or(WireError::Value("draws"))?;
            let (bonus, day) = (reader.small("chances")?, reader.small("day")?);
            let entries = match reader.byte()? {
                0 => None,
                1 => Some(reader.line()?),
                _ => return Err(WireError::Value("entries")),
            };
            Played::Taken { key, body, activity, user, first, draws, bonus, day, entries }
        }
        kind::TICKET_SETTLED => {
            let (ticket, made_seq) = reader.made(event)?;
            let user = UserId(reader.signed()?);
            let lines = (0..reader.count()?).map(|_| reader.line()).collect::<Result<_, _>>()?;
            let settlement = Settlement::new(reader.bytes()?).ok_or(WireError::Value("settlement"))?;
            Played::Settled { ticket, made_seq, user, lines, settlement }
        }
        other => return Err(WireError::Kind(other)),
    }))
}
