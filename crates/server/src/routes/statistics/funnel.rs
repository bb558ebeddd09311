//! How far people got in a campaign.

use axum::Json;
use axum::extract::State;
use domain::ids::ActivityId;
use domain::statistics::distinct::ERROR_BASIS_POINTS;
use engine::statistics as flow;
use engine::statistics::{CampaignFunnel, FunnelCount};
use serde::Serialize;
use utoipa::ToSchema;

use super::super::play::mine::RoundQuery;
use super::super::{Path, Query};
use crate::app::App;
use crate::auth::Reader;
use crate::problem::Problem;

/// How far people got in a campaign.
#[derive(Debug, Serialize, ToSchema)]
pub struct CampaignFunnelBody {
    #[schema(example = "7318349394477056")]
    pub activity: String,
    pub kind: &'static str,
    /// Absent for a sale, of which all rounds are told together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// In order.
    pub steps: Vec<FunnelCountBody>,
    /// The standard error of estimates, in hundredths of a per cent.
    #[schema(example = 115)]
    pub error_basis_points: u32,
}

/// How many got to a step, each once.
#[derive(Debug, Serialize, ToSchema)]
pub struct FunnelCountBody {
    /// `visitors` are browsers, all others are people.
    pub step: &'static str,
    pub count: u64,
    /// An estimate otherwise.
    pub exact: bool,
}

impl From<FunnelCount> for FunnelCountBody {
    fn from(FunnelCount { step, count, is_exact }: FunnelCount) -> Self {
        Self { step: step.name(), count, exact: is_exact }
    }
}

impl From<CampaignFunnel> for CampaignFunnelBody {
    fn from(CampaignFunnel { activity, kind, round, steps }: CampaignFunnel) -> Self {
        Self {
            activity: activity.to_string(),
            kind: kind.name(),
            round,
            steps: steps.into_iter().map(FunnelCountBody::from).collect(),
            error_basis_points: ERROR_BASIS_POINTS,
        }
    }
}

/// From those who saw a campaign to those who got something
///
/// The first two steps, and attempts of sales, are counted as they happen and up to a minute old; all others are what the
/// ledger's rows say. People whom the company's own pages bring are in no step before they play or order.
#[utoipa::path(get, path = "/activities/{id}/funnel", tag = "statistics",
    params(RoundQuery), responses((status = 200, body = CampaignFunnelBody)))]
pub async fn campaign_funnel(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<ActivityId>,
    Query(RoundQuery { round }): Query<RoundQuery>,
) -> Result<Json<CampaignFunnelBody>, Problem> {
    Ok(Json(flow::campaign_funnel(&app.world, id, round).await?.into()))
}
