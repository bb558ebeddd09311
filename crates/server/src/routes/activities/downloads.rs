//! Everything that was drawn in an activity, as files: for spreadsheets, for publication, and for checking.

use axum::extract::State;
use axum::response::Response;
use domain::ids::ActivityId;
use domain::time::Timestamp;
use engine::activities::{ActivityExport, DrawLine, DrawLog};
use futures::stream::{self, StreamExt};

use super::super::play::mine::RoundQuery;
use super::super::{Path, Query};
use crate::app::App;
use crate::auth::Reader;
use crate::context::Context;
use crate::download::{CSV, Rows, TEXT, file};
use crate::problem::Problem;
use crate::streams::Audience;

const DRAW_COLUMNS: [&str; 14] = [
    "ticket",
    "user",
    "player",
    "round",
    "version",
    "n",
    "time",
    "prize",
    "prize_name",
    "fallback_points",
    "cost_minor",
    "why",
    "place",
    "at_ms",
];

/// Every draw as a line of a table
///
/// In the order of rounds, versions and places in the chain. Misses are lines without a prize. Entries to a raffle are no
/// draws. Cells that a spreadsheet would take for a formula begin with an apostrophe.
#[utoipa::path(get, path = "/activities/{id}/draws.csv", tag = "activities",
    params(RoundQuery), responses((status = 200, body = String, content_type = "text/csv")))]
pub async fn draws_csv(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ActivityId>,
    Query(RoundQuery { round }): Query<RoundQuery>,
) -> Result<Response, Problem> {
    let place = app.streams.enter(Audience::Staff(reader.actor))?;
    let log = DrawLog::open(&app.world, id, round).await?;
    let pages = stream::try_unfold(log, |mut log| async move {
        Ok(log.page().await?.map(|lines| (draw_rows(&lines), log)))
    });
    let head = stream::iter([Ok(Rows::headed(&DRAW_COLUMNS).bytes())]);
    Ok(file(place, &format!("draws-{id}.csv"), CSV, head.chain(pages)))
}

fn draw_rows(lines: &[DrawLine]) -> Vec<u8> {
    let mut rows = Rows::new();
    for line in lines {
        let (prize, name) = match &line.prize {
            Some((prize, name)) => (prize.number().to_string(), name.clone()),
            None => (String::new(), String::new()),
        };
        rows.put(&[
            format!("{:032x}", line.ticket),
            line.user.to_string(),
            line.seat.to_string(),
            line.round.to_string(),
            line.version.to_string(),
            line.n.to_string(),
            time(line.at),
            prize,
            name,
            line.points.to_string(),
            line.cost_minor.to_string(),
            line.why.to_owned(),
            line.place.to_string(),
            line.at.0.to_string(),
        ]);
    }
    rows.bytes()
}

/// The export that `windfall verify` checks
///
/// For everybody. What was published, the secrets that are revealed, and every record. A round whose secret is not
/// revealed yet is named, with the number of its draws. The last line says how much there is: without it, the file was
/// cut off. As many at a time as live streams for the public.
#[utoipa::path(get, path = "/activities/{id}/export", tag = "activities",
    responses((status = 200, body = String, content_type = "text/plain")))]
pub async fn activity_export(
    State(app): State<App>,
    context: Context,
    Path(id): Path<ActivityId>,
) -> Result<Response, Problem> {
    let place = app.streams.enter(Audience::Public(context.client))?;
    let export = ActivityExport::open(&app.world, id).await?;
    let pieces = stream::try_unfold(export, |mut export| async move {
        Ok(export.piece().await?.map(|piece| (piece, export)))
    });
    Ok(file(place, &format!("windfall-{id}.txt"), TEXT, pieces))
}

/// With milliseconds, in UTC.
pub(in super::super) fn time(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.0).map_or_else(|_| at.0.to_string(), |at| format!("{at:.3}"))
}
