//! What came of somebody's own playing: tickets of a round, and wins everywhere. As the database has it, once it has what
//! they did last.

use std::collections::HashMap;

use domain::Rejection;
use domain::fulfilment::{FulfilmentState, PrizeKind};
use domain::ids::{ActivityId, FulfilmentId, UserId};
use domain::page::{Page, PageRequest};
use domain::rejection::{FieldProblem, MissingThing};
use domain::time::Timestamp;
use store::model::{FulfilmentRow, Win};

use crate::activity_cache::Title;
use crate::caught_up;
use crate::draws::admission::live;
use crate::draws::answer::{TicketSummary, ticket};
use crate::failure::{Fault, Result};
use crate::fulfilment::Missing;
use crate::fulfilment::redeem_codes::code_of;
use crate::world::World;

/// A prize that somebody won.
#[derive(Clone, Debug)]
pub struct WinView {
    pub id: i64,
    pub activity: ActivityId,
    /// What the activity was called when it was won.
    pub activity_name: String,
    /// For readers of English; empty where it is the same.
    pub activity_name_en: String,
    pub round: u32,
    /// The number of the draw among the player's of the round.
    pub n: u32,
    pub prize: Title,
    pub points: u64,
    pub at: Timestamp,
}

/// A win, and how giving it stands. Without a row it was given by being won.
#[derive(Clone, Debug)]
pub struct MyWin {
    pub win: WinView,
    pub giving: Option<FulfilmentRow>,
    /// In the clear, for its winner alone.
    pub code: Option<String>,
    /// What it waits for that nobody has brought yet.
    pub waits_for: Option<&'static str>,
}

/// Tickets of a round, the current one unless told, the newest first.
pub async fn my_draws(
    world: &World,
    activity: ActivityId,
    user: UserId,
    round: Option<u32>,
    page: PageRequest,
) -> Result<Page<TicketSummary>> {
    let round = check_round(live(world, activity).await?.life.round, round)?;
    if !caught_up::own_ticket(world, activity, user).await? {
        caught_up::for_a_list(world).await?;
    }
    let since = world.visible_since(user).await?;
    let page = world.db.tickets_of(user, (activity, round), page).await?;
    let Page { items, next } = page.since(since, |stored| stored.view.made);
    let mut told = Vec::with_capacity(items.len());
    for stored in &items {
        told.push(ticket(world, &stored.view).await?);
    }
    Ok(Page { items: told, next })
}

/// Everything somebody won, the newest first.
pub async fn my_wins(world: &World, user: UserId, page: PageRequest) -> Result<Page<MyWin>> {
    caught_up::for_a_list(world).await?;
    let since = world.visible_since(user).await?;
    let Page { items, next } = world.db.wins_of(user, page).await?.since(since, |win| win.at);
    let ids = items.iter().map(|win| FulfilmentId(win.id)).collect();
    let rows = world.db.fulfilments_of(ids).await?;
    let missing = Missing::of(world, &rows).await?;
    let mut giving: HashMap<i64, FulfilmentRow> = rows.into_iter().map(|row| (row.id.0, row)).collect();
    let mut told = Vec::with_capacity(items.len());
    for win in &items {
        let giving = giving.remove(&win.id);
        let waits_for = giving.as_ref().and_then(|row| missing.waits_for(row));
        told.push(MyWin { win: win_view(world, win).await?, giving, code: None, waits_for });
    }
    Ok(Page { items: told, next })
}

/// The same with the codes that were given, which only their winner sees.
pub async fn my_wins_with_codes(world: &World, user: UserId, page: PageRequest) -> Result<Page<MyWin>> {
    let mut page = my_wins(world, user, page).await?;
    for win in &mut page.items {
        let given = |row: &FulfilmentRow| {
            row.standing.kind == PrizeKind::Code && row.standing.state == FulfilmentState::Given
        };
        if let Some(row) = win.giving.as_ref().filter(|row| given(row)) {
            win.code = code_of(world, row.id).await?;
        }
    }
    Ok(page)
}

pub(crate) async fn win_view(world: &World, win: &Win) -> Result<WinView> {
    let titles = world.caches.activities.titles(world, win.activity, win.version).await?;
    let unknown =
        || Fault::new(format!("activity {} gave prize {} in no version", win.activity, win.prize.number()));
    Ok(WinView {
        id: win.id,
        activity: win.activity,
        activity_name: titles.activity().to_owned(),
        activity_name_en: titles.activity_en().to_owned(),
        round: win.round,
        n: win.draw,
        prize: titles.get(win.prize).cloned().ok_or_else(unknown)?,
        points: win.points,
        at: win.at,
    })
}

/// A round that there has been.
pub(crate) fn check_round(current: u32, asked: Option<u32>) -> Result<u32, Rejection> {
    let round = asked.unwrap_or(current);
    if (1..=current).contains(&round) {
        return Ok(round);
    }
    let (min, max) = (1, i64::from(current));
    Err(Rejection::invalid("round", FieldProblem::OutOfRange { min, max }))
}

/// Nobody learns of a ticket that is not theirs.
pub(crate) fn no_ticket() -> Rejection {
    Rejection::NotFound { what: MissingThing::Ticket }
}
