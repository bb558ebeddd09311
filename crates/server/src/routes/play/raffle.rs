//! A raffle for everybody: how far it is, its roll, its winners. And for operators: the value of its beacon.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use domain::hex::hex;
use domain::ids::ActivityId;
use engine::draws::raffle as flow;
use engine::draws::raffle::{RaffleView, RaffleWinner};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use super::wire::PrizeBody;
use crate::app::App;
use crate::auth::Operator;
use crate::body::Body;
use crate::context::Context;
use crate::download::{BYTES, file};
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;
use crate::streams::Audience;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RaffleRoundQuery {
    /// The current one unless told.
    #[param(minimum = 1)]
    pub round: Option<u32>,
}

/// One round of a raffle, with everything that is needed to draw it again.
#[derive(Debug, Serialize, ToSchema)]
pub struct RaffleStateBody {
    #[schema(example = "7318349394477056")]
    pub activity: String,
    pub round: u32,
    /// `open` (one can enter, or the roll is about to be made), `roll_published`, `waiting_for_beacon` or `drawn`.
    pub state: &'static str,
    /// Not drawn before this, in milliseconds since 1970.
    pub draw_at_ms: i64,
    /// SHA-256 of the secret, published before anybody entered.
    pub commitment: String,
    /// What the public value is called that the drawing waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beacon: Option<String>,
    /// It, once it is known, byte by byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beacon_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<RollBody>,
    /// Once it is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn_at_ms: Option<i64>,
    /// Revealed by the drawing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    pub winner_count: u32,
    /// The first hundred; `/raffle/winners` has all.
    pub winners: Vec<RaffleWinnerBody>,
}

/// Who entered, fixed.
#[derive(Debug, Serialize, ToSchema)]
pub struct RollBody {
    /// SHA-256 of the roll's bytes, which are at `/raffle/roll`.
    pub hash: String,
    pub bytes: u64,
    pub entrants: u32,
    pub entries: u64,
    pub published_at_ms: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RaffleWinnerBody {
    /// The order of the drawing, from 0.
    pub n: u32,
    /// Their number on the roll.
    pub player: u32,
    /// The first character, and stars; of a name that nobody chose, `wf**` and its last four digits.
    #[schema(example = "小**")]
    pub name: String,
    pub prize: PrizeBody,
    /// Which unit of the prize, from 0.
    pub place: u32,
}

impl From<RaffleWinner> for RaffleWinnerBody {
    fn from(winner: RaffleWinner) -> Self {
        Self {
            n: winner.nth,
            player: winner.seat.number(),
            name: winner.name,
            prize: winner.prize.into(),
            place: winner.place,
        }
    }
}

impl From<RaffleView> for RaffleStateBody {
    fn from(shown: RaffleView) -> Self {
        let row = shown.row.as_ref();
        let drawn = row.and_then(|row| row.drawn);
        let roll = row.map(|row| RollBody {
            hash: hex(&row.roll_hash),
            bytes: row.roll_bytes,
            entrants: row.entrants,
            entries: row.entries,
            published_at_ms: row.published_at.0,
        });
        Self {
            activity: shown.activity.to_string(),
            round: shown.round,
            state: shown.state.name(),
            draw_at_ms: shown.draw_at.0,
            commitment: hex(&shown.commitment.0),
            beacon: shown.beacon,
            beacon_value: row.and_then(|row| row.value.clone()).map(|value| value.value),
            roll,
            drawn_at_ms: drawn.map(|drawn| drawn.at.0),
            secret: shown.secret.map(|secret| hex(&secret)),
            winner_count: drawn.map_or(0, |drawn| drawn.winners),
            winners: shown.winners.into_iter().map(RaffleWinnerBody::from).collect(),
        }
    }
}

/// How far a raffle is, and its winners
#[utoipa::path(get, path = "/play/activities/{id}/raffle", tag = "play",
    params(RaffleRoundQuery), responses((status = 200, body = RaffleStateBody)))]
pub async fn raffle(
    State(app): State<App>,
    Path(id): Path<ActivityId>,
    Query(RaffleRoundQuery { round }): Query<RaffleRoundQuery>,
) -> Result<Json<RaffleStateBody>, Problem> {
    Ok(Json(flow::raffle(&app.world, id, round).await?.into()))
}

/// Everybody who won, in the order of the drawing
#[utoipa::path(get, path = "/play/activities/{id}/raffle/winners", tag = "play",
    params(RaffleRoundQuery, PageQuery), responses((status = 200, body = PageBody<RaffleWinnerBody>)))]
pub async fn raffle_winners(
    State(app): State<App>,
    Path(id): Path<ActivityId>,
    Query(RaffleRoundQuery { round }): Query<RaffleRoundQuery>,
    Paged(page): Paged,
) -> Result<Json<PageBody<RaffleWinnerBody>>, Problem> {
    let page = flow::winners(&app.world, id, round, page).await?;
    Ok(Json(PageBody::of(page, RaffleWinnerBody::from)))
}

/// The roll: the bytes whose hash was published
///
/// As they are, so that `sha256sum` gives the hash. Their layout is in `docs/raffle.md`. As many at a time as live streams
/// for the public.
#[utoipa::path(get, path = "/play/activities/{id}/raffle/roll", tag = "play",
    params(RaffleRoundQuery), responses((status = 200, content_type = "application/octet-stream")))]
pub async fn raffle_roll(
    State(app): State<App>,
    context: Context,
    Path(id): Path<ActivityId>,
    Query(RaffleRoundQuery { round }): Query<RaffleRoundQuery>,
) -> Result<Response, Problem> {
    let place = app.streams.enter(Audience::Public(context.client))?;
    let row = flow::roll_get(&app.world, id, round).await?;
    let pieces = flow::roll_stream(Arc::clone(&app.world), &row);
    let mut response = file(place, &format!("roll-{id}-{}.bin", row.round.1), BYTES, pieces);
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(row.roll_bytes));
    Ok(response)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BeaconRequest {
    /// The value as it was made public, 1 to 1,000 bytes; every byte counts.
    #[schema(example = "6 2 5")]
    pub value: String,
    /// The current one unless told.
    pub round: Option<u32>,
}

/// Tell the value of the beacon
///
/// Not before the roll is public, and once: the same value again changes nothing, another one is refused.
#[utoipa::path(post, path = "/activities/{id}/raffle/beacon", tag = "activities",
    responses((status = 200, body = RaffleStateBody)))]
pub async fn raffle_beacon(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
    body: Body<BeaconRequest>,
) -> Result<Json<RaffleStateBody>, Problem> {
    let signed = operator.sign(&app, "");
    let BeaconRequest { value, round } = body.value;
    Ok(Json(flow::beacon_set(&app.world, signed, id, round, value).await?.into()))
}
