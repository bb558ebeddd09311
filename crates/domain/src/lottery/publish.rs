//! The one way to write a strategy down, and its hash.
//!
//! ```text
//! strategy := 'W' 'S' form (1 byte: 1, or 2 with risk labels) ‖ version 4 ‖ whole 8 ‖ mode 1 (0 fixed, 1 renormalised)
//!           ‖ list of prize ‖ list of table ‖ miss slot 2 ‖ option of tiers ‖ option of consolation (prize id 2)
//!           ‖ option of fallback ‖ option of pity ‖ budget
//! prize    := id 2 ‖ name (length 2, UTF-8) ‖ slot 2 ‖ stock ‖ cost 8 ‖ option of unlock ‖ option of win cap 4
//!           ‖ list of release ‖ option of hourly cap 4 ‖ (in form 2) list of risk label (length 2, UTF-8)
//! stock    := 0 (unlimited) | 1 ‖ pool 8 ‖ units 8
//! unlock   := draws 4 ‖ scope 1 (0 today, 1 in all) ‖ the current draw counts 1 (0, 1)
//! release  := at 8 (milliseconds since 1970) ‖ units 8
//! table    := list of slice;   slice := prize id 2 ‖ odds 8
//! tiers    := by 1 (0 draws, 1 points spent) ‖ list of tier;   tier := from 8 ‖ table 1
//! fallback := prize id 2 ‖ points from 8 ‖ points to 8 ‖ budget 8
//! pity     := prize id 2 ‖ misses 4
//! budget   := option of total 8 ‖ option of day 8
//! ```
//!
//! Numbers are big-endian, times and pools signed. A list is its length in two bytes and its members; an option is a
//! byte 0, or a byte 1 and the thing. The hash is the SHA-256 of these bytes. A new form is a new third byte. Form 2 is
//! for strategies that withdraw a prize from users with a risk label; every other is written in form 1, so that there is
//! one way to write each.

use sha2::{Digest, Sha256};

use super::strategy::{
    Budget, Fallback, Mode, OddsSlice, OddsTable, Pity, Prize, PrizeId, PrizeStock, Release, SlotIndex,
    Strategy, Tier, TierBy, Tiers, Unlock, UnlockScope,
};
use super::wire::{LotteryWireError, Reader, Writer};
use crate::ledger::PoolId;
use crate::time::Timestamp;

/// Without risk labels.
const PLAIN: u8 = 1;
/// With risk labels: at least one prize has some.
const LABELLED: u8 = 2;

/// What is published with the commitment before the first draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrategyHash(pub [u8; 32]);

impl Strategy {
    pub fn hash(&self) -> StrategyHash {
        StrategyHash(Sha256::digest(self.encode()).into())
    }

    pub fn encode(&self) -> Vec<u8> {
        let form = if self.has_labels() { LABELLED } else { PLAIN };
        let mut out = Writer { bytes: vec![b'W', b'S', form] };
        out.u32(self.version);
        out.u64(self.whole);
        out.u8(match self.mode {
            Mode::Fixed => 0,
            Mode::Renormalised => 1,
        });
        out.list(&self.prizes, |out, prize| write_prize(out, prize, form));
        out.list(&self.tables, |out, table| {
            out.list(&table.slices, |out, slice| {
                out.u16(slice.prize.number());
                out.u64(slice.odds);
            });
        });
        out.u16(self.miss_slot.0);
        out.option(self.tiers.as_ref(), |out, tiers| {
            out.u8(match tiers.by {
                TierBy::Draws => 0,
                TierBy::PointsSpent => 1,
            });
            out.list(&tiers.steps, |out, tier| {
                out.u64(tier.from);
                out.u8(tier.table);
            });
        });
        out.option(self.consolation.as_ref(), |out, prize| out.u16(prize.number()));
        out.option(self.fallback.as_ref(), |out, fallback| {
            out.u16(fallback.prize.number());
            out.u64(fallback.amount_min);
            out.u64(fallback.amount_max);
            out.u64(fallback.budget_amount);
        });
        out.option(self.pity.as_ref(), |out, pity| {
            out.u16(pity.prize.number());
            out.u32(pity.misses);
        });
        out.option(self.budget.total_minor.as_ref(), |out, cap| out.u64(*cap));
        out.option(self.budget.day_minor.as_ref(), |out, cap| out.u64(*cap));
        out.bytes
    }

    /// Reads what [`Strategy::encode`] wrote. Whether it can work is another question: [`super::check`].
    pub fn decode(bytes: &[u8]) -> Result<Self, LotteryWireError> {
        let mut from = Reader::new(bytes);
        if from.array()? != *b"WS" {
            return Err(LotteryWireError::Value("not a strategy"));
        }
        let form = match from.u8()? {
            form @ (PLAIN | LABELLED) => form,
            other => return Err(LotteryWireError::Version(other)),
        };
        let strategy = Self {
            version: from.u32()?,
            whole: from.u64()?,
            mode: match from.u8()? {
                0 => Mode::Fixed,
                1 => Mode::Renormalised,
                _ => return Err(LotteryWireError::Value("mode")),
            },
            prizes: from.list(|from| read_prize(from, form))?,
            tables: from.list(|from| Ok(OddsTable { slices: from.list(read_slice)? }))?,
            miss_slot: SlotIndex(from.u16()?),
            tiers: from.option(read_tiers)?,
            consolation: from.option(prize_id)?,
            fallback: from.option(|from| {
                Ok(Fallback {
                    prize: prize_id(from)?,
                    amount_min: from.u64()?,
                    amount_max: from.u64()?,
                    budget_amount: from.u64()?,
                })
            })?,
            pity: from.option(|from| Ok(Pity { prize: prize_id(from)?, misses: from.u32()? }))?,
            budget: Budget { total_minor: from.option(Reader::u64)?, day_minor: from.option(Reader::u64)? },
        };
        from.end()?;
        if form == LABELLED && !strategy.has_labels() {
            return Err(LotteryWireError::Value("form"));
        }
        Ok(strategy)
    }

    fn has_labels(&self) -> bool {
        self.prizes.iter().any(|prize| !prize.withdrawn_for.is_empty())
    }
}

fn write_prize(out: &mut Writer, prize: &Prize, form: u8) {
    out.u16(prize.id.number());
    write_text(out, &prize.name);
    out.u16(prize.slot.0);
    match prize.stock {
        PrizeStock::Unlimited => out.u8(0),
        PrizeStock::Pool { pool, units } => {
            out.u8(1);
            out.i64(pool.0);
            out.u64(units);
        }
    }
    out.u64(prize.cost_minor);
    out.option(prize.unlock.as_ref(), |out, unlock| {
        out.u32(unlock.draws);
        out.u8(match unlock.scope {
            UnlockScope::Today => 0,
            UnlockScope::InAll => 1,
        });
        out.u8(u8::from(unlock.current_counts));
    });
    out.option(prize.win_cap.as_ref(), |out, cap| out.u32(*cap));
    out.list(&prize.release, |out, release| {
        out.i64(release.at.0);
        out.u64(release.units);
    });
    out.option(prize.hourly_cap.as_ref(), |out, cap| out.u32(*cap));
    if form == LABELLED {
        out.list(&prize.withdrawn_for, |out, label| write_text(out, label));
    }
}

fn write_text(out: &mut Writer, text: &str) {
    out.list(text.as_bytes(), |out, byte| out.u8(*byte));
}

fn read_text(from: &mut Reader<'_>, what: &'static str) -> Result<String, LotteryWireError> {
    String::from_utf8(from.list(Reader::u8)?).map_err(|_| LotteryWireError::Value(what))
}

fn read_prize(from: &mut Reader<'_>, form: u8) -> Result<Prize, LotteryWireError> {
    Ok(Prize {
        id: prize_id(from)?,
        name: read_text(from, "name")?,
        slot: SlotIndex(from.u16()?),
        stock: match from.u8()? {
            0 => PrizeStock::Unlimited,
            1 => PrizeStock::Pool { pool: PoolId(from.i64()?), units: from.u64()? },
            _ => return Err(LotteryWireError::Value("stock")),
        },
        cost_minor: from.u64()?,
        unlock: from.option(|from| {
            Ok(Unlock {
                draws: from.u32()?,
                scope: match from.u8()? {
                    0 => UnlockScope::Today,
                    1 => UnlockScope::InAll,
                    _ => return Err(LotteryWireError::Value("scope")),
                },
                current_counts: match from.u8()? {
                    0 => false,
                    1 => true,
                    _ => return Err(LotteryWireError::Value("current draw")),
                },
            })
        })?,
        win_cap: from.option(Reader::u32)?,
        release: from.list(|from| Ok(Release { at: Timestamp(from.i64()?), units: from.u64()? }))?,
        hourly_cap: from.option(Reader::u32)?,
        withdrawn_for: match form {
            LABELLED => from.list(|from| read_text(from, "label"))?,
            _ => Vec::new(),
        },
    })
}

fn read_slice(from: &mut Reader<'_>) -> Result<OddsSlice, LotteryWireError> {
    Ok(OddsSlice { prize: prize_id(from)?, odds: from.u64()? })
}

fn read_tiers(from: &mut Reader<'_>) -> Result<Tiers, LotteryWireError> {
    let by = match from.u8()? {
        0 => TierBy::Draws,
        1 => TierBy::PointsSpent,
        _ => return Err(LotteryWireError::Value("tiers")),
    };
    let steps = from.list(|from| Ok(Tier { from: from.u64()?, table: from.u8()? }))?;
    Ok(Tiers { by, steps })
}

fn prize_id(from: &mut Reader<'_>) -> Result<PrizeId, LotteryWireError> {
    PrizeId::new(from.u16()?).ok_or(LotteryWireError::Value("prize id"))
}
