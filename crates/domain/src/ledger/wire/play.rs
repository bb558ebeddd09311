//! The journal's form of what happens to activities, chances and tickets.

use super::kind;
use super::read::{Reader, WireError};
use super::write::{bytes, hold, line, number, pool, pool_change, signed};
use crate::ids::{ActivityId, UserId};
use crate::ledger::command::PoolId;
use crate::ledger::event::{Change, Event, TakenLine};
use crate::ledger::play::{
    ActivityState, ChanceLimits, Drawing, Draws, GivenPrize, Played, Settlement, Taking, Terms,
};
use crate::lottery::chain::{ChainLink, Receipt};
use crate::lottery::random::ClientValue;
use crate::lottery::strategy::PrizeId;
use crate::player_number::PlayerNumber;
use crate::time::Timestamp;

pub(super) fn kind_of(played: &Played) -> u8 {
    match played {
        Played::ActivityOpened { .. } => kind::ACTIVITY_OPENED,
        Played::ActivityTermsSet { .. } => kind::ACTIVITY_TERMS_SET,
        Played::ActivityStateSet { .. } => kind::ACTIVITY_STATE_SET,
        Played::PrizeStateSet { .. } => kind::PRIZE_STATE_SET,
        Played::Halted { .. } => kind::HALTED,
        Played::Granted { .. } => kind::CHANCES_GRANTED,
        Played::Revoked { .. } => kind::CHANCES_REVOKED,
        Played::Drawn(_) => kind::DRAWN,
        Played::Entered(_) => kind::ENTERED,
    }
}

/// The activity is the event's own route.
pub(super) fn write(out: &mut Vec<u8>, event: &Event, played: &Played) {
    match played {
        Played::ActivityOpened { key, body, terms, note, activity: _ }
        | Played::ActivityTermsSet { key, body, terms, note, activity: _ } => {
            pool_change(out, *key, *body, note);
            write_terms(out, terms);
        }
        Played::ActivityStateSet { key, body, state, note, activity: _ } => {
            pool_change(out, *key, *body, note);
            out.push(match state {
                ActivityState::Open => 0,
                ActivityState::Paused => 1,
                ActivityState::Closed => 2,
            });
        }
        Played::PrizeStateSet { key, body, prize, withdrawn, note, activity: _ } => {
            pool_change(out, *key, *body, note);
            number(out, u64::from(prize.number()));
            out.push(u8::from(*withdrawn));
        }
        Played::Halted { key, body, on, note } => {
            pool_change(out, *key, *body, note);
            out.push(u8::from(*on));
        }
        Played::Granted { key, body, user, chances, note, activity: _ }
        | Played::Revoked { key, body, user, chances, note, activity: _ } => {
            pool_change(out, *key, *body, note);
            signed(out, user.0);
            number(out, u64::from(*chances));
        }
        Played::Entered(taking) => write_taking(out, taking),
        Played::Drawn(drawing) => write_drawing(out, event, drawing),
    }
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

fn write_taking(out: &mut Vec<u8>, taking: &Taking) {
    let Taking { key, body, activity: _, user, seat, first, draws, bonus, day, entries } = taking;
    hold(out, *key);
    out.extend_from_slice(&body.to_le_bytes());
    signed(out, user.0);
    for value in [seat.number(), *first, draws.count(), *bonus, *day] {
        number(out, u64::from(value));
    }
    out.push(u8::from(entries.is_some()));
    if let Some(entries) = entries {
        line(out, entries);
    }
}

fn write_lines(out: &mut Vec<u8>, lines: &[TakenLine]) {
    number(out, lines.len() as u64);
    lines.iter().for_each(|taken| line(out, taken));
}

fn write_drawing(out: &mut Vec<u8>, event: &Event, drawing: &Drawing) {
    let Drawing { taking, lines, given, points, misses, client, before, settlement, receipt } = drawing;
    write_taking(out, taking);
    write_lines(out, lines);
    number(out, given.len() as u64);
    for GivenPrize { prize, units, cost_minor, capped } in given {
        number(out, u64::from(prize.number()));
        number(out, u64::from(*units) << 1 | u64::from(*capped));
        number(out, *cost_minor);
    }
    for value in [*points, u64::from(*misses)] {
        number(out, value);
    }
    out.push(u8::from(client.is_some()));
    if let Some(ClientValue(value)) = client {
        out.extend_from_slice(value);
    }
    // How long ago, which is short; or none.
    number(out, if *before == 0 { 0 } else { event.seq - before });
    bytes(out, settlement.bytes());
    number(out, receipt.place);
    out.extend_from_slice(&receipt.link.0);
}

pub(super) fn read(reader: &mut Reader<'_>, kind: u8, event: &Event) -> Result<Change, WireError> {
    let activity = ActivityId(event.route.0);
    Ok(Change::Played(match kind {
        kind::ACTIVITY_OPENED => {
            let (key, body, note) = reader.pool_change()?;
            Played::ActivityOpened { key, body, activity, terms: read_terms(reader)?, note }
        }
        kind::ACTIVITY_TERMS_SET => {
            let (key, body, note) = reader.pool_change()?;
            Played::ActivityTermsSet { key, body, activity, terms: read_terms(reader)?, note }
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
        kind::PRIZE_STATE_SET => {
            let (key, body, note) = reader.pool_change()?;
            let (prize, withdrawn) = (read_prize(reader)?, flag(reader)?);
            Played::PrizeStateSet { key, body, activity, prize, withdrawn, note }
        }
        kind::HALTED => {
            let (key, body, note) = reader.pool_change()?;
            Played::Halted { key, body, on: flag(reader)?, note }
        }
        kind::CHANCES_GRANTED => {
            let (key, body, note) = reader.pool_change()?;
            let (user, chances) = (UserId(reader.signed()?), reader.small("chances")?);
            Played::Granted { key, body, activity, user, chances, note }
        }
        kind::CHANCES_REVOKED => {
            let (key, body, note) = reader.pool_change()?;
            let (user, chances) = (UserId(reader.signed()?), reader.small("chances")?);
            Played::Revoked { key, body, activity, user, chances, note }
        }
        kind::ENTERED => Played::Entered(read_taking(reader, activity)?),
        kind::DRAWN => Played::Drawn(Box::new(read_drawing(reader, activity, event)?)),
        other => return Err(WireError::Kind(other)),
    }))
}

fn read_terms(reader: &mut Reader<'_>) -> Result<Terms, WireError> {
    let version = reader.small("version")?;
    let (from, until) = (Timestamp(reader.signed()?), Timestamp(reader.signed()?));
    let entries = Some(reader.pool()?).filter(|pool| *pool != NO_POOL);
    let mut limit = || reader.small("chances");
    let limits = ChanceLimits { total: limit()?, month: limit()?, day: limit()? };
    let begin = if flag(reader)? { Some(ChainLink(reader.array()?)) } else { None };
    Ok(Terms { version, from, until, entries, limits, begin })
}

fn read_taking(reader: &mut Reader<'_>, activity: ActivityId) -> Result<Taking, WireError> {
    let (key, body, user) = (reader.key()?, reader.eight()?, UserId(reader.signed()?));
    let seat = PlayerNumber::new(reader.small("player")?).ok_or(WireError::Value("player"))?;
    let (first, draws) = (reader.small("number of a draw")?, reader.small("draws")?);
    let draws = Draws::new(draws).ok_or(WireError::Value("draws"))?;
    let (bonus, day) = (reader.small("chances")?, reader.small("day")?);
    let entries = if flag(reader)? { Some(reader.line()?) } else { None };
    Ok(Taking { key, body, activity, user, seat, first, draws, bonus, day, entries })
}

fn read_lines(reader: &mut Reader<'_>) -> Result<Vec<TakenLine>, WireError> {
    (0..reader.count()?).map(|_| reader.line()).collect()
}

fn read_settlement(reader: &mut Reader<'_>) -> Result<Settlement, WireError> {
    Settlement::new(reader.bytes()?).ok_or(WireError::Value("settlement"))
}

fn read_drawing(reader: &mut Reader<'_>, activity: ActivityId, event: &Event) -> Result<Drawing, WireError> {
    let (taking, lines) = (read_taking(reader, activity)?, read_lines(reader)?);
    let mut given = Vec::new();
    for _ in 0..reader.count()? {
        let (prize, packed) = (read_prize(reader)?, reader.number()?);
        let units = u32::try_from(packed >> 1).map_err(|_| WireError::Value("units"))?;
        given.push(GivenPrize { prize, units, cost_minor: reader.number()?, capped: packed & 1 == 1 });
    }
    let (points, misses) = (reader.number()?, reader.small("misses")?);
    let client = if flag(reader)? { Some(ClientValue(reader.array()?)) } else { None };
    let before = match reader.number()? {
        0 => 0,
        ago => event.seq.checked_sub(ago).ok_or(WireError::Value("ticket before"))?,
    };
    let settlement = read_settlement(reader)?;
    let receipt = Receipt { place: reader.number()?, link: ChainLink(reader.array()?) };
    Ok(Drawing { taking, lines, given, points, misses, client, before, settlement, receipt })
}

fn read_prize(reader: &mut Reader<'_>) -> Result<PrizeId, WireError> {
    let id = u16::try_from(reader.number()?).ok();
    id.and_then(PrizeId::new).ok_or(WireError::Value("prize"))
}

fn flag(reader: &mut Reader<'_>) -> Result<bool, WireError> {
    match reader.byte()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(WireError::Value("flag")),
    }
}
