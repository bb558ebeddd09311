//! Who wins, for everybody to see and with nobody's name: the newest, and those who won the most.

use std::collections::HashSet;
use std::sync::Arc;

use domain::Rejection;
use domain::account::mask_name;
use domain::ids::{ActivityId, FulfilmentId, UserId};
use domain::time::{SECOND_MS, Timestamp};
use store::model::{FulfilmentRow, Win};

use crate::activity_cache::Offer;
use crate::activity_cache::{LeaderView, WinnerView};
use crate::draws::admission::live;
use crate::draws::mine::win_view;
use crate::failure::Result;
use crate::world::World;

/// Winners that are shown, the newest.
pub const WINNERS_SHOWN: u32 = 20;
/// Wins that are looked at for that: some may have been voided.
const WINNERS_READ: u32 = 2 * WINNERS_SHOWN;
/// Leaders that are shown.
pub const LEADERS_SHOWN: u32 = 10;
/// How old the newest winners may be, and the leaders.
const WINNERS_KEPT_MS: i64 = SECOND_MS;
const LEADERS_KEPT_MS: i64 = 5 * SECOND_MS;

/// The newest winners, the newest first. Whoever has nothing of it (voided, or not claimed in time) is none.
pub async fn winners(world: &World, activity: ActivityId) -> Result<Arc<Vec<WinnerView>>> {
    live(world, activity).await?;
    let read = async {
        let wins = world.db.wins_newest(activity, i64::MIN, WINNERS_READ).await?;
        let ids = wins.iter().map(|win| FulfilmentId(win.id)).collect();
        let back = |row: &FulfilmentRow| row.standing.state.is_back().then_some(row.id.0);
        let back: HashSet<i64> = world.db.fulfilments_of(ids).await?.iter().filter_map(back).collect();
        let shown = wins.into_iter().filter(|win| !back.contains(&win.id)).take(WINNERS_SHOWN as usize);
        let wins: Vec<Win> = shown.collect();
        let names = mask_names(world, wins.iter().map(|win| (win.user, win.at)).collect()).await?;
        let mut told = Vec::with_capacity(wins.len());
        for (win, name) in wins.iter().zip(names) {
            let win = win_view(world, win).await?;
            told.push(WinnerView { name, prize: win.prize, points: win.points, at: win.at });
        }
        Ok(told)
    };
    world.caches.activities.winners.find(activity, world.now(), WINNERS_KEPT_MS, read).await
}

/// Those who won the most in the current round, the first first. Not of a raffle: nobody wins it twice.
pub async fn leaders(world: &World, activity: ActivityId) -> Result<Arc<Vec<LeaderView>>> {
    let live = live(world, activity).await?;
    let Offer::Draw { .. } = &live.offer else { return Err(Rejection::LeadersUnoffered.into()) };
    let round = live.life.round;
    let read = async {
        let leaders = world.db.leaders((activity, round), LEADERS_SHOWN).await?;
        // Whoever came back since it began may have what another owner of the account won.
        let began = live.content.configuration.window().from;
        let names = mask_names(world, leaders.iter().map(|(user, _)| (*user, began)).collect()).await?;
        Ok(leaders.iter().zip(names).map(|((_, won), name)| LeaderView { name, won: *won }).collect())
    };
    world.caches.activities.leaders.find(activity, world.now(), LEADERS_KEPT_MS, read).await
}

/// Whoever is gone, or was when they won, has no name left to show.
async fn mask_names(world: &World, users: Vec<(UserId, Timestamp)>) -> Result<Vec<String>> {
    let names = world.db.names_of(users).await?;
    Ok(names.into_iter().map(|name| mask_name(name.as_deref().unwrap_or_default())).collect())
}
