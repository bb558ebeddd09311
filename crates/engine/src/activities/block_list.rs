//! Block lists (黑名单): who gets an activity's consolation and nothing else. Imported in pieces.

use domain::Rejection;
use domain::access::own_account;
use domain::account::{ExternalId, Reason};
use domain::ids::{ActivityId, UserId};
use domain::page::{Page, PageRequest};
use domain::rejection::{FieldProblem, MissingThing};
use store::model::{
    AuditStamp, BLOCK_IMPORT_MAX, BlockFate, BlockListAdd, BlockListRemove, BlockName, BlockedRow,
};

use crate::activity_cache::existence::ensure_activity_exists;
use crate::failure::Result;
use crate::world::World;

/// A user as an import names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenUser {
    Id(String),
    /// The company's own id.
    External(String),
}

/// What became of an import. The same again adds nobody, and says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Import {
    pub added: usize,
    /// On the list before.
    pub already: usize,
    /// Named more than once.
    pub duplicates: Vec<GivenUser>,
    /// Nobody has this id.
    pub unknown: Vec<GivenUser>,
}

/// Adds everybody who is known. A name that is nobody's is told and keeps no other from being added.
pub async fn block_list_import(
    world: &World,
    mut signed: AuditStamp,
    activity: ActivityId,
    given: Vec<GivenUser>,
) -> Result<Import> {
    signed.reason = Reason::parse(&signed.reason)?.as_str().to_owned();
    if !(1..=BLOCK_IMPORT_MAX).contains(&given.len()) {
        let max = i64::try_from(BLOCK_IMPORT_MAX).unwrap_or(i64::MAX);
        return Err(Rejection::invalid("users", FieldProblem::OutOfRange { min: 1, max }).into());
    }
    ensure_activity_exists(world, activity).await?;
    let names = given.iter().map(name).collect();
    let fates = world.db.block_list_add(BlockListAdd { activity, names, signed }).await?;
    let mut import = Import::default();
    for (user, fate) in given.into_iter().zip(fates) {
        match fate {
            BlockFate::Added => import.added += 1,
            BlockFate::Already => import.already += 1,
            BlockFate::Repeated => import.duplicates.push(user),
            BlockFate::Unknown => import.unknown.push(user),
        }
    }
    if import.added > 0 {
        forget_block_list(world, activity);
    }
    Ok(import)
}

pub async fn block_list_remove(
    world: &World,
    signed: AuditStamp,
    activity: ActivityId,
    user: UserId,
) -> Result<()> {
    own_account(signed.responsible, user)?;
    ensure_activity_exists(world, activity).await?;
    if !world.db.block_list_remove(BlockListRemove { activity, user, signed }).await? {
        return Err(Rejection::NotFound { what: MissingThing::Blocked }.into());
    }
    forget_block_list(world, activity);
    Ok(())
}

/// The newest accounts first.
pub async fn block_list_page(
    world: &World,
    activity: ActivityId,
    page: PageRequest,
) -> Result<Page<BlockedRow>> {
    ensure_activity_exists(world, activity).await?;
    world.db.block_list_page(activity, page).await
}

/// The next draw reads the list anew. Other nodes tell by the counter that
/// [`store::model::BlockLists::block_list_load`] gives.
fn forget_block_list(world: &World, activity: ActivityId) {
    world.caches.activities.forget(activity);
}

/// What can be nobody's id is unknown like any other, not a reason to refuse the rest.
fn name(given: &GivenUser) -> BlockName {
    match given {
        GivenUser::Id(text) => text.parse().map_or(BlockName::Nobody, BlockName::User),
        GivenUser::External(text) => ExternalId::parse(text)
            .map_or(BlockName::Nobody, |external| BlockName::External(external.as_str().to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let long = "x".repeat(129);
        for (given, expected) in [
            (GivenUser::Id("5".into()), BlockName::User(UserId(5))),
            (GivenUser::Id("5x".into()), BlockName::Nobody),
            (GivenUser::Id("99999999999999999999".into()), BlockName::Nobody),
            (GivenUser::External("5".into()), BlockName::External("5".into())),
            (GivenUser::External(" 5".into()), BlockName::Nobody),
            (GivenUser::External(long), BlockName::Nobody),
        ] {
            assert_eq!(name(&given), expected, "{given:?}");
        }
    }
}
