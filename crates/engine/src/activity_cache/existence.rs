//! Whether an activity is there, for what only names one: a leaf of a rule tree, a block list.

use domain::Rejection;
use domain::ids::ActivityId;
use domain::rejection::MissingThing;

use crate::failure::Result;
use crate::world::World;

pub async fn activity_exists(world: &World, activity: ActivityId) -> Result<bool> {
    Ok(world.db.activity_find(activity).await?.is_some())
}

pub async fn ensure_activity_exists(world: &World, activity: ActivityId) -> Result<()> {
    if activity_exists(world, activity).await? {
        Ok(())
    } else {
        Err(Rejection::NotFound { what: MissingThing::Activity }.into())
    }
}
