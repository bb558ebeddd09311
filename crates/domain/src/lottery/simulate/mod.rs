//! Trying a strategy out before anybody draws: so many draws by so many users, spread evenly over the window, with all
//! rules and the real generator.
//!
//! [`Course`] says who draws when and works out the luck of any stretch of draws ([`Course::words`]): that part has no
//! order and can be done on all cores. [`Simulation`] decides, one draw after the other, since each takes from what the
//! next one finds; it uses [`super::decide`] itself. So the same course gives the same [`SimulationReport`], however many cores
//! worked on it.
//!
//! Who draws: users take turns, each as often as any other, so that the first draws of all come before the second ones.
//! A draw beyond the activity's chances or entries is refused, and counted. Deliberately absent: the block list, points
//! spent, withdrawn prizes, granted chances and tickets of ten; threads and clocks, which are the caller's.

mod course;
mod report;
mod run;
mod stops;
#[cfg(test)]
mod tests;

pub use course::{Course, DRAWS_MAX, SimulationRefusal, USERS_MAX};
pub use report::{BUCKETS, Cell, PrizeReport, RefusedDraws, SimulationReport, TableReport};
pub use run::{Nothing, RecordSink, Simulation};
pub use stops::PrizeStop;
