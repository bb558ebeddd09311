//! What is being played, in memory: everything a draw needs to know of its activity, so that it asks no database.
//!
//! An activity is read when somebody first plays it and kept whole: configuration, compiled strategy, secret, zone, rule
//! tree, block list. It is never changed in place; whatever changes it forgets it, and the next draw reads it anew. Should
//! somebody still draw from the old one, the ledger says so, and the draw is tried again with the new one.
//!
//! Deliberately absent: counters. Chances, stock and outcomes are the ledger's.

mod day;
pub mod existence;
mod public_views;
mod published;
mod published_activity;
mod refusals;
mod titles;
mod ttl_cache;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use domain::Rejection;
use domain::ids::ActivityId;
use domain::lottery::strategy::PrizeId;

pub use day::day_at;
pub use public_views::{LeaderView, SaleUnits, WinnerView};
pub use published::forget_published;
pub use published_activity::{Offer, PinnedTree, PublishedActivity};
pub use refusals::{RefusalCount, RefusalCounters};
pub use titles::{Title, Titles};

use crate::failure::Result;
use crate::single_flight::SingleFlight;
use crate::world::World;
use store::model::{SaleHour, SaleMinute};

/// Activities kept at most; beyond it, all are let go of and read again as they are played.
const KEPT_MAX: usize = 10_000;

/// How long the switch for everything is believed: a crowd reads it once.
const HALTED_KEPT_MS: i64 = 200;
/// Nobody's id.
const EVERYTHING: ActivityId = ActivityId(0);

#[derive(Debug, Default)]
pub struct ActivityCache {
    kept: RwLock<HashMap<ActivityId, Arc<PublishedActivity>>>,
    /// How often something was forgotten: what was read before that is not kept.
    forgotten: Mutex<u64>,
    /// A crowd in front of an activity that is not there reads it once, and keeps nobody from another.
    reading: SingleFlight<ActivityId>,
    titles: titles::TitleRack,
    /// What everybody may look at, and many do at once.
    pub(crate) winners: ttl_cache::TtlCache<Vec<WinnerView>>,
    pub(crate) leaders: ttl_cache::TtlCache<Vec<LeaderView>>,
    pub(crate) gone: ttl_cache::TtlCache<Vec<PrizeId>>,
    pub(crate) units: ttl_cache::TtlCache<SaleUnits>,
    pub(crate) sale_hours: ttl_cache::TtlCache<Vec<SaleHour>>,
    pub(crate) sale_minutes: ttl_cache::TtlCache<Vec<SaleMinute>>,
    /// The switch for everything, under no activity's id.
    halted: ttl_cache::TtlCache<bool>,
}

impl ActivityCache {
    /// What is published of an activity; nothing if nothing is.
    pub async fn find(&self, world: &World, activity: ActivityId) -> Result<Option<Arc<PublishedActivity>>> {
        if let Some(live) = self.kept(activity) {
            return Ok(Some(live));
        }
        let _turn = self.reading.turn(activity).await;
        if let Some(live) = self.kept(activity) {
            return Ok(Some(live));
        }
        let before = *self.forgotten.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(live) = published_activity::read(world, activity).await?.map(Arc::new) else {
            return Ok(None);
        };
        let forgotten = self.forgotten.lock().unwrap_or_else(PoisonError::into_inner);
        if *forgotten == before {
            let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
            if kept.len() >= KEPT_MAX {
                kept.clear();
            }
            kept.insert(activity, Arc::clone(&live));
        }
        Ok(Some(live))
    }

    /// What the prizes of a version are called.
    pub async fn titles(&self, world: &World, activity: ActivityId, version: u32) -> Result<Arc<Titles>> {
        self.titles.find(world, activity, version).await
    }

    /// Something about it changed.
    pub fn forget(&self, activity: ActivityId) {
        let mut forgotten = self.forgotten.lock().unwrap_or_else(PoisonError::into_inner);
        *forgotten += 1;
        self.units.forget(activity);
        self.kept.write().unwrap_or_else(PoisonError::into_inner).remove(&activity);
    }

    /// Refuses while everything is stopped. A moment late where another process pressed the switch; the ledger is exact.
    pub async fn ensure_not_halted(&self, world: &World) -> Result<()> {
        let read = world.db.is_halted();
        if *self.halted.find(EVERYTHING, world.now(), HALTED_KEPT_MS, read).await? {
            return Err(Rejection::Halted.into());
        }
        Ok(())
    }

    /// The switch for everything was pressed.
    pub fn forget_halt(&self) {
        self.halted.forget(EVERYTHING);
    }

    /// What was read of an activity and is still good.
    pub(crate) fn kept(&self, activity: ActivityId) -> Option<Arc<PublishedActivity>> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner).get(&activity).cloned()
    }
}
