//! The ledger's memory, piece by piece.
//!
//! Every reading has a bound, because it runs on the thread that decides. Pieces follow the slots of the memory: what is
//! made meanwhile in a slot that was passed is in the next walk, not in this one.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU64;

use crate::ledger::record::{HoldEnd, Pool, PoolView, Record};
use crate::ledger::slab::Slot;
use crate::ledger::{Key, Ledger, OpenHold, PoolId, Quantity, TakenLine};

/// Slots looked at for one piece: a long row of finished records is no reason to look on.
const SCAN_MAX: usize = 16_384;

/// Units of each owner.
pub type Owners = BTreeMap<NonZeroU64, u32>;

/// A part of a walk, and the slot it goes on at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<T> {
    pub items: Vec<T>,
    pub next: Option<Slot>,
}

/// A round as one side knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundBook {
    pub view: PoolView,
    pub current: bool,
    /// How many owners there are; they themselves only where they are few.
    pub owner_count: usize,
    pub owners: Option<Owners>,
}

impl Ledger {
    /// Rounds from a slot on. Owners come along where a round has at most `owners_max`; the piece ends when that many
    /// of them are in it.
    pub fn rounds_from(&self, slot: Slot, rounds_max: usize, owners_max: usize) -> Piece<RoundBook> {
        let (mut items, mut owners) = (Vec::new(), 0);
        let mut at = slot;
        while at < self.pools.end() && items.len() < rounds_max && owners < owners_max.max(1) {
            if let Some(pool) = self.pools.get(at) {
                let book = self.round_book(at, pool, owners_max);
                owners += book.owners.as_ref().map_or(0, BTreeMap::len);
                items.push(book);
            }
            at += 1;
        }
        Piece { items, next: (at < self.pools.end()).then_some(at) }
    }

    /// The rounds that are in memory of those asked for: current ones by their pool, old ones by one look over all.
    pub fn rounds_of(&self, asked: &[(PoolId, u32)], owners_max: usize) -> HashMap<(PoolId, u32), RoundBook> {
        let mut books = HashMap::with_capacity(asked.len());
        let mut old = std::collections::HashSet::new();
        for (pool, round) in asked {
            match self.current.get(pool) {
                Some(slot) if self.pools[*slot].round == *round => {
                    books.insert((*pool, *round), self.round_book(*slot, &self.pools[*slot], owners_max));
                }
                Some(_) | None => {
                    old.insert((*pool, *round));
                }
            }
        }
        if !old.is_empty() {
            for at in 0..self.pools.end() {
                if let Some(pool) = self.pools.get(at)
                    && old.contains(&(pool.id, pool.round))
                {
                    books.insert((pool.id, pool.round), self.round_book(at, pool, owners_max));
                }
            }
        }
        books
    }

    /// The owners of a round whose digests, taken as signed numbers, lie between two; nothing when the round has left.
    /// Looks at every owner of the round.
    pub fn owners_between(&self, pool: PoolId, round: u32, from: i64, to: i64) -> Option<Owners> {
        let slot = (0..self.pools.end())
            .find(|at| self.pools.get(*at).is_some_and(|found| found.id == pool && found.round == round))?;
        let between =
            self.pools[slot].owners.iter().filter(|(owner, _)| (from..=to).contains(&owner.cast_signed()));
        Some(between.filter_map(|(owner, units)| Some((NonZeroU64::new(*owner)?, *units))).collect())
    }

    /// Open holds from a slot on.
    pub fn open_holds_from(&self, slot: Slot, holds_max: usize) -> Piece<OpenHold> {
        let mut items = Vec::new();
        let (mut at, mut scanned) = (slot, 0);
        while at < self.records.end() && items.len() < holds_max && scanned < SCAN_MAX {
            items.extend(self.records.get(at).and_then(|record| self.open_book(record)));
            at += 1;
            scanned += 1;
        }
        Piece { items, next: (at < self.records.end()).then_some(at) }
    }

    /// A hold, if it is open.
    pub fn open_hold(&self, key: Key) -> Option<OpenHold> {
        self.open_book(&self.records[self.find(key)?])
    }

    fn round_book(&self, slot: Slot, pool: &Pool, owners_max: usize) -> RoundBook {
        let owners = || {
            pool.owners.iter().filter_map(|(owner, units)| Some((NonZeroU64::new(*owner)?, *units))).collect()
        };
        RoundBook {
            view: pool.view(),
            current: self.current.get(&pool.id) == Some(&slot),
            owner_count: pool.owners.len(),
            owners: (pool.owners.len() <= owners_max).then(owners),
        }
    }

    fn open_book(&self, record: &Record) -> Option<OpenHold> {
        let Record::Hold(hold) = record else { return None };
        let HoldEnd::Open { .. } = hold.end else { return None };
        let line = |line: &crate::ledger::record::HeldLine| {
            let pool = &self.pools[line.pool];
            let quantity = Quantity::new(i64::from(line.units)).expect("what is held was asked for");
            TakenLine { pool: pool.id, round: pool.round, quantity }
        };
        Some(OpenHold {
            key: hold.key,
            digest: hold.digest,
            made_seq: hold.made_seq,
            owner: hold.owner,
            made: hold.made,
            due: hold.due,
            lines: hold.lines.as_slice().iter().map(line).collect(),
        })
    }
}
