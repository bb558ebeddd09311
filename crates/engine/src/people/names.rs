//! What people are called, for those who see many of them at once.

use domain::ids::UserId;

use crate::failure::Result;
use crate::world::World;

/// People of one question at most: as many as a page has rows, twice.
pub const NAMES_AT_ONCE_MAX: usize = 400;

/// Their names in the same order; nothing for somebody who is not there, or has no name.
pub async fn names_of(world: &World, users: &[UserId]) -> Result<Vec<Option<String>>> {
    let now = world.now();
    let names = world.db.names_of(users.iter().map(|user| (*user, now)).collect()).await?;
    Ok(names.into_iter().map(|name| name.filter(|name| !name.is_empty())).collect())
}
