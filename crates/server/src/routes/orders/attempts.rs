//! Trying to buy, and waiting for what comes of it.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use domain::ids::{ActivityId, OrderId};
use domain::rejection::FieldProblem;
use domain::sale::{AttemptState, WAIT_MS_MAX};
use engine::sales::attempts;
use futures::stream::unfold;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use super::wire::AttemptBody;
use crate::app::App;
use crate::auth::{AtGate, Player};
use crate::body::Body;
use crate::context::Context;
use crate::problem::Problem;
use crate::streams::{Audience, KEEP_ALIVE, Place};

/// Left of a request's time for its answer, after waiting for an attempt.
const SPARE: Duration = Duration::from_secs(1);

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AttemptRequest {
    /// Units: up to what one person may have.
    #[serde(default = "one")]
    #[schema(default = 1)]
    pub quantity: i64,
    /// From `POST /sales/{id}/token`: good for one attempt.
    #[serde(default)]
    pub token: Option<String>,
    /// What one unit cost when it was shown. At another price by now it is refused (`price_changed`).
    #[serde(default)]
    pub price_minor: Option<u64>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CartAttemptRequest {
    /// 1 to 20 lines, each of another sale.
    pub lines: Vec<CartLine>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CartLine {
    pub sale: String,
    #[serde(default = "one")]
    #[schema(default = 1)]
    pub quantity: i64,
    #[serde(default)]
    pub token: Option<String>,
    /// What one unit cost when it was shown.
    #[serde(default)]
    pub price_minor: Option<u64>,
}

fn one() -> i64 {
    1
}

/// Try to buy
///
/// Refused at once with its reason (no attempt is made, and its token is not used), or taken in: 202 with the attempt's id.
/// What came of it is asked for under that id. With an `Idempotency-Key` the same request again is the same attempt.
#[utoipa::path(post, path = "/sales/{id}/attempts", tag = "sales",
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 202, body = AttemptBody), (status = 200, body = AttemptBody, description = "It was made before")))]
pub async fn sale_attempt(
    State(app): State<App>,
    context: Context,
    AtGate(buyer): AtGate,
    Path(sale): Path<ActivityId>,
    body: Body<AttemptRequest>,
) -> Result<Response, Problem> {
    let AttemptRequest { quantity, token, price_minor } = body.value;
    let key = body.repeat.map(|repeat| repeat.key);
    let asked = vec![attempts::RequestedLine { line: None, sale, quantity, token, price_minor }];
    Ok(told(attempts::attempt(&app.world, buyer, asked, key).await?, &context))
}

/// Try to buy several things in one order
///
/// All of them or none. Everything has one currency, and its units are held when it is ordered.
#[utoipa::path(post, path = "/attempts", tag = "sales",
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 202, body = AttemptBody), (status = 200, body = AttemptBody, description = "It was made before")))]
pub async fn cart_attempt(
    State(app): State<App>,
    context: Context,
    AtGate(buyer): AtGate,
    body: Body<CartAttemptRequest>,
) -> Result<Response, Problem> {
    let key = body.repeat.map(|repeat| repeat.key);
    let mut asked = Vec::with_capacity(body.value.lines.len());
    for (at, line) in body.value.lines.into_iter().enumerate() {
        let malformed = || Rejection::invalid(&format!("lines[{at}].sale"), FieldProblem::Malformed);
        let sale = line.sale.parse().map_err(|_| malformed())?;
        let CartLine { sale: _, quantity, token, price_minor } = line;
        asked.push(attempts::RequestedLine { line: Some(at), sale, quantity, token, price_minor });
    }
    Ok(told(attempts::attempt(&app.world, buyer, asked, key).await?, &context))
}

fn told((attempt, before): (attempts::AttemptView, bool), context: &Context) -> Response {
    let status = if before { StatusCode::OK } else { StatusCode::ACCEPTED };
    (status, Json(AttemptBody::of(attempt, context))).into_response()
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WaitQuery {
    /// How long to wait for the answer, in milliseconds; 25000 at most.
    #[param(minimum = 0, maximum = 25_000)]
    wait_ms: Option<i64>,
}

/// What came of an attempt
///
/// At once, or with `wait_ms` as soon as there is an answer. An answer never changes.
#[utoipa::path(get, path = "/attempts/{id}", tag = "sales",
    params(WaitQuery), responses((status = 200, body = AttemptBody)))]
pub async fn attempt_get(
    State(app): State<App>,
    context: Context,
    Player(user): Player,
    Path(id): Path<OrderId>,
    Query(WaitQuery { wait_ms }): Query<WaitQuery>,
) -> Result<Json<AttemptBody>, Problem> {
    let wait_ms = wait_ms.unwrap_or(0);
    let range = FieldProblem::OutOfRange { min: 0, max: WAIT_MS_MAX };
    let wait = u64::try_from(wait_ms).ok().filter(|_| wait_ms <= WAIT_MS_MAX);
    let wait = Duration::from_millis(wait.ok_or_else(|| Rejection::invalid("wait_ms", range))?);
    let wait = wait.min(app.http.request_timeout.saturating_sub(SPARE));
    let told = attempts::attempt_look(&app.world, user, id, wait).await?;
    Ok(Json(AttemptBody::of(told, &context)))
}

/// What comes of an attempt, live
///
/// Server-sent events named `attempt`, each the same as the attempt itself: the first at once, the last with its answer; then
/// the stream ends.
#[utoipa::path(get, path = "/attempts/{id}/live", tag = "sales",
    responses((status = 200, body = AttemptBody, content_type = "text/event-stream")))]
pub async fn attempt_live(
    State(app): State<App>,
    context: Context,
    Player(user): Player,
    Path(id): Path<OrderId>,
) -> Result<Response, Problem> {
    let state = attempts::attempt_follow(&app.world, user, id).await?;
    let place = app.streams.enter(Audience::Public(context.client))?;
    let begin = Following { app, context, id, state, place, next: Next::First };
    let events = unfold(begin, |mut following| async move {
        let told = following.next().await?;
        let event = Event::default().event("attempt").json_data(&told).unwrap_or_default();
        Some((Ok::<_, Infallible>(event), following))
    });
    let events = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    Ok(([("x-accel-buffering", "no")], events).into_response())
}

/// One stream's view of an attempt.
struct Following {
    app: App,
    context: Context,
    id: OrderId,
    state: tokio::sync::watch::Receiver<AttemptState>,
    place: Place,
    next: Next,
}

#[derive(Clone, Copy)]
enum Next {
    First,
    Changed,
    Over,
}

impl Following {
    async fn next(&mut self) -> Option<AttemptBody> {
        match self.next {
            Next::Over => return None,
            Next::First => {}
            Next::Changed => tokio::select! {
                changed = self.state.changed() => changed.ok()?,
                () = self.place.stopped() => return None,
            },
        }
        let state = self.state.borrow_and_update().clone();
        self.next = if state.is_final() { Next::Over } else { Next::Changed };
        let told = attempts::attempt_view(&self.app.world, self.id, state);
        Some(AttemptBody::of(told, &self.context))
    }
}
