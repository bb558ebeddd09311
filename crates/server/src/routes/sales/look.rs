//! Sales as everybody sees them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use domain::ids::ActivityId;
use engine::sales::{queries, reports};

use super::super::Path;
use super::wire::{SaleBody, SaleLiveBody};
use crate::app::App;
use crate::context::Context;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;
use crate::streams::{ACTIVITY_TICK, Audience};

/// Sales that were published, newest first
#[utoipa::path(get, path = "/sales", tag = "sales",
    params(PageQuery), responses((status = 200, body = PageBody<SaleBody>)))]
pub async fn sale_list(
    State(app): State<App>,
    Paged(page): Paged,
) -> Result<Json<PageBody<SaleBody>>, Problem> {
    Ok(Json(PageBody::of(queries::sale_list(&app.world, page).await?, |told| SaleBody::from(&told))))
}

/// One sale
///
/// `left` is a fifth of a second old at most. Count down with `server_ms`, not with the clock of the page.
#[utoipa::path(get, path = "/sales/{id}", tag = "sales", responses((status = 200, body = SaleBody)))]
pub async fn sale(State(app): State<App>, Path(id): Path<ActivityId>) -> Result<Json<SaleBody>, Problem> {
    Ok(Json(SaleBody::from(&queries::sale_look(&app.world, id).await?)))
}

/// What is left of a sale, live
///
/// Server-sent events named `sale`: the first at once, then once a second at most. With another `version`, ask for the sale
/// again. The stream ends after ten minutes and when the server stops; connect again.
#[utoipa::path(get, path = "/sales/{id}/live", tag = "sales",
    responses((status = 200, body = SaleLiveBody, content_type = "text/event-stream")))]
pub async fn sale_live(
    State(app): State<App>,
    context: Context,
    Path(id): Path<ActivityId>,
) -> Result<Response, Problem> {
    let now = reports::sale_live(&app.world, id).await?;
    let (place, world) = (app.streams.enter(Audience::Public(context.client))?, Arc::clone(&app.world));
    let watching = app.streams.sales.follow(place, id, now, ACTIVITY_TICK, move || {
        let world = Arc::clone(&world);
        Box::pin(async move { reports::sale_live(&world, id).await.ok() })
    });
    let world = Arc::clone(&app.world);
    Ok(watching.respond("sale", move |live| SaleLiveBody::of(live, world.now())))
}
