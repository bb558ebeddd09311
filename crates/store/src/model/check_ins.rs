//! Checking in.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::civil_date::{CivilDate, CivilMonth};
use domain::community::CheckInTerms;
use domain::ids::UserId;
use domain::time::Timestamp;

/// The reasons of points for milestones and for days that were made up, as the statement names them.
pub const MILESTONE_REASON: &str = "check_in.milestone";
pub const MAKE_UP_REASON: &str = "check_in.make_up";

/// What a check-in is judged by.
#[derive(Clone, Debug)]
pub struct CheckInDay {
    /// The day in the site's zone.
    pub today: CivilDate,
    pub terms: Arc<CheckInTerms>,
    /// When points expire that come now.
    pub points_expire: Timestamp,
    pub now: Timestamp,
}

#[derive(Clone, Debug)]
pub struct CheckIn {
    pub user: UserId,
    pub day: CheckInDay,
}

/// Makes up for a missed day.
#[derive(Clone, Debug)]
pub struct CheckInMakeUp {
    pub user: UserId,
    pub missed: CivilDate,
    /// The day on which the account came back after a deletion; long ago where it never left.
    pub revived: CivilDate,
    pub day: CheckInDay,
}

/// Asks for the days of a month, and for what counts today.
#[derive(Clone, Copy, Debug)]
pub struct CheckInsFind {
    pub user: UserId,
    pub month: CivilMonth,
    pub today: CivilDate,
}

/// A day of a calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedDay {
    pub day: CivilDate,
    pub made_up: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckInsRow {
    /// Of the month that was asked for, in order.
    pub days: Vec<CheckedDay>,
    /// The latest days up to today, of any month.
    pub recent: BTreeSet<CivilDate>,
    /// Days that were made up for in the month of today.
    pub made_up_this_month: u32,
    /// The days of milestones that were reached.
    pub reached: Vec<u32>,
    pub sign_up: CivilDate,
}
