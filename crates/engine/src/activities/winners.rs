//! Who won, as a list: with masked names for publication, and with whole ones for those who give the prizes.
//!
//! In the order of winning, page by page: never more than a page in memory, however many there are. The list for
//! publication is for staff until an operator publishes it, and leaves out what was voided.

use std::collections::HashMap;
use std::sync::Arc;

use domain::Rejection;
use domain::account::{Reason, mask_name};
use domain::fulfilment::{FulfilmentState, PrizeKind};
use domain::ids::{ActivityId, FulfilmentId, UserId};
use domain::page::{Page, PageRequest};
use domain::rejection::MissingThing;
use domain::time::Timestamp;
use store::model::{AuditStamp, NAMES_MAX, Win};

use crate::activities::queries::activity_get;
use crate::draws::mine::win_view;
use crate::failure::Result;
use crate::world::World;

/// How often a page goes on looking where much was voided.
const STRETCHES_MAX: u32 = 20;

/// One win, for everybody to see.
#[derive(Clone, Debug)]
pub struct WinLine {
    /// Masked.
    pub name: String,
    pub win: Win,
    pub prize_name: String,
}

/// One win with whose it is, for those who give the prizes.
#[derive(Clone, Debug)]
pub struct WinnerLine {
    /// Nothing once the account is deleted.
    pub name: Option<String>,
    /// The company's own id of them.
    pub external_id: Option<String>,
    pub win: Win,
    pub prize_name: String,
    pub kind: PrizeKind,
    pub state: FulfilmentState,
}

/// All wins in the order they were won.
#[derive(Debug)]
pub struct WinLog {
    world: Arc<World>,
    activity: ActivityId,
    after: Option<i64>,
}

impl WinLog {
    pub async fn open(world: &Arc<World>, id: ActivityId) -> Result<Self> {
        activity_get(world, id).await?;
        Ok(Self { world: Arc::clone(world), activity: id, after: Some(i64::MIN) })
    }

    /// The next ones for publication; nothing at the end. A page may be empty.
    pub async fn page(&mut self) -> Result<Option<Vec<WinLine>>> {
        let Some(wins) = self.wins().await? else { return Ok(None) };
        Ok(Some(public(&self.world, wins).await?))
    }

    /// The next ones with whose they are; nothing at the end.
    pub async fn page_of_winners(&mut self) -> Result<Option<Vec<WinnerLine>>> {
        let Some(wins) = self.wins().await? else { return Ok(None) };
        Ok(Some(whole(&self.world, wins).await?))
    }

    async fn wins(&mut self) -> Result<Option<Vec<Win>>> {
        let Some(after) = self.after else { return Ok(None) };
        let limit = u32::try_from(NAMES_MAX).unwrap_or(u32::MAX);
        let wins = self.world.db.wins_after(self.activity, after, limit).await?;
        self.after = wins.last().filter(|_| wins.len() == NAMES_MAX).map(|last| last.id);
        Ok(Some(wins))
    }
}

/// A page of the list for publication, in the order of winning. What was voided is not on it, and others move up: a page is
/// short only at the end, or where hardly anything is left of a very long stretch.
pub async fn winners_page(world: &World, id: ActivityId, page: PageRequest) -> Result<Page<WinLine>> {
    activity_get(world, id).await?;
    let wanted = page.limit as usize;
    let (mut lines, mut after) = (Vec::with_capacity(wanted), page.after.unwrap_or(i64::MIN));
    for _ in 0..STRETCHES_MAX {
        let wins = world.db.wins_after(id, after, page.limit.saturating_add(1)).await?;
        let more = wins.len() > wanted;
        let last = wins.last().map(|win| win.id);
        lines.extend(public(world, wins).await?);
        if lines.len() > wanted {
            lines.truncate(wanted);
            return Ok(Page { next: lines.last().map(|line| line.win.id), items: lines });
        }
        match last.filter(|_| more) {
            Some(last) => after = last,
            None => return Ok(Page { items: lines, next: None }),
        }
    }
    Ok(Page { items: lines, next: Some(after) })
}

/// From now on the list is for everybody. Answers since when it is.
pub async fn winners_publish(world: &World, signed: AuditStamp, id: ActivityId) -> Result<Timestamp> {
    if !signed.reason.is_empty() {
        Reason::parse(&signed.reason)?;
    }
    if activity_get(world, id).await?.live.is_none() {
        return Err(Rejection::NotFound { what: MissingThing::Activity }.into());
    }
    world.db.winners_publish(id, signed).await
}

/// Whether everybody may read the list.
pub async fn winners_are_public(world: &World, id: ActivityId) -> Result<bool> {
    Ok(world.db.winners_published_at(id).await?.is_some())
}

async fn public(world: &World, wins: Vec<Win>) -> Result<Vec<WinLine>> {
    let mut lines = Vec::with_capacity(wins.len());
    for line in whole(world, wins).await?.into_iter().filter(|line| !line.state.is_back()) {
        let WinnerLine { name, win, prize_name, .. } = line;
        lines.push(WinLine { name: mask_name(name.as_deref().unwrap_or_default()), win, prize_name });
    }
    Ok(lines)
}

async fn whole(world: &World, wins: Vec<Win>) -> Result<Vec<WinnerLine>> {
    let users: Vec<UserId> = wins.iter().map(|win| win.user).collect();
    let names = world.db.names_of(wins.iter().map(|win| (win.user, win.at)).collect()).await?;
    let external: HashMap<UserId, String> = world.db.external_ids(users).await?.into_iter().collect();
    let ids = wins.iter().map(|win| FulfilmentId(win.id)).collect();
    let given: HashMap<i64, (PrizeKind, FulfilmentState)> = world
        .db
        .fulfilments_of(ids)
        .await?
        .into_iter()
        .map(|row| (row.id.0, (row.standing.kind, row.standing.state)))
        .collect();
    let mut lines = Vec::with_capacity(wins.len());
    for (win, name) in wins.into_iter().zip(names) {
        let prize_name = win_view(world, &win).await?.prize.name;
        // A text that is granted at once has no row: it is given by being won.
        let (kind, state) = given.get(&win.id).copied().unwrap_or((PrizeKind::Text, FulfilmentState::Given));
        let external_id = external.get(&win.user).filter(|_| name.is_some()).cloned();
        lines.push(WinnerLine { name, external_id, win, prize_name, kind, state });
    }
    Ok(lines)
}
