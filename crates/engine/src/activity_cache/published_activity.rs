//! One activity as it is played.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

use domain::Rejection;
use domain::activity::{Content, KindSettings, Life, LifeState, Plan};
use domain::ids::{ActivityId, TreeId, UserId};
use domain::ledger::play::{Day, Table};
use domain::lottery::deck::Deck;
use domain::lottery::random::{Commitment, DrawSecret};
use domain::time::Timestamp;
use domain::tree::{Tree, TreeHash};
use jiff::tz::TimeZone;

use crate::activity_cache::day::day_at;
use crate::failure::{Fault, Result};
use crate::ports::SealContext;
use crate::world::World;

/// The version in place, in the current round.
#[derive(Debug)]
pub struct PublishedActivity {
    pub activity: ActivityId,
    pub life: Life,
    ended: Option<Timestamp>,
    pub version: u32,
    pub content: Content,
    pub commitment: Commitment,
    pub offer: Offer,
    zone: TimeZone,
    /// Today, as long as it lasts.
    day: RwLock<Day>,
    tree: Option<PinnedTree>,
    blocked: HashSet<UserId>,
}

/// The tree that says who may take part, as it was when the version was submitted.
#[derive(Debug)]
pub struct PinnedTree {
    pub id: TreeId,
    pub version: u32,
    pub hash: TreeHash,
    tree: Tree,
}

/// What one can do.
#[derive(Debug)]
pub enum Offer {
    Draw {
        table: Arc<Table>,
        ten: bool,
    },
    Enter,
    /// What is sold is in the version's plan.
    Buy,
}

impl Offer {
    /// What to say to whoever wants something else of it.
    pub const fn instead(&self) -> Rejection {
        match self {
            Self::Draw { .. } => Rejection::DrawsOnly,
            Self::Enter => Rejection::EntersOnly,
            Self::Buy => Rejection::SellsOnly,
        }
    }
}

impl PublishedActivity {
    pub fn day(&self, now: Timestamp) -> Day {
        let today = *self.day.read().unwrap_or_else(PoisonError::into_inner);
        if today.contains(now) {
            return today;
        }
        let today = day_at(now, &self.zone);
        *self.day.write().unwrap_or_else(PoisonError::into_inner) = today;
        today
    }

    /// When it ended, by hand or by the clock; nothing while it is not closed.
    pub fn ended_at(&self, now: Timestamp) -> Option<Timestamp> {
        let window = self.content.configuration.window();
        let closed = self.life.at(window, now).state == LifeState::Closed;
        closed.then(|| self.ended.unwrap_or(window.until))
    }

    /// Who may take part; everybody, where there is no tree.
    pub fn tree(&self) -> Option<&Tree> {
        self.tree.as_ref().map(|pinned| &pinned.tree)
    }

    /// What is published of it.
    pub fn pinned_tree(&self) -> Option<&PinnedTree> {
        self.tree.as_ref()
    }

    pub fn is_blocked(&self, user: UserId) -> bool {
        self.blocked.contains(&user)
    }
}

pub(crate) async fn read(world: &World, activity: ActivityId) -> Result<Option<PublishedActivity>> {
    let Some(published) = world.db.published_find(activity).await? else { return Ok(None) };
    let configuration = &published.content.configuration;
    let zone = TimeZone::get(configuration.zone())
        .map_err(|error| Fault::caused(format!("the zone of activity {activity}"), error))?;
    let offer = match (&published.content.plan, configuration.kind()) {
        (Plan::Instant(strategy), KindSettings::Instant { ten }) => {
            let deck = Deck::new(strategy.clone()).map_err(|problems| {
                Fault::new(format!("activity {activity} was published and cannot work: {problems:?}"))
            })?;
            let secret = open(world, activity, &published.sealed_secret)?;
            if !published.commitment.is_of(&secret) {
                return Err(Fault::new(format!("the secret of activity {activity} is another one")).into());
            }
            let table = Arc::new(Table::new(activity, published.life.round, deck, &secret));
            Offer::Draw { table, ten: *ten }
        }
        (Plan::Raffle(_), KindSettings::Raffle { .. }) => Offer::Enter,
        (Plan::Sale(_), KindSettings::Sale) => Offer::Buy,
        (Plan::Instant(_), KindSettings::Raffle { .. } | KindSettings::Sale)
        | (Plan::Raffle(_), KindSettings::Instant { .. } | KindSettings::Sale)
        | (Plan::Sale(_), KindSettings::Instant { .. } | KindSettings::Raffle { .. }) => {
            return Err(Fault::new(format!("activity {activity} has another plan than its kind")).into());
        }
    };
    let tree = match published.tree {
        Some((tree, version)) => Some(compile_tree(world, TreeId(tree), version).await?),
        None => None,
    };
    let blocked = world.db.block_list_load(activity).await?.1.into_iter().collect();
    let day = RwLock::new(day_at(world.now(), &zone));
    Ok(Some(PublishedActivity {
        activity,
        life: published.life,
        ended: published.ended,
        version: published.version,
        content: published.content,
        commitment: published.commitment,
        offer,
        zone,
        day,
        tree,
        blocked,
    }))
}

async fn compile_tree(world: &World, tree: TreeId, version: u32) -> Result<PinnedTree> {
    let found = world.db.tree_find(tree, Some(version)).await?;
    let kept = found.ok_or_else(|| Fault::new(format!("rule tree {tree} has no version {version}")))?;
    let checked = kept
        .draft
        .check()
        .map_err(|problems| Fault::new(format!("rule tree {tree} was saved and cannot work: {problems:?}")));
    Ok(PinnedTree { id: tree, version, hash: kept.hash, tree: checked? })
}

fn open(world: &World, activity: ActivityId, sealed: &[u8]) -> Result<DrawSecret> {
    let plain = world
        .outside
        .vault
        .open(SealContext::Secret, sealed)
        .map_err(|fault| Fault::caused(format!("the secret of activity {activity}"), fault))?;
    let bytes: [u8; 32] =
        plain.as_slice().try_into().map_err(|_| Fault::new("a secret that is not 32 bytes long"))?;
    Ok(DrawSecret::new(bytes))
}
