//! What is kept of a ticket: every input that its draws read, and what came of each.
//!
//! ```text
//! record   := 'W' 'D' form=1 (1 byte) ‖ flags 1 (bits 0–3: draws, 1 to 10; bit 7: on the block list)
//!           ‖ activity 8 ‖ user 8 ‖ client value 16 ‖ at 8 (milliseconds since 1970)
//!           ‖ round ‖ strategy version ‖ n of the first draw ‖ day (yyyymmdd) ‖ draws today ‖ draws in all
//!           ‖ points spent ‖ misses in a row ‖ rule path (its length, then its bytes, at most 33) ‖ draw × draws
//! draw     := why 1 ‖ [roll] ‖ [prize] ‖ [points] ‖ [hit ‖ reason 1] ‖ slot ‖ news
//! news     := number of groups 1 ‖ group*
//! group    := reason 1 ‖ number of runs ‖ (prizes skipped since the run before ‖ prizes in the run)*
//! ```
//!
//! Numbers with a width are big-endian, those without are short ([`super::wire`]). What follows `why` depends on it:
//!
//! | why | meaning | follows |
//! | --- | --- | --- |
//! | 1 | the roll hit the prize | roll, prize |
//! | 2 | the roll hit no prize | roll |
//! | 3, 4 | consolation, pity | prize |
//! | 5, 6 | fallback, miss: the prize that was hit cannot be given | roll, (prize, points if 5), hit, reason |
//! | 7, 8 | fallback, miss: nothing is left | (prize, points if 7) |
//! | 9, 10 | fallback, miss: the consolation is gone | (prize, points if 9) |
//! | 11 | a miss: on the block list, and there is no consolation | |
//!
//! Counts are those before the first draw; the later ones follow from the outcomes. The news of a draw are the prizes
//! that could not be given and mattered to it, each with its reason, as far as no draw before it on the ticket told the
//! same; what is told holds for the rest of the ticket. Groups ascend by reason, and runs are as long as they can be. A
//! plain draw takes some sixty bytes. There is one way to write a record, and reading refuses any other.

use super::decide::{Cause, DrawOutcome, DrawReason, PlayerHistory};
use super::live::{Exclusion, ExclusionReason};
use super::random::{ClientValue, DrawKey};
use super::rule_path::RulePath;
use super::strategy::{PRIZES_MAX, PrizeId, SlotIndex};
use super::wire::{LotteryWireError, Reader, Writer};
use crate::ids::ActivityId;
use crate::ledger::play::{DRAWS_MAX, Draws};
use crate::player_number::PlayerNumber;
use crate::time::Timestamp;

const FORM: u8 = 1;
const BLOCKED: u8 = 0x80;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Of the first draw.
    pub key: DrawKey,
    pub at: Timestamp,
    pub day: u32,
    pub draws_today: u32,
    pub draws_in_all: u32,
    pub points_spent: u64,
    pub misses: u32,
    pub blocked: bool,
    pub rule_path: RulePath,
    /// One to ten.
    pub draws: Vec<RecordedDraw>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedDraw {
    pub drawn: DrawOutcome,
    /// By prize, none twice, nothing that is merely locked and nothing that a draw before it told.
    pub news: Vec<Exclusion>,
}

impl Record {
    pub(super) fn new(key: DrawKey, at: Timestamp, player: &PlayerHistory, draws: Vec<RecordedDraw>) -> Self {
        Self {
            key,
            at,
            day: player.day,
            draws_today: player.draws_today,
            draws_in_all: player.draws,
            points_spent: player.points_spent,
            misses: player.misses,
            blocked: player.blocked,
            rule_path: player.rule_path,
            draws,
        }
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer { bytes: Vec::with_capacity(64 + 16 * self.draws.len()) };
        out.bytes.extend_from_slice(&[b'W', b'D', FORM]);
        let draws = u8::try_from(self.draws.len()).unwrap_or(0);
        out.u8(draws | if self.blocked { BLOCKED } else { 0 });
        out.i64(self.key.activity.0);
        out.bytes.extend_from_slice(&self.key.seat.to_bytes());
        out.bytes.extend_from_slice(&self.key.client.0);
        out.i64(self.at.0);
        for number in [
            u64::from(self.key.round),
            u64::from(self.key.version),
            u64::from(self.key.n),
            u64::from(self.day),
            u64::from(self.draws_today),
            u64::from(self.draws_in_all),
            self.points_spent,
            u64::from(self.misses),
        ] {
            out.short(number);
        }
        out.short(self.rule_path.as_bytes().len() as u64);
        out.bytes.extend_from_slice(self.rule_path.as_bytes());
        for draw in &self.draws {
            write_outcome(&mut out, &draw.drawn);
            write_news(&mut out, &draw.news);
        }
        out.bytes
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, LotteryWireError> {
        let mut from = Reader::new(bytes);
        if from.array()? != *b"WD" {
            return Err(LotteryWireError::Value("not a record of draws"));
        }
        match from.u8()? {
            FORM => {}
            other => return Err(LotteryWireError::Version(other)),
        }
        let flags = from.u8()?;
        let draws = Draws::new(u32::from(flags & !BLOCKED)).ok_or(LotteryWireError::Value("draws"))?;
        let activity = ActivityId(from.i64()?);
        let seat = PlayerNumber::from_bytes(from.array()?).ok_or(LotteryWireError::Value("player"))?;
        let (client, at) = (ClientValue(from.array()?), Timestamp(from.i64()?));
        let (round, version, n) = (from.short_u32()?, from.short_u32()?, from.short_u32()?);
        let mut record = Self {
            key: DrawKey { activity, round, version, seat, n, client },
            at,
            day: from.short_u32()?,
            draws_today: from.short_u32()?,
            draws_in_all: from.short_u32()?,
            points_spent: from.short()?,
            misses: from.short_u32()?,
            blocked: flags & BLOCKED != 0,
            rule_path: read_path(&mut from)?,
            draws: Vec::with_capacity(draws.count().min(DRAWS_MAX) as usize),
        };
        for _ in 0..draws.count() {
            record.draws.push(RecordedDraw { drawn: read_outcome(&mut from)?, news: read_news(&mut from)? });
        }
        from.end()?;
        Ok(record)
    }
}

fn write_outcome(out: &mut Writer, drawn: &DrawOutcome) {
    let won = drawn.prize.is_some();
    out.u8(match (drawn.why, won) {
        (DrawReason::Rolled, _) => 1,
        (DrawReason::NoPrize, _) => 2,
        (DrawReason::Consolation, _) => 3,
        (DrawReason::Pity, _) => 4,
        (DrawReason::Fallback(Cause::Excluded(_)), true) => 5,
        (DrawReason::Fallback(Cause::Excluded(_)), false) => 6,
        (DrawReason::Fallback(Cause::NothingLeft), true) => 7,
        (DrawReason::Fallback(Cause::NothingLeft), false) => 8,
        (DrawReason::Fallback(Cause::ConsolationGone), true) => 9,
        (DrawReason::Fallback(Cause::ConsolationGone), false) => 10,
        (DrawReason::Fallback(Cause::NoConsolation), _) => 11,
    });
    if let Some(roll) = drawn.roll {
        out.short(roll);
    }
    if let Some(prize) = drawn.prize {
        out.short(u64::from(prize.number()));
        if matches!(drawn.why, DrawReason::Fallback(_)) {
            out.short(drawn.points);
        }
    }
    if let DrawReason::Fallback(Cause::Excluded(hit)) = drawn.why {
        out.short(u64::from(hit.prize.number()));
        out.u8(hit.reason.code());
    }
    out.short(u64::from(drawn.slot.0));
}

fn read_outcome(from: &mut Reader<'_>) -> Result<DrawOutcome, LotteryWireError> {
    let code = from.u8()?;
    let roll = if matches!(code, 1 | 2 | 5 | 6) { Some(from.short()?) } else { None };
    let prize = if matches!(code, 1 | 3 | 4 | 5 | 7 | 9) { Some(read_prize(from)?) } else { None };
    let points = if matches!(code, 5 | 7 | 9) { from.short()? } else { 0 };
    let why = match code {
        1 => DrawReason::Rolled,
        2 => DrawReason::NoPrize,
        3 => DrawReason::Consolation,
        4 => DrawReason::Pity,
        5 | 6 => {
            let (prize, reason) = (read_prize(from)?, read_reason(from)?);
            DrawReason::Fallback(Cause::Excluded(Exclusion { prize, reason }))
        }
        7 | 8 => DrawReason::Fallback(Cause::NothingLeft),
        9 | 10 => DrawReason::Fallback(Cause::ConsolationGone),
        11 => DrawReason::Fallback(Cause::NoConsolation),
        _ => return Err(LotteryWireError::Value("why")),
    };
    Ok(DrawOutcome { slot: SlotIndex(from.short_u16()?), prize, points, why, roll })
}

fn write_news(out: &mut Writer, news: &[Exclusion]) {
    let groups =
        ExclusionReason::ALL.into_iter().filter(|reason| news.iter().any(|one| one.reason == *reason));
    out.u8(u8::try_from(groups.clone().count()).unwrap_or(0));
    for reason in groups {
        out.u8(reason.code());
        let mut runs: Vec<(u16, u16)> = Vec::new();
        for prize in news.iter().filter(|one| one.reason == reason).map(|one| one.prize.number()) {
            match runs.last_mut() {
                Some((from, length)) if *from + *length == prize => *length += 1,
                _ => runs.push((prize, 1)),
            }
        }
        out.short(runs.len() as u64);
        let mut end = 0;
        for (from, length) in runs {
            out.short(u64::from(from - end));
            out.short(u64::from(length));
            end = from + length;
        }
    }
}

fn read_news(from: &mut Reader<'_>) -> Result<Vec<Exclusion>, LotteryWireError> {
    let groups = from.u8()?;
    let mut news: Vec<Exclusion> = Vec::new();
    let mut last = 0;
    for _ in 0..groups {
        let reason = read_reason(from)?;
        // Ascending groups also bound what a few bytes can ask for.
        if reason.code() <= last || reason == ExclusionReason::Locked {
            return Err(LotteryWireError::Value("a group of prizes"));
        }
        last = reason.code();
        let mut end = 0_u64;
        let runs = from.short()?;
        if runs == 0 {
            return Err(LotteryWireError::Value("a group of prizes"));
        }
        for run in 0..runs {
            let skipped = from.short()?;
            let begin = end.saturating_add(skipped);
            end = begin.saturating_add(from.short()?);
            // Runs that touch would be one.
            if end > u64::from(PRIZES_MAX) || begin == end || (skipped == 0 && run > 0) {
                return Err(LotteryWireError::Value("a run of prizes"));
            }
            let ids = (begin..end).filter_map(|id| u16::try_from(id).ok().and_then(PrizeId::new));
            news.extend(ids.map(|prize| Exclusion { prize, reason }));
        }
    }
    news.sort_unstable();
    if news.windows(2).any(|pair| pair[0].prize == pair[1].prize) {
        return Err(LotteryWireError::Value("a prize with two reasons"));
    }
    Ok(news)
}

fn read_path(from: &mut Reader<'_>) -> Result<RulePath, LotteryWireError> {
    let length = usize::from(from.short_u16()?);
    RulePath::new(from.take(length)?).ok_or(LotteryWireError::Value("rule path"))
}

fn read_prize(from: &mut Reader<'_>) -> Result<PrizeId, LotteryWireError> {
    PrizeId::new(from.short_u16()?).ok_or(LotteryWireError::Value("prize"))
}

fn read_reason(from: &mut Reader<'_>) -> Result<ExclusionReason, LotteryWireError> {
    ExclusionReason::from_code(from.u8()?).ok_or(LotteryWireError::Value("reason"))
}
