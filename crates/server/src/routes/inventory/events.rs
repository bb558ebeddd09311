//! A pool's counters as they change.

use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use engine::flows::inventory::{PoolCounters, look};

use super::super::Path;
use super::wire::PoolBody;
use crate::app::App;
use crate::auth::StockReader;
use crate::problem::{Problem, ProblemBody};

/// A comment so often keeps proxies from closing a quiet stream.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// A pool's counters, live
///
/// Server-sent events named `counters`, each a whole pool: the first at once, then five a second at most. The stream
/// ends after ten minutes and when the server stops; connect again.
#[utoipa::path(get, path = "/inventory/pools/{name}/events", tag = "inventory", security(("session" = []), ("key" = [])),
    params(("name" = String, Path)),
    responses((status = 200, body = PoolBody, content_type = "text/event-stream"), (status = "4XX", body = ProblemBody, content_type = "application/problem+json"), (status = 503, body = ProblemBody, content_type = "application/problem+json")))]
pub async fn pool_events(
    State(app): State<App>,
    _: StockReader,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    let pool = look::pool_find(&app.world, &name).await?;
    let watching = app.streams.follow(&app.world.stock, pool.view)?;
    let events = watching.events(move |view| {
        let body = PoolBody::from(PoolCounters { name: name.clone(), view });
        let event = Event::default().event("counters");
        // Numbers and a text: nothing that could fail to be written.
        event.json_data(&body).unwrap_or_default()
    });
    let events = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    // Some proxies gather an answer before they pass it on, unless they are told not to.
    Ok(([("x-accel-buffering", "no")], events).into_response())
}
