//! Flash sales: what everybody sees, and what operators do while one runs. They are written and reviewed as activities.

pub mod look;
pub mod report;
pub mod run;
pub mod wire;
