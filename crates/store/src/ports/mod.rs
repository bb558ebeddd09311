//! The engine's ports, one line per method: which step, and whether it reads, writes, or judges. Those of a part with steps
//! of its own stand beside its steps (`steps/*/port.rs`).

mod accounts;
mod campaigns;
mod jobs;
mod ledger;
mod staff;
