//! The company's own ids of users, for those who show rows of theirs.

use std::collections::{BTreeSet, HashMap};

use domain::ids::UserId;

use crate::failure::Outcome;
use crate::world::World;

/// By user; those who have none are not in it.
pub async fn external_ids(
    world: &World,
    users: impl IntoIterator<Item = UserId>,
) -> Outcome<HashMap<UserId, String>> {
    let users: BTreeSet<UserId> = users.into_iter().collect();
    if users.is_empty() {
        return Ok(HashMap::new());
    }
    Ok(world.db.external_ids(users.into_iter().collect()).await?.into_iter().collect())
}
