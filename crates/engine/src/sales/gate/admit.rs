//! Whether an attempt to buy may go on to the ledger.

use std::sync::Arc;

use domain::Rejection;
use domain::ids::ActivityId;
use domain::sale::token::{GateToken, TokenId};

use crate::activity_cache::PublishedActivity;
use crate::failure::Result;
use crate::sales::gate::Buyer;
use crate::sales::gate::pace::{Asks, count};
use crate::sales::gate::sale::Sale;
use crate::world::World;

/// Somebody who may try to buy. Nothing is used up yet: a try that is refused before it becomes an attempt costs nobody their
/// token.
#[derive(Debug)]
pub struct Admitted {
    /// The sale as it was judged.
    pub live: Arc<PublishedActivity>,
    token: GateToken,
    id: TokenId,
    version: u64,
}

/// One try, with its token. From the cheapest question to the dearest: a crowd in front of what is gone is answered first.
pub async fn admit(world: &World, buyer: Buyer, sale: ActivityId, token: Option<&str>) -> Result<Admitted> {
    let sale = Sale::find(world, sale).await?;
    sale.has_units(world).await?;
    count(world, buyer, Asks::Attempt).await?;
    check_token(world, buyer, &sale, token).await
}

/// Several tries at once, all or none of them: counted as one.
pub async fn admit_all(
    world: &World,
    buyer: Buyer,
    lines: &[(ActivityId, Option<&str>)],
) -> Result<Vec<Admitted>> {
    count(world, buyer, Asks::Attempt).await?;
    let mut admitted = Vec::with_capacity(lines.len());
    for (sale, token) in lines {
        let sale = Sale::find(world, *sale).await?;
        sale.has_units(world).await?;
        admitted.push(check_token(world, buyer, &sale, *token).await?);
    }
    Ok(admitted)
}

async fn check_token(world: &World, buyer: Buyer, sale: &Sale, token: Option<&str>) -> Result<Admitted> {
    let now = world.now();
    let text = token.ok_or(Rejection::TokenNeeded)?;
    let (token, id) =
        GateToken::check(&world.sales.gate.key, text, (buyer.user, sale.id(), sale.round()), now)?;
    if world.sales.gate.tokens.is_used(&id) {
        return Err(Rejection::TokenSpent.into());
    }
    // A token outlives a block, a pause and the end; none of them should go on to the ledger.
    sale.check_running(now, 0)?;
    world.caches.activities.ensure_not_halted(world).await?;
    if sale.live.is_blocked(buyer.user) {
        return Err(Rejection::NotEligible.into());
    }
    let version = world.sales.gate.units_version(sale.id());
    Ok(Admitted { live: Arc::clone(&sale.live), token, id, version })
}

impl Admitted {
    pub fn sale(&self) -> ActivityId {
        self.token.sale
    }

    pub fn round(&self) -> u32 {
        self.token.round
    }

    /// The attempt is made: the token, and with it the turn in the waiting room, is used up. Of two attempts with one
    /// token, one goes on.
    pub fn spend(&self, world: &World) -> Result<(), Rejection> {
        let now = world.now();
        if !world.sales.gate.tokens.use_up(self.id, self.token.expires, now)? {
            return Err(Rejection::TokenSpent);
        }
        world.sales.gate.rooms.leave((self.token.sale, self.token.round), self.token.user, now);
        Ok(())
    }

    /// The ledger refused for want of units: so many were free.
    pub fn found(&self, world: &World, free: u64) {
        world.sales.gate.record_units(self.token.sale, self.version, free, world.now());
    }
}
