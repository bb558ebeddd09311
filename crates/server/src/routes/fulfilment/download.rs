//! The queues of operators as a file.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use domain::page::PageRequest;
use engine::fulfilment as flow;
use engine::fulfilment::FulfilmentView;
use engine::{Result, World};
use store::model::FulfilmentSearch;

use super::super::Query;
use super::super::activities::downloads::time;
use super::queue::FulfilmentFilter;
use crate::app::App;
use crate::auth::Reader;
use crate::download::{Rows, table};
use crate::problem::Problem;
use crate::streams::Audience;

const COLUMNS: [&str; 16] = [
    "id",
    "source",
    "user",
    "external_id",
    "activity",
    "prize",
    "prize_name",
    "kind",
    "amount",
    "state",
    "made",
    "changed",
    "claim_until",
    "carrier",
    "tracking",
    "note",
];

/// Prizes on their way as a table, newest first
///
/// All that the filters let through, however many. Addresses are not among it: they are with each prize.
#[utoipa::path(get, path = "/fulfilments.csv", tag = "fulfilment",
    params(FulfilmentFilter), responses((status = 200, body = String, content_type = "text/csv")))]
pub async fn fulfilments_csv(
    State(app): State<App>,
    reader: Reader,
    Query(filter): Query<FulfilmentFilter>,
) -> Result<Response, Problem> {
    let place = app.streams.enter(Audience::Staff(reader.actor))?;
    let (world, search) = (Arc::clone(&app.world), filter.search()?);
    Ok(table(place, "fulfilments.csv", &COLUMNS, move |page| {
        let world = Arc::clone(&world);
        async move { page_rows(&world, search, page).await }
    }))
}

async fn page_rows(
    world: &World,
    search: FulfilmentSearch,
    page: PageRequest,
) -> Result<(Rows, Option<i64>)> {
    let page = flow::fulfilment_list(world, search, page).await?;
    let mut rows = Rows::new();
    for FulfilmentView { row, external_id, prize_name, .. } in page.items {
        let standing = row.standing;
        rows.put(&[
            row.id.to_string(),
            row.source.name().to_owned(),
            row.user.to_string(),
            external_id.unwrap_or_default(),
            row.source.activity().map(|activity| activity.to_string()).unwrap_or_default(),
            row.source.prize().map(|prize| prize.number().to_string()).unwrap_or_default(),
            prize_name.unwrap_or_default(),
            standing.kind.name().to_owned(),
            row.amount.to_string(),
            standing.state.name().to_owned(),
            time(row.made),
            time(row.changed),
            standing.claim_until.map(time).unwrap_or_default(),
            row.carrier.unwrap_or_default(),
            row.tracking.unwrap_or_default(),
            row.note.unwrap_or_default(),
        ]);
    }
    Ok((rows, page.next))
}
