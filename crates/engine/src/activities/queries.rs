//! Looking at activities: how they stand by the clock, what their versions say and change, and their secrets once they
//! are revealed.

use domain::Rejection;
use domain::activity::{FieldChange, StockDiff, diff, stock_diff};
use domain::ids::ActivityId;
use domain::page::{Page, PageRequest};
use domain::rejection::MissingThing;
use store::model::{ActivityRow, ActivitySearch, SecretRow, VersionRow};

use crate::failure::Result;
use crate::ports::SealContext;
use crate::world::World;

/// An activity with what it says now and what it is to say next.
#[derive(Clone, Debug)]
pub struct Detail {
    pub row: ActivityRow,
    pub live: Option<VersionRow>,
    pub draft: Option<VersionRow>,
}

/// What a version changes from the one before it; everything is new in the first.
#[derive(Clone, Debug)]
pub struct VersionView {
    pub version: VersionRow,
    pub before: Option<u32>,
    pub changes: Vec<FieldChange>,
    /// What approval does, or did, to pools.
    pub stock: Vec<StockDiff>,
}

/// What was published about a round and version, with the secret once it may be read.
#[derive(Clone, Debug)]
pub struct RevealedSecret {
    pub row: SecretRow,
    pub secret: Option<Vec<u8>>,
}

pub async fn activity_detail(world: &World, id: ActivityId) -> Result<Detail> {
    let row = activity_get(world, id).await?;
    let live = match row.live {
        Some(number) => Some(version_get(world, id, number).await?),
        None => None,
    };
    let draft = match row.draft {
        Some(making) => Some(version_get(world, id, making.number).await?),
        None => None,
    };
    Ok(Detail { row, live, draft })
}

pub async fn activity_list(
    world: &World,
    search: ActivitySearch,
    page: PageRequest,
) -> Result<Page<ActivityRow>> {
    let rows = world.db.activity_list(search, page).await?;
    Ok(rows.map(|row| by_the_clock(world, row)))
}

pub async fn version_list(world: &World, id: ActivityId, page: PageRequest) -> Result<Page<VersionRow>> {
    activity_get(world, id).await?;
    world.db.version_list(id, page).await
}

pub async fn version_find(world: &World, id: ActivityId, number: u32) -> Result<VersionRow> {
    activity_get(world, id).await?;
    version_get(world, id, number).await
}

/// Against the version before it, which is the one it replaces.
pub async fn version_diff(world: &World, id: ActivityId, number: u32) -> Result<VersionView> {
    activity_get(world, id).await?;
    let version = version_get(world, id, number).await?;
    let Some(before) = number.checked_sub(1).filter(|before| *before > 0) else {
        return Ok(VersionView { version, before: None, changes: Vec::new(), stock: Vec::new() });
    };
    let old = version_get(world, id, before).await?.content;
    let (changes, stock) = (diff(&old, &version.content), stock_diff(&old, &version.content));
    Ok(VersionView { version, before: Some(before), changes, stock })
}

/// For everybody, and so of what is published only.
pub async fn activity_secrets(world: &World, id: ActivityId) -> Result<Vec<RevealedSecret>> {
    if activity_get(world, id).await?.live.is_none() {
        return Err(Rejection::NotFound { what: MissingThing::Activity }.into());
    }
    let rows = world.db.secret_list(id).await?;
    let open = |row: SecretRow| {
        let secret = match row.revealed_at {
            Some(_) => Some(world.outside.vault.open(SealContext::Secret, &row.sealed)?),
            None => None,
        };
        Ok(RevealedSecret { row, secret })
    };
    rows.into_iter().map(open).collect()
}

pub(crate) async fn activity_get(world: &World, id: ActivityId) -> Result<ActivityRow> {
    let row = world.db.activity_find(id).await?;
    Ok(by_the_clock(world, row.ok_or(Rejection::NotFound { what: MissingThing::Activity })?))
}

pub(crate) async fn version_get(world: &World, id: ActivityId, number: u32) -> Result<VersionRow> {
    let version = world.db.version_find(id, number).await?;
    Ok(version.ok_or(Rejection::NotFound { what: MissingThing::Version })?)
}

/// As it stands now, whether or not the job was here.
fn by_the_clock(world: &World, row: ActivityRow) -> ActivityRow {
    ActivityRow { life: row.life.at(row.window, world.now()), ..row }
}

/// What players see, the newest first.
pub async fn published_list(world: &World, page: PageRequest) -> Result<Page<ActivityRow>> {
    world.db.published_list(page).await
}
