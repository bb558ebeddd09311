//! Trying a rule tree out: where facts lead, and why. Nothing is kept.

use domain::Rejection;
use domain::ids::{TreeId, UserId};
use domain::tree::{Evaluation, Facts, Tree, TreeDraft};

use crate::failure::{Fault, Result};
use crate::people::facts::{GivenFact, facts_for, parse_facts};
use crate::people::profile::my_account;
use crate::trees::queries::tree_find;
use crate::trees::save::check_draft;
use crate::world::World;

/// What to try it with: the facts of a user as a draw would see them, and others in place of them or beside them.
#[derive(Clone, Debug)]
pub struct TriedFacts {
    pub user: Option<UserId>,
    pub given: Vec<(String, GivenFact)>,
}

/// Ask `draft.explain(&verdict, &facts)` for the way.
#[derive(Clone, Debug)]
pub struct DryRun {
    /// The version that was tried; `None` for an unsaved draft.
    pub version: Option<u32>,
    pub draft: TreeDraft,
    pub facts: Facts,
    pub verdict: Evaluation,
}

pub async fn dry_run_saved(
    world: &World,
    tree: TreeId,
    version: Option<u32>,
    tried: TriedFacts,
) -> Result<DryRun> {
    let found = tree_find(world, tree, version).await?;
    let compiled = check_draft(&found.draft)
        .map_err(|_| Fault::new(format!("rule tree {tree} does not pass the check any more")))?;
    run(world, found.draft, &compiled, Some(found.version), tried).await
}

/// A draft that was not saved; what is wrong with it is told as if it were.
pub async fn dry_run_draft(world: &World, draft: TreeDraft, tried: TriedFacts) -> Result<DryRun> {
    match check_draft(&draft) {
        Ok(tree) => run(world, draft, &tree, None, tried).await,
        Err(flaws) => {
            Rejection::of_flaws(flaws)?;
            Err(Fault::new("a rule tree was refused without a reason").into())
        }
    }
}

async fn run(
    world: &World,
    draft: TreeDraft,
    tree: &Tree,
    version: Option<u32>,
    tried: TriedFacts,
) -> Result<DryRun> {
    let given = parse_facts(tried.given)?;
    let mut facts = match tried.user {
        Some(user) => {
            // Without one of its own facts a tree would not notice that nobody has this id.
            my_account(world, user).await?;
            facts_for(world, user, tree.facts().into_keys()).await?
        }
        None => Facts::default(),
    };
    given.into_iter().for_each(|(key, value)| facts.set(key, value));
    let verdict = tree.evaluate(&facts);
    Ok(DryRun { version, draft, facts, verdict })
}
