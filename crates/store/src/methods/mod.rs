//! The steps as methods of `Db`, one line each: which step, and whether it reads, writes, or judges. Those of a part with steps
//! of its own stand beside its steps (`steps/*/methods.rs`).

mod accounts;
mod campaigns;
mod fence;
mod jobs;
mod ledger;
mod staff;
