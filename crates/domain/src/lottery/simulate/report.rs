//! What came of a simulation.

use super::stops::PrizeStop;
use crate::lottery::chi::{self, ChiSquare};
use crate::lottery::strategy::PrizeId;
use crate::time::Timestamp;

/// Stretches of the window in which wins are counted, for the curve of depletion.
pub const BUCKETS: usize = 60;

#[derive(Clone, Debug, PartialEq)]
pub struct SimulationReport {
    /// Draws that were decided.
    pub draws: u64,
    pub refused: RefusedDraws,
    pub users: u32,
    pub misses: u64,
    /// In the order of the strategy.
    pub prizes: Vec<PrizeReport>,
    pub tables: Vec<TableReport>,
    pub cost_minor: u64,
    pub fallback_points: u64,
}

/// Draws that nobody got to make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefusedDraws {
    pub total: u64,
    pub month: u64,
    pub day: u64,
    pub entries: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PrizeReport {
    pub id: PrizeId,
    pub name: String,
    /// In all, whatever led to it.
    pub wins: u64,
    /// Of them, by the wheel.
    pub rolled: u64,
    /// Units at the beginning; unlimited if none.
    pub units: Option<u64>,
    /// When the last unit was given.
    pub ran_out: Option<Timestamp>,
    /// Wins by stretch of the window.
    pub over_time: Vec<u64>,
    /// What kept it from being won, most draws first.
    pub stops: Vec<PrizeStop>,
}

/// The rolls on one table, as far as its published odds applied to them. `fixed`: all of them, since the slice of a prize
/// that is gone is still hit. `renormalised`: those for which nothing was left out.
#[derive(Clone, Debug, PartialEq)]
pub struct TableReport {
    pub rolls: u64,
    pub cells: Vec<Cell>,
    pub chi_square: Option<ChiSquare>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// None is no prize.
    pub prize: Option<PrizeId>,
    pub odds: u64,
    pub hits: u64,
}

impl RefusedDraws {
    pub fn all(&self) -> u64 {
        self.total + self.month + self.day + self.entries
    }
}

impl SimulationReport {
    /// All tables together: independent statistics add up, and so do their degrees of freedom.
    pub fn chi_square(&self) -> Option<ChiSquare> {
        let each = || self.tables.iter().filter_map(|table| table.chi_square);
        let degrees_of_freedom = each().map(|one| one.degrees_of_freedom).sum();
        let statistic = each().map(|one| one.statistic).sum();
        let p_value = chi::p_value(statistic, degrees_of_freedom);
        (degrees_of_freedom > 0).then_some(ChiSquare { statistic, degrees_of_freedom, p_value })
    }
}
