//! What needs an operator: gathered from the database, the ledger and the machine, judged in one place
//! ([`domain::attention`]), shown to staff, and told to those outside.

mod gather;
pub(crate) mod tell_job;

pub use gather::{AttentionSeen, attention_list};
