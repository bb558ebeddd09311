//! One page per user for those who answer their questions.

use axum::Json;
use axum::extract::State;
use domain::ids::UserId;
use engine::operations::support;
use engine::operations::support::{PlayerRound, Support};
use engine::sales::orders::OrderView;
use serde::Serialize;
use store::model::SessionRow;
use utoipa::ToSchema;

use super::Path;
use super::orders::wire::SaleOrderStaffBody;
use super::play::mine::WinBody;
use super::play::wire::{ChancesBody, TicketBody};
use super::points::{PointsBody, StatementRowBody};
use crate::app::App;
use crate::auth::Reader;
use crate::problem::Problem;
use crate::wire::{AccountBody, FactsBody};

/// Everything about one user that helps to answer a question of theirs.
#[derive(Serialize, ToSchema)]
pub struct SupportBody {
    pub account: AccountBody,
    /// The newest twenty rounds they have a part in.
    pub played: Vec<PlayedBody>,
    /// The newest twenty draws or entries of those.
    pub tickets: Vec<TicketBody>,
    /// The newest twenty prizes they won.
    pub wins: Vec<WinBody>,
    /// Their newest twenty orders in sales, with payments and what is given for them.
    pub orders: Vec<SaleOrderStaffBody>,
    pub points: PointsBody,
    /// The newest twenty rows of their statement.
    pub statement: Vec<StatementRowBody>,
    #[serde(flatten)]
    pub facts: FactsBody,
    pub sessions: Vec<OpenSessionBody>,
}

/// Somebody's part in one round of an activity.
#[derive(Serialize, ToSchema)]
pub struct PlayedBody {
    #[schema(example = "7318349394477056")]
    pub activity: String,
    pub activity_name: String,
    pub round: u32,
    pub draws: u32,
    pub won: u32,
    /// What they have left; absent for a round that is past.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chances: Option<ChancesBody>,
}

/// Where they are signed in.
#[derive(Serialize, ToSchema)]
pub struct OpenSessionBody {
    pub id: String,
    pub started_ms: i64,
    pub seen_ms: i64,
    /// The browser's own description.
    pub agent: String,
    pub address: String,
}

impl From<PlayerRound> for PlayedBody {
    fn from(played: PlayerRound) -> Self {
        Self {
            activity: played.activity.to_string(),
            activity_name: played.name,
            round: played.round,
            draws: played.draws,
            won: played.won,
            chances: played.left.map(ChancesBody::from),
        }
    }
}

impl From<SessionRow> for OpenSessionBody {
    fn from(row: SessionRow) -> Self {
        Self {
            id: row.id.to_string(),
            started_ms: row.times.started.0,
            seen_ms: row.times.seen.0,
            agent: row.agent,
            address: row.address,
        }
    }
}

impl From<Support> for SupportBody {
    fn from(support: Support) -> Self {
        let account = AccountBody::from(support.account);
        let known = |told: &OrderView| account.external_id.clone().map(|id| (told.order.user, id));
        let order =
            |told: OrderView| SaleOrderStaffBody::of(told.clone(), &known(&told).into_iter().collect());
        Self {
            played: support.played.into_iter().map(PlayedBody::from).collect(),
            tickets: support.tickets.into_iter().map(TicketBody::from).collect(),
            wins: support.wins.into_iter().map(WinBody::from).collect(),
            orders: support.orders.into_iter().map(order).collect(),
            account,
            points: support.points.into(),
            statement: support.statement.into_iter().map(StatementRowBody::for_staff).collect(),
            facts: support.facts.into(),
            sessions: support.sessions.into_iter().map(OpenSessionBody::from).collect(),
        }
    }
}

/// One user, for support
#[utoipa::path(get, path = "/admin/users/{id}/support", tag = "admin",
    responses((status = 200, body = SupportBody)))]
pub async fn user_support(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<UserId>,
) -> Result<Json<SupportBody>, Problem> {
    Ok(Json(support::support(&app.world, id).await?.into()))
}
