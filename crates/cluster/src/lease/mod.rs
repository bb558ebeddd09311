//! Who leads a shard, and for how long.
//!
//! A leader renews its lease by raising a counter in the log's head. A candidate looks at the head and claims when term and
//! counter stood still for a lease and a margin, by its own clock. No moments of two clocks are ever compared: what is
//! compared is how long something lasted.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`terms`] | how long a lease lasts, how often it is renewed, how far clocks may drift |
//! | [`tenure`] | the leader's side: whether it still leads |
//! | [`lapse`] | the candidate's side: whether a leader's lease is over |
//! | [`lease_clock`] | a clock that only counts, and goes on while the machine sleeps |
//! | [`leadership`] | what a node knows of its own lead |
//! | [`server_time`] | the leader's clock: the log server's time, carried on by its own |

pub mod lapse;
pub mod leadership;
pub mod lease_clock;
pub mod server_time;
pub mod tenure;
pub mod terms;

pub use lapse::{LapseWatch, LeaderLook, LeaseLook};
pub use leadership::Leadership;
pub use lease_clock::LeaseClock;
pub use server_time::{ServerTime, TimeOff};
pub use tenure::Tenure;
pub use terms::LeaseTerms;
