//! What came of a simulation, as it is told in JSON: by the API and by the command line.

use domain::lottery::simulate::{Cell, PrizeReport, PrizeStop, SimulationReport, TableReport};
use domain::lottery::strategy::PrizeId;
use serde::Serialize;
use utoipa::ToSchema;

/// What came of so many simulated draws.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SimulationBody {
    /// Draws that were decided.
    pub draws: u64,
    pub users: u32,
    pub misses: u64,
    /// Draws beyond somebody's chances, or beyond the entries.
    pub refused: RefusedBody,
    /// What all prizes cost, in the smallest unit of money.
    pub cost_minor: u64,
    pub fallback_points: u64,
    /// How far the rolls lie from the odds, all tables together. Absent when there is nothing to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chi_square: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degrees_of_freedom: Option<usize>,
    /// The share of fair runs that lie at least as far from the odds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chi_square_p: Option<f64>,
    pub prizes: Vec<SimulatedPrizeBody>,
    /// The first is everybody's; the others are those of the tiers.
    pub tables: Vec<SimulatedTableBody>,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct RefusedBody {
    pub total: u64,
    pub month: u64,
    pub day: u64,
    pub entries: u64,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SimulatedPrizeBody {
    pub id: u16,
    pub name: String,
    pub wins: u64,
    /// Of them, by the wheel and not by a rule.
    pub rolled: u64,
    /// Units at the beginning; absent when unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<u64>,
    /// When the last unit was given, in milliseconds since 1970; absent when some are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ran_out_ms: Option<i64>,
    /// Wins in each sixtieth of the draws.
    pub over_time: Vec<u64>,
    /// Which rule or budget kept it from being won, most draws first.
    pub stops: Vec<SimulatedStopBody>,
}

/// A reason why a prize could not be won.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct SimulatedStopBody {
    pub reason: &'static str,
    /// What holds for everybody (`exhausted`, `unreleased`, `hourly_cap`, budgets): draws that were made meanwhile. What holds
    /// for one player (`capped`, `locked`) or for the fallback (`points_budget`): draws in which it mattered.
    pub draws: u64,
    /// When it first held, in milliseconds since 1970.
    pub first_ms: i64,
}

/// The rolls on one table, as far as its published odds applied to them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SimulatedTableBody {
    pub rolls: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chi_square_p: Option<f64>,
    pub cells: Vec<SimulatedCellBody>,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct SimulatedCellBody {
    /// Absent for no prize.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prize: Option<u16>,
    /// Parts of the whole.
    pub odds: u64,
    /// Rolls that landed there, whether it could be given or not.
    pub hits: u64,
}

impl From<&SimulationReport> for SimulationBody {
    fn from(report: &SimulationReport) -> Self {
        let (chi, refused) = (report.chi_square(), report.refused);
        Self {
            draws: report.draws,
            users: report.users,
            misses: report.misses,
            refused: RefusedBody {
                total: refused.total,
                month: refused.month,
                day: refused.day,
                entries: refused.entries,
            },
            cost_minor: report.cost_minor,
            fallback_points: report.fallback_points,
            chi_square: chi.map(|chi| chi.statistic),
            degrees_of_freedom: chi.map(|chi| chi.degrees_of_freedom),
            chi_square_p: chi.map(|chi| chi.p_value),
            prizes: report.prizes.iter().map(prize).collect(),
            tables: report.tables.iter().map(table).collect(),
        }
    }
}

fn prize(prize: &PrizeReport) -> SimulatedPrizeBody {
    SimulatedPrizeBody {
        id: prize.id.number(),
        name: prize.name.clone(),
        wins: prize.wins,
        rolled: prize.rolled,
        units: prize.units,
        ran_out_ms: prize.ran_out.map(|at| at.0),
        over_time: prize.over_time.clone(),
        stops: prize.stops.iter().map(stop).collect(),
    }
}

fn stop(stop: &PrizeStop) -> SimulatedStopBody {
    SimulatedStopBody { reason: stop.reason.name(), draws: stop.draws, first_ms: stop.first.0 }
}

fn table(table: &TableReport) -> SimulatedTableBody {
    let cell = |cell: &Cell| SimulatedCellBody {
        prize: cell.prize.map(PrizeId::number),
        odds: cell.odds,
        hits: cell.hits,
    };
    SimulatedTableBody {
        rolls: table.rolls,
        chi_square_p: table.chi_square.map(|chi| chi.p_value),
        cells: table.cells.iter().map(cell).collect(),
    }
}
