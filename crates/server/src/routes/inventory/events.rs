//! A pool's counters as they change.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use engine::inventory::{PoolCounters, queries};

use super::super::Path;
use super::wire::PoolBody;
use crate::app::App;
use crate::auth::StockReader;
use crate::problem::Problem;
use crate::streams::{Audience, POOL_TICK};

/// A pool's counters, live
///
/// Server-sent events named `counters`, each a whole pool: the first at once, then five a second at most. The stream
/// ends after ten minutes and when the server stops; connect again.
#[utoipa::path(get, path = "/inventory/pools/{name}/events", tag = "inventory",
    responses((status = 200, body = PoolBody, content_type = "text/event-stream")))]
pub async fn pool_events(
    State(app): State<App>,
    reader: StockReader,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    let view = queries::pool_find(&app.world, &name).await?.view;
    let (place, world) = (app.streams.enter(Audience::Staff(reader.actor))?, Arc::clone(&app.world));
    let watching = app.streams.pools.follow(place, view.pool, view, POOL_TICK, move || {
        let world = Arc::clone(&world);
        Box::pin(async move { world.ledger.stock.pool(view.pool).await.ok().flatten() })
    });
    Ok(watching.respond("counters", move |view| PoolBody::from(PoolCounters { name: name.clone(), view })))
}
