//! What players see has changed.

use domain::ids::ActivityId;

use crate::world::World;

/// To be called after every step that changes what is drawn from or how the activity stands: the next draw reads it
/// anew.
pub fn forget_published(world: &World, activity: ActivityId) {
    tracing::debug!(%activity, "what is published has changed");
    world.caches.activities.forget(activity);
    // It may have been restocked.
    world.sales.gate.return_units(activity);
}
