//! The ledger's values as columns and back.

use std::num::NonZeroU64;

use domain::ledger::{CommandDigest, HoldState, Key, PoolId, PoolState, PoolView};

use crate::failure::Fault;
use crate::row::Row;
use crate::value::{Value, as_i64};

/// An era is so many events that its part of an index, a few megabytes, is written anew by a batch at little cost.
const ERA_BITS: u32 = 17;

pub(super) fn era(seq: u64) -> i64 {
    as_i64(seq >> ERA_BITS)
}

/// Digests use all 64 bits; as a column they are the same bits, signed.
pub(super) fn digest(bits: u64) -> Value {
    Value::Int(bits.cast_signed())
}

pub(super) fn command_digest(CommandDigest(bits): CommandDigest) -> Value {
    digest(bits)
}

pub(super) fn key_bytes(key: Key) -> Value {
    Value::Bytes(key.0.to_be_bytes().to_vec())
}

pub(super) fn read_digest(row: &mut Row) -> Result<u64, Fault> {
    row.int().map(i64::cast_unsigned)
}

pub(super) fn read_command_digest(row: &mut Row) -> Result<CommandDigest, Fault> {
    read_digest(row).map(CommandDigest)
}

pub(super) fn read_key(row: &mut Row) -> Result<Key, Fault> {
    let bytes: [u8; 16] =
        row.bytes()?.try_into().map_err(|_| Fault::new("a key that is not 16 bytes long"))?;
    Ok(Key(u128::from_be_bytes(bytes)))
}

pub(super) fn read_owner_id(row: &mut Row) -> Result<NonZeroU64, Fault> {
    NonZeroU64::new(read_digest(row)?).ok_or_else(|| Fault::new("an owner with the digest zero"))
}

/// What `round_sql!` selects.
macro_rules! round_columns {
    () => {
        "r.pool_id, r.round, r.state, r.owner_max, r.total, r.available, r.held, r.taken"
    };
}
pub(super) use round_columns;

pub(super) fn read_round(row: &mut Row) -> Result<PoolView, Fault> {
    Ok(PoolView {
        pool: PoolId(row.int()?),
        round: row.u32()?,
        state: row.named(PoolState::parse)?,
        owner_max: row.u32()?,
        total: row.unsigned()?,
        available: row.unsigned()?,
        held: row.unsigned()?,
        taken: row.unsigned()?,
    })
}

/// The name of what no hold has come to.
const SPENT: &str = "spent";

/// The state of a row of `holds`. An id that was cancelled before its hold arrived is a row too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowState {
    Hold(HoldState),
    Spent,
}

impl RowState {
    pub fn name(self) -> &'static str {
        match self {
            Self::Hold(state) => state.name(),
            Self::Spent => SPENT,
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        if name == SPENT { Some(Self::Spent) } else { HoldState::parse(name).map(Self::Hold) }
    }
}
