//! Who wins, for everybody and with nobody's name: the newest, live, and those who won the most.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use domain::ids::ActivityId;
use engine::activity_cache::WinnerView;
use engine::draws::winners;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::Path;
use super::wire::PrizeBody;
use crate::app::App;
use crate::context::Context;
use crate::problem::Problem;
use crate::streams::{ACTIVITY_TICK, Audience};

/// The newest winners, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct WinnersBody {
    pub items: Vec<WinnerBody>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WinnerBody {
    /// The first character, and stars; of a name that nobody chose, `wf**` and its last four digits.
    #[schema(example = "小**")]
    pub name: String,
    pub prize: PrizeBody,
    pub at_ms: i64,
}

impl WinnersBody {
    fn of(winners: &[WinnerView]) -> Self {
        let body = |winner: &WinnerView| WinnerBody {
            name: winner.name.clone(),
            prize: PrizeBody::won(winner.prize.clone(), winner.points),
            at_ms: winner.at.0,
        };
        Self { items: winners.iter().map(body).collect() }
    }
}

/// The newest winners
#[utoipa::path(get, path = "/play/activities/{id}/winners", tag = "play",
    responses((status = 200, body = WinnersBody)))]
pub async fn winners(
    State(app): State<App>,
    Path(id): Path<ActivityId>,
) -> Result<Json<WinnersBody>, Problem> {
    Ok(Json(WinnersBody::of(&winners::winners(&app.world, id).await?)))
}

/// The newest winners, live
///
/// Server-sent events named `winners`, each the whole list: the first at once, then once a second at most. The stream ends
/// after ten minutes and when the server stops; connect again.
#[utoipa::path(get, path = "/play/activities/{id}/winners/events", tag = "play",
    responses((status = 200, body = WinnersBody, content_type = "text/event-stream")))]
pub async fn winners_events(
    State(app): State<App>,
    context: Context,
    Path(id): Path<ActivityId>,
) -> Result<Response, Problem> {
    let now = winners::winners(&app.world, id).await?;
    let (place, world) = (app.streams.enter(Audience::Public(context.client))?, Arc::clone(&app.world));
    let watching = app.streams.winners.follow(place, id, now, ACTIVITY_TICK, move || {
        let world = Arc::clone(&world);
        Box::pin(async move { winners::winners(&world, id).await.ok() })
    });
    Ok(watching.respond("winners", |winners| WinnersBody::of(&winners)))
}

/// Those who won the most in the current round, the first first.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeadersBody {
    pub items: Vec<LeaderBody>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LeaderBody {
    /// The first character, and stars; of a name that nobody chose, `wf**` and its last four digits.
    #[schema(example = "J***")]
    pub name: String,
    pub won: u32,
}

/// Who won the most
///
/// A few seconds old at most. A raffle has none: nobody wins it twice.
#[utoipa::path(get, path = "/play/activities/{id}/leaders", tag = "play",
    responses((status = 200, body = LeadersBody)))]
pub async fn leader_list(
    State(app): State<App>,
    Path(id): Path<ActivityId>,
) -> Result<Json<LeadersBody>, Problem> {
    let leaders = winners::leaders(&app.world, id).await?;
    let body = |leader: &engine::activity_cache::LeaderView| LeaderBody {
        name: leader.name.clone(),
        won: leader.won,
    };
    Ok(Json(LeadersBody { items: leaders.iter().map(body).collect() }))
}
