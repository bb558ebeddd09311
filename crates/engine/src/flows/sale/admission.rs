//! Whether an attempt may go on to the ledger: the gate's to say.

use std::net::IpAddr;
use std::sync::Arc;

use domain::Rejection;
use domain::activity::Plan;
use domain::ids::{ActivityId, UserId};
use domain::rejection::Subject;

use crate::failure::Outcome;
use crate::plays::Live;
use crate::world::World;

/// Who wants to buy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buyer {
    pub user: UserId,
    /// Where they are; nothing where a company's backend asks for its users.
    pub address: Option<IpAddr>,
}

/// Somebody who may try to buy.
#[derive(Debug)]
pub struct Admitted {
    /// The sale as it was judged.
    pub live: Arc<Live>,
}

impl Admitted {
    /// The attempt is made.
    pub fn spend(&self, _: &World) -> Result<(), Rejection> {
        Ok(())
    }

    /// The ledger refused for want of units: so many were free.
    pub fn found(&self, _: &World, _: u64) {}
}

pub(super) async fn admit_all(
    world: &World,
    _: Buyer,
    lines: &[(ActivityId, Option<&str>)],
) -> Outcome<Vec<Admitted>> {
    let mut admitted = Vec::with_capacity(lines.len());
    for (sale, _) in lines {
        let live = world.plays.find(world, *sale).await?;
        let live = live.filter(|live| matches!(live.content.plan, Plan::Sale(_)));
        admitted.push(Admitted { live: live.ok_or(Rejection::NotFound { what: Subject::Activity })? });
    }
    Ok(admitted)
}

/// Units of a sale came back.
pub(super) fn units_returned(_: &World, _: ActivityId) {}
