//! Looking at activities: how they stand by the clock, what their versions say and change, and their secrets once they
//! are revealed.

use std::collections::BTreeMap;

use domain::Rejection;
use domain::activity::{Content, FieldChange, StockDiff, WorstCase, describe, diff, stock_diff, worst_case};
use domain::ids::{ActivityId, TreeId};
use domain::page::{Page, PageRequest};
use domain::rejection::MissingThing;
use store::model::{ActivityRow, ActivitySearch, SecretRow, TreeVersion, VersionRow};

use crate::activities::code_promises::{CodeShortage, code_parts, find_shortages};
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

/// What a version changes from the one before it, what it points to included; everything is new in the first.
#[derive(Clone, Debug)]
pub struct VersionView {
    pub version: VersionRow,
    pub before: Option<u32>,
    pub changes: Vec<FieldChange>,
    /// What approval does, or did, to pools.
    pub stock: Vec<StockDiff>,
    /// Who may take part, before and now, where there is a rule tree.
    pub trees: (Option<TreeVersion>, Option<TreeVersion>),
    pub worst_case: WorstCase,
    /// Prizes for which there are not enough codes.
    pub codes: Vec<CodeShortage>,
    /// What is called how, by the text that stands for it in a change.
    pub names: BTreeMap<String, String>,
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
    let row = activity_get(world, id).await?;
    let version = version_get(world, id, number).await?;
    let old = match number.checked_sub(1).filter(|before| *before > 0) {
        Some(before) => Some(version_get(world, id, before).await?),
        None => None,
    };
    let content = &version.content;
    let before = old.as_ref().map(|old| &old.content);
    let (mut changes, stock) = match before {
        Some(before) => (diff(before, content), stock_diff(before, content)),
        None => (describe(content), Vec::new()),
    };
    let was = match &old {
        Some(old) => tree_of(world, old).await?,
        None => None,
    };
    let trees = (was, tree_of(world, &version).await?);
    changes.extend(tree_change(&trees));
    let names = names(world, [before, Some(content)].into_iter().flatten(), &trees).await?;
    // What is in place promised its codes already.
    let codes = if row.live == Some(number) {
        Vec::new()
    } else {
        find_shortages(world, content, before.filter(|_| row.live.is_some())).await?
    };
    let worst_case = worst_case(content);
    Ok(VersionView {
        before: old.map(|old| old.number),
        version,
        changes,
        stock,
        trees,
        worst_case,
        codes,
        names,
    })
}

/// The rule tree of a version as it is fixed, or as it would be if it were submitted now.
async fn tree_of(world: &World, version: &VersionRow) -> Result<Option<TreeVersion>> {
    match version.content.configuration.tree() {
        Some(tree) => world.db.tree_find(TreeId(tree), version.tree_version).await,
        None => Ok(None),
    }
}

/// A tree that stays and has another version lets other people in: that is a change like any other (hole 74).
fn tree_change((was, is): &(Option<TreeVersion>, Option<TreeVersion>)) -> Option<FieldChange> {
    let [before, after] = [was, is].map(|tree| tree.as_ref().map(|tree| tree.version.to_string()));
    let same_tree = was.as_ref().map(|tree| tree.tree) == is.as_ref().map(|tree| tree.tree);
    (before != after || !same_tree).then(|| FieldChange { field: "tree_version".to_owned(), before, after })
}

/// The names of prizes, pools of codes and trees, under what stands for each in a change: `prizes.3`, `pool.7`, `tree.9`.
async fn names(
    world: &World,
    contents: impl Iterator<Item = &Content>,
    trees: &(Option<TreeVersion>, Option<TreeVersion>),
) -> Result<BTreeMap<String, String>> {
    let mut names = BTreeMap::new();
    for tree in [&trees.0, &trees.1].into_iter().flatten() {
        names.insert(format!("tree.{}", tree.tree), tree.name.clone());
    }
    // The newer name of a prize takes the place of the older one.
    for content in contents {
        for card in &content.cards {
            let name = content.prize_name(card.prize).unwrap_or_default().to_owned();
            names.insert(format!("prizes.{}", card.prize.number()), name);
        }
        let pools = code_parts(content).into_iter().map(|part| part.pool);
        for pool in pools {
            if let Some(row) = world.db.code_pool(pool).await? {
                names.insert(format!("pool.{pool}"), row.name);
            }
        }
    }
    Ok(names)
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
