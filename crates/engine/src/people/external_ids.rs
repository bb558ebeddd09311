//! The company's own ids of users, for those who show rows of theirs.

use std::collections::{BTreeSet, HashMap};

use domain::Rejection;
use domain::ids::UserId;
use domain::page::PageRequest;
use domain::rejection::MissingThing;
use store::model::UserQuery;

use crate::failure::Result;
use crate::people::entry::external_id;
use crate::world::World;

/// By user; those who have none are not in it.
pub async fn external_ids(
    world: &World,
    users: impl IntoIterator<Item = UserId>,
) -> Result<HashMap<UserId, String>> {
    let users: BTreeSet<UserId> = users.into_iter().collect();
    if users.is_empty() {
        return Ok(HashMap::new());
    }
    Ok(world.db.external_ids(users.into_iter().collect()).await?.into_iter().collect())
}

/// The account of one of the company's own users, if there is one: asking makes nobody.
pub async fn find_by_external_id(world: &World, external: &str) -> Result<UserId> {
    let external_id = Some(external_id(external)?.as_str().to_owned());
    let query = UserQuery { external_id, ..UserQuery::default() };
    let found = world.db.user_list(query, PageRequest::first(1)).await?;
    let account = found.items.into_iter().next().ok_or(Rejection::NotFound { what: MissingThing::User })?;
    Ok(account.profile.id)
}
