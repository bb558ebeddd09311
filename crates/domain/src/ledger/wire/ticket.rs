//! The journal's form of tickets. The activity is the event's own route.

use super::read::{Reader, WireError};
use super::write::{bytes, command_digest, hold, line, number, signed};
use crate::ids::{ActivityId, UserId};
use crate::ledger::event::{Event, TakenLine};
use crate::ledger::play::{Drawing, Draws, GivenPrize, Settlement, Taking};
use crate::lottery::chain::{ChainLink, Receipt};
use crate::lottery::random::ClientValue;
use crate::player_number::PlayerNumber;

pub(super) fn write_taking(out: &mut Vec<u8>, taking: &Taking) {
    let Taking { key, digest, activity: _, user, seat, first, draws, bonus, day, entries } = taking;
    hold(out, *key);
    command_digest(out, *digest);
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

pub(super) fn write_drawing(out: &mut Vec<u8>, event: &Event, drawing: &Drawing) {
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

pub(super) fn read_taking(reader: &mut Reader<'_>, activity: ActivityId) -> Result<Taking, WireError> {
    let (key, digest, user) = (reader.key()?, reader.digest()?, UserId(reader.signed()?));
    let seat = PlayerNumber::new(reader.small("player")?).ok_or(WireError::Value("player"))?;
    let (first, draws) = (reader.small("number of a draw")?, reader.small("draws")?);
    let draws = Draws::new(draws).ok_or(WireError::Value("draws"))?;
    let (bonus, day) = (reader.small("chances")?, reader.small("day")?);
    let entries = if reader.flag()? { Some(reader.line()?) } else { None };
    Ok(Taking { key, digest, activity, user, seat, first, draws, bonus, day, entries })
}

fn read_lines(reader: &mut Reader<'_>) -> Result<Vec<TakenLine>, WireError> {
    (0..reader.count()?).map(|_| reader.line()).collect()
}

fn read_settlement(reader: &mut Reader<'_>) -> Result<Settlement, WireError> {
    Settlement::new(reader.bytes()?).ok_or(WireError::Value("settlement"))
}

pub(super) fn read_drawing(
    reader: &mut Reader<'_>,
    activity: ActivityId,
    event: &Event,
) -> Result<Drawing, WireError> {
    let (taking, lines) = (read_taking(reader, activity)?, read_lines(reader)?);
    let mut given = Vec::new();
    for _ in 0..reader.count()? {
        let (prize, packed) = (reader.prize()?, reader.number()?);
        let units = u32::try_from(packed >> 1).map_err(|_| WireError::Value("units"))?;
        given.push(GivenPrize { prize, units, cost_minor: reader.number()?, capped: packed & 1 == 1 });
    }
    let (points, misses) = (reader.number()?, reader.small("misses")?);
    let client = if reader.flag()? { Some(ClientValue(reader.array()?)) } else { None };
    let before = match reader.number()? {
        0 => 0,
        ago => event.seq.checked_sub(ago).ok_or(WireError::Value("ticket before"))?,
    };
    let settlement = read_settlement(reader)?;
    let receipt = Receipt { place: reader.number()?, link: ChainLink(reader.array()?) };
    Ok(Drawing { taking, lines, given, points, misses, client, before, settlement, receipt })
}
