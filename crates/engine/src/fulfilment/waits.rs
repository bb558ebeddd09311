//! What prizes wait for that nobody has brought yet, in words for people: somebody who issues coupons, or more codes.

use std::collections::HashSet;

use domain::fulfilment::{FulfilmentState, PrizeKind};
use domain::ids::CodePoolId;
use store::model::FulfilmentRow;

use crate::failure::Result;
use crate::fulfilment::relay::coupons::subscribers;
use crate::world::World;

/// What of it is missing now.
#[derive(Clone, Debug, Default)]
pub struct Missing {
    /// No webhook asks for `coupon.due`.
    subscriber: bool,
    /// Pools that have no code left.
    empty: HashSet<CodePoolId>,
}

impl Missing {
    /// For these prizes.
    pub async fn of(world: &World, rows: &[FulfilmentRow]) -> Result<Self> {
        let (mut coupons, mut pools) = (false, HashSet::new());
        for row in rows.iter().filter(|row| row.standing.state == FulfilmentState::Ready) {
            coupons |= row.standing.kind == PrizeKind::Coupon;
            pools.extend(row.pool.filter(|_| row.standing.kind == PrizeKind::Code));
        }
        let mut missing =
            Self { subscriber: coupons && subscribers(world).await?.is_empty(), ..Self::default() };
        for pool in pools {
            if world.db.code_pool(pool).await?.is_none_or(|row| row.left() == 0) {
                missing.empty.insert(pool);
            }
        }
        Ok(missing)
    }

    /// What one of them waits for; nothing where it is on its way.
    pub fn waits_for(&self, row: &FulfilmentRow) -> Option<&'static str> {
        if row.standing.state != FulfilmentState::Ready {
            return None;
        }
        let is_empty = |pool: CodePoolId| self.empty.contains(&pool);
        if row.standing.kind == PrizeKind::Coupon && self.subscriber {
            Some("a subscriber")
        } else if row.standing.kind == PrizeKind::Code && row.pool.is_some_and(is_empty) {
            Some("more codes")
        } else {
            None
        }
    }
}
