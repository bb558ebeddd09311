//! What players see has changed.

use domain::ids::ActivityId;

use crate::world::World;

/// To be called after every step that changes what is drawn from or how the activity stands. Nothing is kept of an
/// activity between draws yet; whatever will be is forgotten here.
pub fn published_changed(_world: &World, activity: ActivityId) {
    tracing::debug!(%activity, "what is published has changed");
}
