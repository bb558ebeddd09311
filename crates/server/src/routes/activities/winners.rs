//! The list of winners: masked for publication, whole for those who give the prizes.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use domain::ids::ActivityId;
use domain::rejection::FieldProblem;
use engine::activities::{WinLine, WinLog, WinnerLine, winners_are_public, winners_page};
use futures::stream::{self, StreamExt};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use super::downloads::time;
use crate::app::App;
use crate::auth::{Operator, Reader};
use crate::body::Body;
use crate::context::Context;
use crate::download::{CSV, Rows, file};
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;
use crate::streams::Audience;

const COLUMNS: [&str; 6] = ["name", "round", "prize", "prize_name", "fallback_points", "time"];
const WHOLE_COLUMNS: [&str; 11] = [
    "win",
    "user",
    "external_id",
    "name",
    "round",
    "prize",
    "prize_name",
    "kind",
    "state",
    "fallback_points",
    "time",
];

/// A win on the list for publication.
#[derive(Debug, Serialize, ToSchema)]
pub struct WinnerListedBody {
    /// The first character, and stars; of a name that nobody chose, `wf**` and its last four digits.
    #[schema(example = "小**")]
    pub name: String,
    pub round: u32,
    pub prize: u16,
    pub prize_name: String,
    /// Points that the fallback gave.
    pub points: u64,
    pub at_ms: i64,
}

impl From<WinLine> for WinnerListedBody {
    fn from(WinLine { name, win, prize_name }: WinLine) -> Self {
        let prize = win.prize.number();
        Self { name, round: win.round, prize, prize_name, points: win.points, at_ms: win.at.0 }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WinnersFormat {
    /// `json`, in pages, unless told; or `csv`, all of it as one file.
    format: Option<String>,
}

/// Who won, for publication: names are masked
///
/// In the order of winning, without what was voided. For staff until it is published; then for everybody, files as many at
/// a time as live streams for the public.
#[utoipa::path(get, path = "/activities/{id}/winners", tag = "activities",
    params(WinnersFormat, PageQuery),
    responses((status = 200, content((PageBody<WinnerListedBody> = "application/json"), (String = "text/csv")))))]
pub async fn winner_list(
    State(app): State<App>,
    reader: Result<Reader, Problem>,
    context: Context,
    Path(id): Path<ActivityId>,
    Query(WinnersFormat { format }): Query<WinnersFormat>,
    Paged(page): Paged,
) -> Result<Response, Problem> {
    let audience = match &reader {
        Ok(reader) => Audience::Staff(reader.actor),
        Err(_) => Audience::Public(context.client),
    };
    if let Err(problem) = reader
        && !winners_are_public(&app.world, id).await?
    {
        return Err(problem);
    }
    match format.as_deref() {
        None | Some("json") => {
            let page = winners_page(&app.world, id, page).await?;
            Ok(Json(PageBody::of(page, WinnerListedBody::from)).into_response())
        }
        Some("csv") => {
            let place = app.streams.enter(audience)?;
            let log = WinLog::open(&app.world, id).await?;
            let pages = stream::try_unfold(log, |mut log| async move {
                Ok(log.page().await?.map(|lines| (rows(&lines), log)))
            });
            let head = stream::iter([Ok(Rows::headed(&COLUMNS).bytes())]);
            Ok(file(place, &format!("winners-{id}.csv"), CSV, head.chain(pages)))
        }
        Some(_) => {
            let problem = FieldProblem::NotOneOf { allowed: "json, csv" };
            Err(Rejection::invalid("format", problem).into())
        }
    }
}

fn rows(lines: &[WinLine]) -> Vec<u8> {
    let mut rows = Rows::new();
    for WinLine { name, win, prize_name } in lines {
        rows.put(&[
            name.clone(),
            win.round.to_string(),
            win.prize.number().to_string(),
            prize_name.clone(),
            win.points.to_string(),
            time(win.at),
        ]);
    }
    rows.bytes()
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishRequest {
    /// For the audit log.
    #[serde(default)]
    pub reason: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WinnersPublishedBody {
    pub activity: String,
    /// Since when everybody may read the list.
    pub published_at_ms: i64,
}

/// Let everybody read the list of winners
///
/// Of everything that was won and will be. Once is for good; again answers since when.
#[utoipa::path(post, path = "/activities/{id}/winners/publish", tag = "activities",
    responses((status = 200, body = WinnersPublishedBody)))]
pub async fn winners_publish(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
    body: Body<PublishRequest>,
) -> Result<Json<WinnersPublishedBody>, Problem> {
    let signed = operator.sign(&app, &body.value.reason);
    let since = engine::activities::winners_publish(&app.world, signed, id).await?;
    Ok(Json(WinnersPublishedBody { activity: id.to_string(), published_at_ms: since.0 }))
}

/// Who won, with whole names and how each prize stands, as a table
///
/// For those who give the prizes. Winners of raffles are on it, and what was voided, with its state.
#[utoipa::path(get, path = "/admin/activities/{id}/winners", tag = "activities",
    responses((status = 200, body = String, content_type = "text/csv")))]
pub async fn winners_whole(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
) -> Result<Response, Problem> {
    let place = app.streams.enter(Audience::Staff(operator.actor))?;
    let log = WinLog::open(&app.world, id).await?;
    let pages = stream::try_unfold(log, |mut log| async move {
        Ok(log.page_of_winners().await?.map(|lines| (whole_rows(lines), log)))
    });
    let head = stream::iter([Ok(Rows::headed(&WHOLE_COLUMNS).bytes())]);
    Ok(file(place, &format!("all-winners-{id}.csv"), CSV, head.chain(pages)))
}

fn whole_rows(lines: Vec<WinnerLine>) -> Vec<u8> {
    let mut rows = Rows::new();
    for WinnerLine { name, external_id, win, prize_name, kind, state } in lines {
        rows.put(&[
            win.id.to_string(),
            win.user.to_string(),
            external_id.unwrap_or_default(),
            name.unwrap_or_default(),
            win.round.to_string(),
            win.prize.number().to_string(),
            prize_name,
            kind.name().to_owned(),
            state.name().to_owned(),
            win.points.to_string(),
            time(win.at),
        ]);
    }
    rows.bytes()
}
