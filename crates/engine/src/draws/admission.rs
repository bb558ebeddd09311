//! Whether somebody may take part, and what the rules read about them, as far as it is not the ledger's to say.

use std::sync::Arc;

use domain::Rejection;
use domain::account::{FactKey, FactValue};
use domain::ids::{ActivityId, UserId};
use domain::ledger::Key;
use domain::ledger::play::PlayerFacts;
use domain::rejection::MissingThing;
use domain::tree::{Facts, Leaf, Tree};

use crate::activity_cache::{Offer, PublishedActivity};
use crate::failure::{Failure, Result};
use crate::people::facts::facts_for;
use crate::world::World;

/// What is published of an activity.
pub(crate) async fn live(world: &World, activity: ActivityId) -> Result<Arc<PublishedActivity>> {
    let found = world.caches.activities.find(world, activity).await?;
    Ok(found.ok_or(Rejection::NotFound { what: MissingThing::Activity })?)
}

/// What the server knows of a player, or that they are not let in. The database is asked only where a rule of the activity
/// reads something: facts for a rule tree and for prizes with risk labels, points spent for tiers by them.
pub(crate) async fn standing(world: &World, live: &PublishedActivity, user: UserId) -> Result<PlayerFacts> {
    let mut standing = PlayerFacts { blocked: live.is_blocked(user), ..PlayerFacts::default() };
    let deck = match &live.offer {
        Offer::Draw { table, .. } => Some(table.deck()),
        Offer::Enter | Offer::Buy => None,
    };
    let labels = deck.filter(|deck| deck.reads_labels()).map(|deck| (deck, FactKey::risk_labels()));
    let facts = read_facts(world, user, live.tree(), labels.as_ref().map(|(_, key)| key)).await?;
    if let Some(tree) = live.tree() {
        let verdict = tree.evaluate(&facts);
        match verdict.leaf {
            Leaf::Allow => standing.rule_path = (&verdict.path).into(),
            // A tree that picks activities lets nobody into one.
            Leaf::Deny | Leaf::Activity(_) => return Err(Rejection::NotEligible.into()),
        }
    }
    if let Some((deck, key)) = &labels
        && let Some(FactValue::Tags(carried)) = facts.get(key)
    {
        standing.withdrawn = deck.withdrawn_for(carried);
    }
    if deck.is_some_and(domain::lottery::deck::Deck::reads_points_spent) {
        standing.points_spent = world.db.points_sum_spent(user).await?;
    }
    Ok(standing)
}

/// The same for a request that may be a repetition: what was made under its id before is told again, also to somebody who
/// would not be let in any more. The ledger finds it by the id and reads nothing else of the request.
pub(crate) async fn standing_of(
    world: &World,
    live: &PublishedActivity,
    user: UserId,
    key: Key,
) -> Result<PlayerFacts> {
    match standing(world, live, user).await {
        Err(Failure::Rejected(Rejection::NotEligible)) if world.ledger.stock.ticket(key).await?.is_some() => {
            Ok(PlayerFacts::default())
        }
        other => other,
    }
}

async fn read_facts(
    world: &World,
    user: UserId,
    tree: Option<&Tree>,
    labels: Option<&FactKey>,
) -> Result<Facts> {
    let asked = tree.map(Tree::facts).unwrap_or_default();
    let extra = labels.filter(|key| !asked.contains_key(key));
    facts_for(world, user, asked.keys().copied().chain(extra)).await
}
