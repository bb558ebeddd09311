//! How often somebody may come to the gate: by user, and by address.

use domain::Rejection;
use domain::limit::{Allowance, Quota, address_key};
use domain::time::SECOND_MS;

use crate::failure::Result;
use crate::sales::gate::Buyer;
use crate::world::World;

/// What is counted, each apart.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Asks {
    /// For a token, a picture or a place.
    Gate,
    Attempt,
}

impl Asks {
    const fn classes(self) -> (&'static str, &'static str) {
        match self {
            Self::Gate => ("gate_user", "gate_ip"),
            Self::Attempt => ("attempt_user", "attempt_ip"),
        }
    }
}

pub(crate) async fn count(world: &World, buyer: Buyer, asks: Asks) -> Result<()> {
    let (user, ip) = asks.classes();
    let quotas = world.settings.quotas;
    take(world, user, &buyer.user.to_string(), quotas.sale_user).await?;
    match buyer.address {
        Some(address) => take(world, ip, &address_key(address), quotas.sale_ip).await,
        None => Ok(()),
    }
}

async fn take(world: &World, class: &'static str, key: &str, quota: Quota) -> Result<()> {
    let Allowance { allowed, retry_ms, .. } =
        world.outside.limits.take(class, key, quota, world.now()).await?;
    if allowed {
        return Ok(());
    }
    Err(Rejection::RateLimited { retry_after_s: (retry_ms + SECOND_MS - 1) / SECOND_MS }.into())
}
