//! Sales as everybody sees them.

use axum::Json;
use axum::extract::State;
use domain::ids::ActivityId;
use engine::flows::sales as flow;

use super::super::Path;
use super::wire::SaleBody;
use crate::app::App;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::{Problem, ProblemBody};

/// Sales that were published, newest first
#[utoipa::path(get, path = "/sales", tag = "sales", params(PageQuery),
    responses((status = 200, body = PageBody<SaleBody>), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn sale_list(
    State(app): State<App>,
    Paged(page): Paged,
) -> Result<Json<PageBody<SaleBody>>, Problem> {
    Ok(Json(PageBody::of(flow::sale_list(&app.world, page).await?, |told| SaleBody::from(&told))))
}

/// One sale
///
/// `left` is a fifth of a second old at most. Count down with `server_ms`, not with the clock of the page.
#[utoipa::path(get, path = "/sales/{id}", tag = "sales", params(("id" = String, Path)),
    responses((status = 200, body = SaleBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn sale(State(app): State<App>, Path(id): Path<ActivityId>) -> Result<Json<SaleBody>, Problem> {
    Ok(Json(SaleBody::from(&flow::sale_look(&app.world, id).await?)))
}
