//! What came of one's own playing: tickets, wins, and the proof of a ticket.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::hex::{hex, unhex};
use domain::ids::ActivityId;
use domain::ledger::Key;
use domain::rejection::MissingThing;
use engine::draws::{MyWin, Proof, mine, proof};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::fulfilment::mine::GivingBody;
use super::super::{Path, Query};
use super::wire::{PrizeBody, ReceiptBody, TicketBody};
use crate::app::App;
use crate::auth::Player;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RoundQuery {
    /// The current one unless told.
    pub round: Option<u32>,
}

/// My draws and entries in an activity, newest first
#[utoipa::path(get, path = "/play/activities/{id}/me/draws", tag = "play",
    params(RoundQuery, PageQuery), responses((status = 200, body = PageBody<TicketBody>)))]
pub async fn my_draws(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<ActivityId>,
    Paged(page): Paged,
    Query(RoundQuery { round }): Query<RoundQuery>,
) -> Result<Json<PageBody<TicketBody>>, Problem> {
    Ok(Json(PageBody::of(mine::my_draws(&app.world, id, user, round, page).await?, TicketBody::from)))
}

/// A prize that you won.
#[derive(Debug, Serialize, ToSchema)]
pub struct WinBody {
    #[schema(example = "117093590311632896")]
    pub id: String,
    #[schema(example = "7318349394477056")]
    pub activity: String,
    pub activity_name: String,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub activity_name_en: String,
    pub round: u32,
    /// The number of the draw among yours in the round.
    pub n: u32,
    pub prize: PrizeBody,
    pub at_ms: i64,
    /// How giving it to you stands.
    pub giving: GivingBody,
    /// The redeem code, once it is given. It is yours alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl From<MyWin> for WinBody {
    fn from(MyWin { win, giving, code, waits_for }: MyWin) -> Self {
        let giving = giving.as_ref().map_or_else(GivingBody::given, GivingBody::from).waiting_for(waits_for);
        Self {
            id: win.id.to_string(),
            activity: win.activity.to_string(),
            activity_name: win.activity_name,
            activity_name_en: win.activity_name_en,
            round: win.round,
            n: win.n,
            prize: PrizeBody::won(win.prize, win.points),
            at_ms: win.at.0,
            giving,
            code,
        }
    }
}

/// Everything I won, newest first
#[utoipa::path(get, path = "/me/wins", tag = "me",
    params(PageQuery), responses((status = 200, body = PageBody<WinBody>)))]
pub async fn my_wins(
    State(app): State<App>,
    Player(user): Player,
    Paged(page): Paged,
) -> Result<Json<PageBody<WinBody>>, Problem> {
    Ok(Json(PageBody::of(mine::my_wins_with_codes(&app.world, user, page).await?, WinBody::from)))
}

/// Everything that is needed to check a ticket; all bytes in hexadecimal.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProofBody {
    pub ticket: TicketBody,
    /// Your number in the round, by which the record names you.
    pub player: u32,
    /// The record of its draws, as it is in the chain.
    pub record: String,
    pub receipt: ReceiptBody,
    /// The place before it; place 0 follows from what was published.
    pub before: ReceiptBody,
    pub published: PublishedBody,
    /// The strategy in its published form.
    pub strategy: String,
    /// 32 bytes; absent until every draw under it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// What was published before the first draw.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublishedBody {
    #[schema(example = "7318349394477056")]
    pub activity: String,
    pub round: u32,
    pub version: u32,
    /// SHA-256 of the secret.
    pub commitment: String,
    /// SHA-256 of the strategy.
    pub strategy_hash: String,
}

impl From<Proof> for ProofBody {
    fn from(proof: Proof) -> Self {
        let published = proof.published;
        Self {
            ticket: proof.ticket.into(),
            player: proof.seat.number(),
            record: hex(&proof.record),
            receipt: proof.receipt.into(),
            before: proof.before.into(),
            published: PublishedBody {
                activity: published.activity.to_string(),
                round: published.round,
                version: published.version,
                commitment: hex(&published.commitment.0),
                strategy_hash: hex(&published.strategy.0),
            },
            strategy: hex(&proof.strategy),
            secret: proof.secret.map(|secret| hex(&secret)),
        }
    }
}

/// The proof of one of my tickets
///
/// With it a page can check by itself that the ticket is where it was in the chain and, once the secret is revealed, that
/// it could not have come out otherwise. Entries to a raffle are proved by its roll.
#[utoipa::path(get, path = "/play/activities/{id}/me/proof/{ticket}", tag = "play",
    params(("id" = String, Path), ("ticket" = String, Path)), responses((status = 200, body = ProofBody)))]
pub async fn my_proof(
    State(app): State<App>,
    Player(user): Player,
    Path((id, ticket)): Path<(ActivityId, String)>,
) -> Result<Json<ProofBody>, Problem> {
    let key = unhex::<16>(&ticket).map(|bytes| Key(u128::from_be_bytes(bytes)));
    let key = key.ok_or(Rejection::NotFound { what: MissingThing::Ticket })?;
    Ok(Json(proof::proof(&app.world, id, user, key).await?.into()))
}
