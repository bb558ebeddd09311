//! What everybody sees of a raffle: how far it is, and everything that is needed to draw it again.

use std::sync::Arc;

use domain::Rejection;
use domain::account::mask_name;
use domain::activity::KindSettings;
use domain::ids::ActivityId;
use domain::lottery::random::Commitment;
use domain::page::{Page, PageRequest};
use domain::player_number::PlayerNumber;
use domain::rejection::MissingThing;
use domain::time::Timestamp;
use futures::Stream;
use futures::stream::try_unfold;
use store::model::{RaffleRow, WinnerRow};

use crate::activity_cache::{Offer, PublishedActivity, Title};
use crate::draws::raffle::drawing::secret;
use crate::failure::{Failure, Result};
use crate::world::World;

/// Winners that are told together with the raffle; the others are on pages.
pub const WINNERS_SHOWN: u32 = 100;

domain::names! {
    pub enum RaffleState {
        /// One can enter, or the roll is about to be made.
        Open = "open",
        /// Everything is fixed, and the time of the drawing is yet to come.
        RollPublished = "roll_published",
        WaitingForBeacon = "waiting_for_beacon",
        Drawn = "drawn",
    }
}

#[derive(Clone, Debug)]
pub struct RaffleView {
    pub activity: ActivityId,
    pub round: u32,
    pub state: RaffleState,
    pub draw_at: Timestamp,
    pub beacon: Option<String>,
    pub commitment: Commitment,
    /// Once the roll is public.
    pub row: Option<RaffleRow>,
    /// Once it is drawn.
    pub secret: Option<[u8; 32]>,
    pub winners: Vec<RaffleWinner>,
}

#[derive(Clone, Debug)]
pub struct RaffleWinner {
    pub nth: u32,
    /// The number on the roll.
    pub seat: PlayerNumber,
    /// Masked, as everywhere that everybody looks.
    pub name: String,
    pub prize: Title,
    /// Which unit of the prize, from 0.
    pub place: u32,
}

/// How a round stands; the current one unless told.
pub async fn raffle(world: &World, activity: ActivityId, round: Option<u32>) -> Result<RaffleView> {
    let (live, round) = raffle_round_get(world, activity, round).await?;
    let unknown = Rejection::NotFound { what: MissingThing::Round };
    let Some(row) = world.db.raffle_find((activity, round)).await? else {
        let KindSettings::Raffle { draw_at, beacon } = live.content.configuration.kind().clone() else {
            return Err(Rejection::DrawsOnly.into());
        };
        let secrets = world.db.secret_list(activity).await?;
        let commitment = secrets.iter().find(|secret| secret.round == round).ok_or(unknown)?.commitment;
        let (state, secret, winners) = (RaffleState::Open, None, Vec::new());
        return Ok(RaffleView {
            activity,
            round,
            state,
            draw_at,
            beacon,
            commitment,
            row: None,
            secret,
            winners,
        });
    };
    let state = match (row.drawn, &row.beacon, &row.value) {
        (Some(_), _, _) => RaffleState::Drawn,
        (None, Some(_), None) => RaffleState::WaitingForBeacon,
        (None, None, _) | (None, Some(_), Some(_)) => RaffleState::RollPublished,
    };
    let (secret, winners) = match row.drawn {
        None => (None, Vec::new()),
        Some(_) => {
            let first = world.db.raffle_winners(row.round, 0, WINNERS_SHOWN).await?;
            (Some(*secret(world, &row)?.reveal()), view_winners(world, &row, first).await?)
        }
    };
    Ok(RaffleView {
        activity,
        round,
        state,
        draw_at: row.draw_at,
        beacon: row.beacon.clone(),
        commitment: row.commitment,
        row: Some(row),
        secret,
        winners,
    })
}

/// In the order of the drawing; nobody before it.
pub async fn winners(
    world: &World,
    activity: ActivityId,
    round: Option<u32>,
    page: PageRequest,
) -> Result<Page<RaffleWinner>> {
    let row = roll_get(world, activity, round).await?;
    let from = page.after.map_or(0, |after| u32::try_from(after.saturating_add(1)).unwrap_or(u32::MAX));
    let rows = world.db.raffle_winners(row.round, from, page.limit + 1).await?;
    let told = view_winners(world, &row, rows).await?;
    Ok(Page::cut(told, page, |winner| i64::from(winner.nth)))
}

/// A round whose roll is public.
pub async fn roll_get(world: &World, activity: ActivityId, round: Option<u32>) -> Result<RaffleRow> {
    let (_, round) = raffle_round_get(world, activity, round).await?;
    Ok(world.db.raffle_find((activity, round)).await?.ok_or(Rejection::RollUnpublished)?)
}

/// The bytes whose hash was published, a piece at a time.
pub fn roll_stream(world: Arc<World>, row: &RaffleRow) -> impl Stream<Item = Result<Vec<u8>>> + Send + use<> {
    let round = row.round;
    try_unfold((world, 0_u32), move |(world, number)| async move {
        let piece = world.db.roll_piece(round, number).await?;
        Ok::<_, Failure>(piece.map(|piece| (piece, (world, number + 1))))
    })
}

/// A raffle that was published, and one of its rounds.
pub(crate) async fn raffle_round_get(
    world: &World,
    activity: ActivityId,
    round: Option<u32>,
) -> Result<(Arc<PublishedActivity>, u32)> {
    let live = world.caches.activities.find(world, activity).await?;
    let live = live.ok_or(Rejection::NotFound { what: MissingThing::Activity })?;
    let Offer::Enter = live.offer else { return Err(live.offer.instead().into()) };
    let round = round.unwrap_or(live.life.round);
    if (1..=live.life.round).contains(&round) {
        Ok((live, round))
    } else {
        Err(Rejection::NotFound { what: MissingThing::Round }.into())
    }
}

async fn view_winners(world: &World, row: &RaffleRow, rows: Vec<WinnerRow>) -> Result<Vec<RaffleWinner>> {
    let titles = world.caches.activities.titles(world, row.round.0, row.version).await?;
    let told = |winner: WinnerRow| {
        let WinnerRow { nth, winner, user: _, prize, name } = winner;
        let prize = titles.get(prize)?.clone();
        let name = mask_name(name.as_deref().unwrap_or_default());
        Some(RaffleWinner { nth, seat: winner.seat, name, prize, place: winner.place })
    };
    Ok(rows.into_iter().filter_map(told).collect())
}
