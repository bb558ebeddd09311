//! What the prizes of a version are called. A published version never changes, so what was read once stays true.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use domain::activity::{Card, Content, Plan};
use domain::fulfilment::Gift;
use domain::ids::ActivityId;
use domain::lottery::strategy::PrizeId;

use crate::failure::{Fault, Result};
use crate::world::World;

/// Versions kept at most; beyond it, all are let go of.
const KEPT_MAX: usize = 10_000;

/// A prize as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    pub prize: PrizeId,
    pub name: String,
    /// For readers of English; empty where it is the same.
    pub name_en: String,
    pub gift: Gift,
    pub details: String,
    pub details_en: String,
    pub picture: String,
}

/// The prizes of one version, and what the activity is called in it.
#[derive(Debug)]
pub struct Titles {
    activity: String,
    activity_en: String,
    prizes: HashMap<PrizeId, Title>,
}

impl Titles {
    pub fn of(content: &Content) -> Self {
        let named: Vec<(PrizeId, &str)> = match &content.plan {
            Plan::Instant(strategy) => strategy.prizes.iter().map(|prize| (prize.id, &*prize.name)).collect(),
            Plan::Raffle(prizes) => prizes.iter().map(|prize| (prize.id, &*prize.name)).collect(),
            Plan::Sale(_) => Vec::new(),
        };
        let card = |prize: PrizeId| content.cards.iter().find(|card| card.prize == prize);
        let title = |(prize, name): (PrizeId, &str)| {
            let blank = || Card::plain(prize, Gift::TEXT);
            let Card { gift, name_en, details, details_en, picture, .. } =
                card(prize).cloned().unwrap_or_else(blank);
            (prize, Title { prize, name: name.to_owned(), name_en, gift, details, details_en, picture })
        };
        let configuration = &content.configuration;
        let activity = configuration.name().to_owned();
        let activity_en = configuration.presentation().name_en.clone();
        Self { activity, activity_en, prizes: named.into_iter().map(title).collect() }
    }

    pub fn activity(&self) -> &str {
        &self.activity
    }

    /// For readers of English; empty where it is the same.
    pub fn activity_en(&self) -> &str {
        &self.activity_en
    }

    pub fn get(&self, prize: PrizeId) -> Option<&Title> {
        self.prizes.get(&prize)
    }
}

#[derive(Debug, Default)]
pub(crate) struct TitleRack(RwLock<HashMap<(ActivityId, u32), Arc<Titles>>>);

impl TitleRack {
    pub async fn find(&self, world: &World, activity: ActivityId, version: u32) -> Result<Arc<Titles>> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&(activity, version)).cloned();
        if let Some(titles) = known {
            return Ok(titles);
        }
        let row = world.db.version_find(activity, version).await?;
        let row = row.ok_or_else(|| {
            Fault::new(format!("activity {activity} was drawn from in no version {version}"))
        })?;
        let titles = Arc::new(Titles::of(&row.content));
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT_MAX {
            kept.clear();
        }
        kept.insert((activity, version), Arc::clone(&titles));
        Ok(titles)
    }
}
