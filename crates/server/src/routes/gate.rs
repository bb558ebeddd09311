//! The gate of a sale: pictures, tokens, the waiting room.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::ids::ActivityId;
use domain::time::Timestamp;
use engine::sales::gate::{
    CaptchaForm, IssuedToken, Picture, RoomState, RoomView, SolvedCaptcha, picture, room_follow, room_look,
    token_give,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Path;
use crate::app::App;
use crate::auth::AtGate;
use crate::body::Body;
use crate::context::Context;
use crate::problem::Problem;
use crate::streams::{ACTIVITY_TICK, Audience};

/// A picture to be read.
#[derive(Debug, Serialize, ToSchema)]
pub struct CaptchaBody {
    /// Send it back with the answer.
    pub challenge: String,
    /// The picture, as SVG: show it as an image (`data:image/svg+xml`), never as markup. Empty where words were asked for.
    pub svg: String,
    /// The question in words, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "What is seven plus two plus twelve? Answer in digits.")]
    pub question: Option<String>,
    pub expires_ms: i64,
    /// What it shows; in demo mode only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

impl From<Picture> for CaptchaBody {
    fn from(picture: Picture) -> Self {
        let Picture { challenge, svg, question, expires: Timestamp(expires_ms), answer } = picture;
        Self { challenge, svg, question, expires_ms, answer }
    }
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CaptchaRequest {
    /// A question in words in place of a picture, in the language of `Accept-Language`: for those who cannot see it.
    #[serde(default)]
    pub words: bool,
}

/// A picture to read before a token is given
///
/// Where the sale asks for one. It is yours alone, good for two minutes and for one answer; a wrong answer asks for another
/// picture. From two minutes before the start on.
#[utoipa::path(post, path = "/sales/{id}/captcha", tag = "sales",
    responses((status = 201, body = CaptchaBody)))]
pub async fn sale_captcha_create(
    State(app): State<App>,
    AtGate(buyer): AtGate,
    context: Context,
    Path(id): Path<ActivityId>,
    ask: Body<CaptchaRequest>,
) -> Result<(StatusCode, Json<CaptchaBody>), Problem> {
    let form = if ask.value.words { CaptchaForm::Words(context.lang) } else { CaptchaForm::Picture };
    Ok((StatusCode::CREATED, Json(picture(&app.world, buyer, id, form).await?.into())))
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// Where the sale asks for a picture: the picture, and what it shows.
    pub captcha: Option<CaptchaAnswer>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CaptchaAnswer {
    pub challenge: String,
    /// Capital and small letters are the same.
    #[schema(example = "a7Kp")]
    pub answer: String,
}

/// The right to one attempt, for two minutes.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenBody {
    pub token: String,
    pub expires_ms: i64,
}

/// A purchase token
///
/// Given after the start, to whoever may take part, has read the picture where there is one, and has had their turn where
/// there is a waiting room. It is good for one attempt of yours at this sale, for two minutes.
#[utoipa::path(post, path = "/sales/{id}/token", tag = "sales", responses((status = 201, body = TokenBody)))]
pub async fn sale_token_create(
    State(app): State<App>,
    AtGate(buyer): AtGate,
    Path(id): Path<ActivityId>,
    ask: Body<TokenRequest>,
) -> Result<(StatusCode, Json<TokenBody>), Problem> {
    let captcha = ask.value.captcha.as_ref();
    let answered = captcha.map(|given| SolvedCaptcha { challenge: &given.challenge, answer: &given.answer });
    let IssuedToken { token, expires } = token_give(&app.world, buyer, id, answered).await?;
    Ok((StatusCode::CREATED, Json(TokenBody { token, expires_ms: expires.0 })))
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RoomRequest {
    /// The place you kept, if you have one: after a restart you stand where you stood.
    pub place: Option<String>,
}

/// Where you stand.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoomBody {
    /// `waiting`, `admitted` (ask for a token), `sold_out` (nothing is left and nothing can come back), `left` (your turn is
    /// over, or you have no place).
    #[schema(example = "waiting")]
    pub state: &'static str,
    /// Keep it, and send it with `POST` should you be asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Your number; lower comes first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
    /// People before you.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ahead: Option<u64>,
    /// How long you will wait, as things are; absent when nobody can say: before the start, or while all that is left is
    /// held by others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<i64>,
    /// When your turn is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<i64>,
    /// Units that are free.
    pub units_left: u64,
    /// When to ask again; whoever follows the stream need not.
    pub ask_again_ms: i64,
    pub server_time_ms: i64,
}

impl RoomBody {
    fn of(told: RoomView, now: Timestamp) -> Self {
        let RoomView { state, units_left, ask_again_ms } = told;
        let mut body = Self {
            state: "left",
            place: None,
            number: None,
            ahead: None,
            wait_ms: None,
            until_ms: None,
            units_left,
            ask_again_ms,
            server_time_ms: now.0,
        };
        match state {
            RoomState::Waiting { place, number, ahead, wait_ms } => {
                (body.state, body.place, body.number) = ("waiting", Some(place), Some(number));
                (body.ahead, body.wait_ms) = (Some(ahead), wait_ms);
            }
            RoomState::Admitted { place, number, until } => {
                (body.state, body.place, body.number) = ("admitted", Some(place), Some(number));
                body.until_ms = Some(until.0);
            }
            RoomState::SoldOut => body.state = "sold_out",
            RoomState::Left => {}
        }
        body
    }
}

/// Take a place in the waiting room
///
/// From ten minutes before the start on. You have one place, and asking again tells where you stand. Keep `place`: should the
/// server have forgotten you, it puts you back where you stood. Whoever is not heard of for a minute is passed over, and is
/// the first again when they come back.
#[utoipa::path(post, path = "/sales/{id}/room", tag = "sales", responses((status = 200, body = RoomBody)))]
pub async fn room_join(
    State(app): State<App>,
    AtGate(buyer): AtGate,
    Path(id): Path<ActivityId>,
    ask: Body<RoomRequest>,
) -> Result<Json<RoomBody>, Problem> {
    let told = engine::sales::gate::room_join(&app.world, buyer, id, ask.value.place.as_deref()).await?;
    Ok(Json(RoomBody::of(told, app.world.now())))
}

/// Where you stand in the waiting room
#[utoipa::path(get, path = "/sales/{id}/room", tag = "sales", responses((status = 200, body = RoomBody)))]
pub async fn room_get(
    State(app): State<App>,
    AtGate(buyer): AtGate,
    Path(id): Path<ActivityId>,
) -> Result<Json<RoomBody>, Problem> {
    let told = room_look(&app.world, buyer, id).await?;
    Ok(Json(RoomBody::of(told, app.world.now())))
}

/// Where you stand in the waiting room, live
///
/// Server-sent events named `room`: the first at once, then once a second at most. The stream ends after ten minutes and when
/// the server stops; connect again.
#[utoipa::path(get, path = "/sales/{id}/room/live", tag = "sales",
    responses((status = 200, body = RoomBody, content_type = "text/event-stream")))]
pub async fn room_live(
    State(app): State<App>,
    AtGate(buyer): AtGate,
    context: Context,
    Path(id): Path<ActivityId>,
) -> Result<Response, Problem> {
    // Whoever has no place is told so, and not shown an empty stream.
    room_look(&app.world, buyer, id).await?;
    let followed = room_follow(&app.world, id).await?;
    let (place, world) = (app.streams.enter(Audience::Public(context.client))?, Arc::clone(&app.world));
    let watching = app.streams.rooms.follow(place, id, followed.line(), ACTIVITY_TICK, move || {
        let world = Arc::clone(&world);
        Box::pin(async move { room_follow(&world, id).await.ok().map(|followed| followed.line()) })
    });
    let world = Arc::clone(&app.world);
    Ok(watching.respond("room", move |_| RoomBody::of(followed.told(&world, buyer), world.now())))
}
