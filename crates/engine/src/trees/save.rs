//! Saving a rule tree: the first version makes the tree, every other one is written on top of the newest.

use std::collections::HashMap;

use domain::Rejection;
use domain::flaw::Flaw;
use domain::ids::TreeId;
use domain::tree::{Leaf, NODES_MAX, NodeKind, Tree, TreeDraft, tree_name};
use store::model::{AuditStamp, TreeCreate, TreeSave, TreeVersion};

use crate::access::key_admin::principal;
use crate::activity_cache::existence::activity_exists;
use crate::caller::Repeat;
use crate::failure::Result;
use crate::people::entry::once;
use crate::trees::queries::tree_find;
use crate::world::World;

/// A tree as it was sent.
#[derive(Clone, Debug)]
pub struct GivenTree {
    pub name: String,
    pub draft: TreeDraft,
}

pub async fn tree_create(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    given: GivenTree,
) -> Result<TreeVersion> {
    let (name, draft) = check(world, given).await?;
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    let step = TreeCreate { id: TreeId(world.next_id()), name, draft, once, signed };
    let made = world.db.tree_create(step).await?;
    tree_find(world, TreeId(made.id), Some(1)).await
}

/// The next version, on top of the newest one its author has seen. The same again is answered with what is there.
pub async fn tree_save(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    (tree, base): (TreeId, u32),
    given: GivenTree,
) -> Result<TreeVersion> {
    let (name, draft) = check(world, given).await?;
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    let version = world.db.tree_save(TreeSave { tree, base, name, draft, once, signed }).await?;
    tree_find(world, tree, Some(version)).await
}

/// Everything that is wrong, at once.
async fn check(world: &World, given: GivenTree) -> Result<(String, TreeDraft)> {
    let GivenTree { name, draft } = given;
    let name = tree_name(&name);
    let mut flaws: Vec<Flaw> = name.clone().err().map(Flaw::from).into_iter().collect();
    flaws.extend(check_draft(&draft).err().unwrap_or_default());
    flaws.extend(unknown_activities(world, &draft).await?);
    Rejection::of_flaws(flaws)?;
    Ok((name?, draft))
}

pub(crate) fn check_draft(draft: &TreeDraft) -> Result<Tree, Vec<Flaw>> {
    draft.check().map_err(|problems| problems.iter().map(|problem| draft.flaw(problem)).collect())
}

/// Leaves that name an activity nobody made. Many leaves name few activities: each is asked for once.
async fn unknown_activities(world: &World, draft: &TreeDraft) -> Result<Vec<Flaw>> {
    let (mut flaws, mut asked) = (Vec::new(), HashMap::new());
    // What the check refuses for its size is not asked about leaf by leaf.
    for node in draft.nodes.iter().take(NODES_MAX) {
        let NodeKind::Leaf(Leaf::Activity(activity)) = node.body else { continue };
        let known = match asked.get(&activity) {
            Some(known) => *known,
            None => activity_exists(world, activity).await?,
        };
        asked.insert(activity, known);
        if !known {
            let field = format!("nodes.{}.activity", node.id.0);
            flaws.push(Flaw::new(field, "activity_unknown", "There is no such activity.", "没有这个活动。"));
        }
    }
    Ok(flaws)
}
