//! The auditor on a real ledger with its database, on SQLite and on PostgreSQL: what is planted is found and corrected,
//! and what is right is never called wrong.

pub mod fixtures;
mod holes;
mod load;
mod orders;
mod planted;
