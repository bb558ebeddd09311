//! Whether somebody may take part, as far as it is not the ledger's to say.

use domain::Rejection;
use domain::ids::{ActivityId, UserId};
use domain::ledger::play::Standing;
use domain::rejection::Subject;
use domain::tree::Leaf;
use std::sync::Arc;

use crate::failure::Outcome;
use crate::flows::facts::facts_for;
use crate::plays::Live;
use crate::world::World;

/// What is published of an activity.
pub(super) async fn live(world: &World, activity: ActivityId) -> Outcome<Arc<Live>> {
    let found = world.plays.find(world, activity).await?;
    Ok(found.ok_or(Rejection::NotFound { what: Subject::Activity })?)
}

/// What the server knows of a player, or that they are not let in. Facts are read only where a tree asks for them.
pub(crate) async fn standing(world: &World, live: &Live, user: UserId) -> Outcome<Standing> {
    let mut standing = Standing { blocked: live.is_blocked(user), ..Standing::default() };
    if let Some(tree) = live.tree() {
        let verdict = tree.evaluate(&facts_for(world, user, tree.facts().into_keys()).await?);
        match verdict.leaf {
            Leaf::Allow => standing.rule_path = (&verdict.path).into(),
            // A tree that picks activities lets nobody into one.
            Leaf::Deny | Leaf::Activity(_) => return Err(Rejection::NotEligible.into()),
        }
    }
    Ok(standing)
}
