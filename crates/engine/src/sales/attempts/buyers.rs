//! Who has ever had an order of a sale, kept in memory for sales that are sold out.
//!
//! Somebody who never had one cannot be repeating an attempt that went well, whatever key they send: they hear that nothing
//! is left without anybody being asked. What is kept is complete or not used: it is read once from the rows, after they have
//! everything that was decided before, and every order that is made meanwhile and afterwards is added before its maker hears
//! of it.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use domain::ids::{ActivityId, UserId};

use crate::caught_up;
use crate::world::World;

/// Sales that are known at once; beyond it all are let go of and read again.
const SALES_MAX: usize = 200;
/// Buyers of one sale; one with more is not kept.
const BUYERS_MAX: u32 = 1_000_000;

#[derive(Debug, Default)]
pub struct Buyers(RwLock<HashMap<ActivityId, Arc<SaleBuyers>>>);

#[derive(Debug, Default)]
struct SaleBuyers {
    users: RwLock<HashSet<UserId>>,
    /// Whether the rows were read.
    complete: AtomicBool,
}

impl SaleBuyers {
    fn add(&self, users: impl IntoIterator<Item = UserId>) {
        self.users.write().unwrap_or_else(PoisonError::into_inner).extend(users);
    }
}

impl Buyers {
    /// Whether somebody ever had an order of a sale; nothing where that is not known.
    fn has_bought(&self, sale: ActivityId, user: UserId) -> Option<bool> {
        let known = self.kept(sale)?;
        let complete = known.complete.load(Ordering::Acquire);
        complete.then(|| known.users.read().unwrap_or_else(PoisonError::into_inner).contains(&user))
    }

    /// Somebody has an order of a sale, and does not know it yet.
    pub(crate) fn add(&self, sale: ActivityId, user: UserId) {
        if let Some(known) = self.kept(sale) {
            known.add([user]);
        }
    }

    /// For whoever comes first: they read the rows.
    fn begin(&self, sale: ActivityId) -> Option<Arc<SaleBuyers>> {
        let mut sales = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if sales.contains_key(&sale) {
            return None;
        }
        if sales.len() >= SALES_MAX {
            sales.clear();
        }
        Some(Arc::clone(sales.entry(sale).or_default()))
    }

    fn forget(&self, sale: ActivityId) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(&sale);
    }

    fn kept(&self, sale: ActivityId) -> Option<Arc<SaleBuyers>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&sale).cloned()
    }
}

/// Whether an attempt under this key is certainly not one that was made before. In doubt it is not; the next one may know.
pub fn is_first(world: &Arc<World>, sale: ActivityId, user: UserId, key: &str) -> bool {
    if world.sales.attempts.has_key(user, key) {
        return false;
    }
    match world.sales.attempts.buyers.has_bought(sale, user) {
        Some(bought) => !bought,
        None => {
            if let Some(known) = world.sales.attempts.buyers.begin(sale) {
                tokio::spawn(read(Arc::clone(world), sale, known));
            }
            false
        }
    }
}

async fn read(world: Arc<World>, sale: ActivityId, known: Arc<SaleBuyers>) {
    // Orders that are decided from here on are added by whoever decides them.
    let found = if caught_up::everything(&world).await {
        world.db.sale_buyers(sale, BUYERS_MAX).await.ok()
    } else {
        None
    };
    match found {
        Some(users) if users.len() < BUYERS_MAX as usize => {
            known.add(users);
            known.complete.store(true, Ordering::Release);
        }
        // Too many to keep: it stays unknown.
        Some(_) => {}
        None => world.sales.attempts.buyers.forget(sale),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEA: ActivityId = ActivityId(7);
    const ANN: UserId = UserId(1);
    const BEN: UserId = UserId(2);

    #[test]
    fn what_is_not_complete_is_not_known() {
        let buyers = Buyers::default();
        assert_eq!(buyers.has_bought(TEA, ANN), None);
        buyers.add(TEA, ANN);
        let known = buyers.begin(TEA).unwrap();
        assert!(buyers.begin(TEA).is_none(), "one reads");
        buyers.add(TEA, BEN);
        assert_eq!((buyers.has_bought(TEA, ANN), buyers.has_bought(TEA, BEN)), (None, None));
        known.add([ANN]);
        known.complete.store(true, Ordering::Release);
        for (user, bought) in [(ANN, true), (BEN, true), (UserId(3), false)] {
            assert_eq!(buyers.has_bought(TEA, user), Some(bought), "{user}");
        }
        buyers.forget(TEA);
        assert_eq!(buyers.has_bought(TEA, ANN), None);
    }
}
