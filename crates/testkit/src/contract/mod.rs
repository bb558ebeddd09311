//! The contract of the port [`Stock`](engine::ports::Stock), written once and run against every ledger behind it.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`subject`] | what a ledger under test can do besides answering: let time pass, sweep, start anew |
//! | [`stories`] | the contract itself: tables of rows, each ending in the expected answer by name |
//! | [`mod@check`] | runs the stories |
//! | [`mod@compare`] | random sequences of commands, step by step beside `domain::ledger` |
//! | [`row`] | one row as a command |
//!
//! A ledger that does not know every verb yet names those it lacks. Stories that need them are left out, and the
//! report names them.

pub mod check;
pub mod compare;
pub mod row;
pub mod stories;
pub mod subject;

pub use check::{Report, check};
pub use compare::compare;
pub use subject::{LIMITS, Subject};
