//! Drawing, entering, and what is left.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use domain::Rejection;
use domain::hex::unhex;
use domain::ids::{ActivityId, TreeId};
use domain::lottery::random::ClientValue;
use domain::player_number::PlayerNumber;
use domain::rejection::FieldProblem;
use engine::draws::{chances, draw, enter};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::Path;
use super::wire::{DrawResponse, MyChancesBody, told};
use crate::app::App;
use crate::auth::Player;
use crate::body::Body;
use crate::problem::Problem;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawRequest {
    /// Your own id for this draw, 1 to 64 bytes: the same id gives the same answer, however often it is sent.
    #[schema(example = "c3b1f2")]
    pub id: String,
    /// 1 or 10.
    #[serde(default = "one")]
    #[schema(default = 1)]
    pub draws: u32,
    /// Your own share of the luck: 16 bytes in hexadecimal. Fixed by your first draw of the round; zero without one.
    #[schema(example = "000102030405060708090a0b0c0d0e0f")]
    pub client_value: Option<String>,
}

fn one() -> u32 {
    1
}

impl DrawRequest {
    fn ask(self, Player(user): Player) -> Result<draw::DrawAsk, Rejection> {
        let malformed = || Rejection::invalid("client_value", FieldProblem::Malformed);
        let value = |text: String| unhex(&text).map(ClientValue).ok_or_else(malformed);
        let client = self.client_value.map(value).transpose()?;
        Ok(draw::DrawAsk { user, id: self.id, draws: self.draws, client })
    }
}

/// Draw
///
/// One or ten at once. A miss is a result: 201 with no prize. The outcome is final and durable when it is told, and the
/// same id always tells the same.
#[utoipa::path(post, path = "/play/activities/{id}/draws", tag = "play",
    responses((status = 201, body = DrawResponse), (status = 200, body = DrawResponse, description = "Drawn before under the same id")))]
pub async fn draw_create(
    State(app): State<App>,
    player: Player,
    Path(id): Path<ActivityId>,
    body: Body<DrawRequest>,
) -> Result<Response, Problem> {
    Ok(told(draw::draw(&app.world, id, &body.value.ask(player)?).await?))
}

/// Where a rule tree sends you.
#[derive(Serialize, ToSchema)]
pub struct RouteBody {
    /// The activity that it picks for you now.
    #[schema(example = "7318349394477056")]
    pub activity: String,
}

/// The activity that a rule tree picks for you
///
/// As your facts are now; the draw by the tree decides anew.
#[utoipa::path(get, path = "/play/trees/{id}", tag = "play", responses((status = 200, body = RouteBody)))]
pub async fn route_by_tree(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<TreeId>,
) -> Result<Json<RouteBody>, Problem> {
    let (activity, _) = draw::route(&app.world, id, user).await?;
    Ok(Json(RouteBody { activity: activity.to_string() }))
}

/// Draw from whatever a rule tree picks for you
#[utoipa::path(post, path = "/play/trees/{id}/draws", tag = "play",
    responses((status = 201, body = DrawResponse), (status = 200, body = DrawResponse, description = "Drawn before under the same id")))]
pub async fn tree_draw_create(
    State(app): State<App>,
    player: Player,
    Path(id): Path<TreeId>,
    body: Body<DrawRequest>,
) -> Result<Response, Problem> {
    Ok(told(draw::draw_by_tree(&app.world, id, &body.value.ask(player)?).await?))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EntryRequest {
    /// Your own id for this, 1 to 64 bytes: the same id gives the same answer.
    pub id: String,
    /// 1 to 10.
    #[serde(default = "one")]
    #[schema(default = 1)]
    pub entries: u32,
}

/// Enter a raffle
#[utoipa::path(post, path = "/play/activities/{id}/entries", tag = "play",
    responses((status = 201, body = DrawResponse), (status = 200, body = DrawResponse, description = "Entered before under the same id")))]
pub async fn entry_create(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<ActivityId>,
    body: Body<EntryRequest>,
) -> Result<Response, Problem> {
    let EntryRequest { id: own, entries } = body.value;
    Ok(told(enter::enter(&app.world, id, user, &own, entries).await?))
}

/// How often you may still draw
#[utoipa::path(get, path = "/play/activities/{id}/me", tag = "play",
    responses((status = 200, body = MyChancesBody)))]
pub async fn my_chances(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<ActivityId>,
) -> Result<Json<MyChancesBody>, Problem> {
    let (chances, seat) = chances::chances(&app.world, id, user).await?;
    Ok(Json(MyChancesBody { chances: chances.into(), player: seat.map(PlayerNumber::number) }))
}
