//! Rule trees as they are kept, for people and for the draw.

use domain::Rejection;
use domain::ids::TreeId;
use domain::page::{Page, PageRequest};
use domain::rejection::{FieldProblem, MissingThing};
use domain::tree::{Tree, TreeHash, TreePurpose};
use store::model::{TreeQuery, TreeRow, TreeUse, TreeVersion};

use crate::failure::{Fault, Result};
use crate::trees::save::check_draft;
use crate::world::World;

/// Uses of one tree that are told.
const TREE_USES_MAX: u32 = 200;

/// A version that is ready to be evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedTree {
    pub tree: Tree,
    pub purpose: TreePurpose,
    pub hash: TreeHash,
}

/// A version, or the newest.
pub async fn tree_find(world: &World, tree: TreeId, version: Option<u32>) -> Result<TreeVersion> {
    let found = world.db.tree_find(tree, version).await?;
    Ok(found.ok_or(Rejection::NotFound { what: MissingThing::Tree })?)
}

/// Newest trees first, by part of a name and by purpose.
pub async fn tree_list(
    world: &World,
    name: Option<&str>,
    purpose: Option<&str>,
    page: PageRequest,
) -> Result<Page<TreeRow>> {
    let wrong = || Rejection::invalid("purpose", FieldProblem::NotOneOf { allowed: TreePurpose::NAMES });
    let purpose = purpose.map(|text| TreePurpose::parse(text).ok_or_else(wrong)).transpose()?;
    let name = name.map(domain::tree::tree_name).transpose()?;
    world.db.tree_list(TreeQuery { name, purpose }, page).await
}

/// The versions in place and in the making that ask a tree, newest activities first; [`TREE_USES_MAX`] of them at most.
pub async fn tree_uses(world: &World, tree: TreeId) -> Result<Vec<TreeUse>> {
    tree_find(world, tree, None).await?;
    world.db.tree_uses(tree, TREE_USES_MAX).await
}

/// Compiled, for whoever keeps it in memory. What was saved passed the check, so that it does not now is a fault.
pub async fn tree_load(world: &World, tree: TreeId, version: u32) -> Result<LoadedTree> {
    let found = tree_find(world, tree, Some(version)).await?;
    let compiled = check_draft(&found.draft).map_err(|flaws| {
        let first = flaws.first().map_or("", |flaw| flaw.code);
        Fault::new(format!("version {version} of rule tree {tree} does not pass the check any more: {first}"))
    })?;
    Ok(LoadedTree { tree: compiled, purpose: found.draft.purpose, hash: found.hash })
}
