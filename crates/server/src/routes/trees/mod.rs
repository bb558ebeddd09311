//! Rule trees: kept version by version, and tried out.

pub mod dry_run;
mod form;
pub mod kept;
