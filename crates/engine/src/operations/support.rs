//! Everything support needs to answer one player's question, on one page: who they are, what they have left, what they
//! drew, won and ordered, their points, what is known of them, where they are signed in. No secret is among it.

use domain::ids::{ActivityId, UserId};
use domain::page::PageRequest;
use store::model::{FactRow, OrderSearch, PlayedRound, PointsRow, SessionRow};

use crate::draws::answer::ticket;
use crate::draws::mine::my_wins;
use crate::draws::{ChancesLeft, MyWin, TicketSummary};
use crate::failure::Result;
use crate::people::profile::{OpenAccount, my_account};
use crate::points::account::{PointsView, points, statement};
use crate::sales::orders::{OrderView, order_list};
use crate::world::World;

/// Rounds of activities, the newest.
pub const ROUNDS_SHOWN: u32 = 20;
/// Tickets and wins, the newest of each.
pub const TICKETS_SHOWN: u32 = 20;
/// Orders in sales, the newest.
pub const ORDERS_SHOWN: u32 = 20;
/// Rows of the statement of points, the newest.
pub const ROWS_SHOWN: u32 = 20;

#[derive(Clone, Debug)]
pub struct Support {
    pub account: OpenAccount,
    pub played: Vec<PlayerRound>,
    pub tickets: Vec<TicketSummary>,
    pub wins: Vec<MyWin>,
    /// In sales; codes are not among what is told.
    pub orders: Vec<OrderView>,
    pub points: PointsView,
    pub statement: Vec<PointsRow>,
    pub facts: Vec<FactRow>,
    pub sessions: Vec<SessionRow>,
}

/// Somebody's part in one round.
#[derive(Clone, Debug)]
pub struct PlayerRound {
    pub activity: ActivityId,
    pub name: String,
    pub round: u32,
    pub draws: u32,
    pub won: u32,
    /// In the current round; a past one leaves nothing.
    pub left: Option<ChancesLeft>,
}

pub async fn support(world: &World, user: UserId) -> Result<Support> {
    let account = my_account(world, user).await?;
    let rounds = world.db.played_by(user, ROUNDS_SHOWN).await?;
    let mut played = Vec::with_capacity(rounds.len());
    let mut tickets = Vec::new();
    for round in &rounds {
        played.push(part(world, round).await?);
        let page = PageRequest::first(TICKETS_SHOWN);
        let found = world.db.tickets_of(user, (round.activity, round.round), page).await?;
        tickets.extend(found.items);
    }
    tickets.sort_by_key(|ticket| std::cmp::Reverse(ticket.made_seq));
    tickets.truncate(TICKETS_SHOWN as usize);
    let mut told = Vec::with_capacity(tickets.len());
    for stored in &tickets {
        told.push(ticket(world, &stored.view).await?);
    }
    let ordered = OrderSearch { user: Some(user), ..OrderSearch::default() };
    Ok(Support {
        account,
        played,
        tickets: told,
        wins: my_wins(world, user, PageRequest::first(TICKETS_SHOWN)).await?.items,
        orders: order_list(world, ordered, PageRequest::first(ORDERS_SHOWN)).await?.items,
        points: points(world, user).await?,
        statement: statement(world, user, PageRequest::first(ROWS_SHOWN)).await?.items,
        facts: world.db.facts_of(user).await?,
        sessions: world.db.session_list(user, world.settings.session, world.now()).await?,
    })
}

async fn part(world: &World, round: &PlayedRound) -> Result<PlayerRound> {
    let PlayedRound { activity, round, account, raffled } = *round;
    let live = world.caches.activities.find(world, activity).await?;
    let name = live.as_ref().map(|live| live.content.configuration.name().to_owned()).unwrap_or_default();
    let current = live.filter(|live| live.life.round == round);
    let left = current.map(|live| {
        let limits = live.content.configuration.chances().limits();
        ChancesLeft::of(&account, &limits, live.day(world.now()).number)
    });
    Ok(PlayerRound { activity, name, round, draws: account.draws, won: account.won + raffled, left })
}
