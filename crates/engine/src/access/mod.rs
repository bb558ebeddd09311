//! What staff and keys may do: API keys, approvals by a second person, and lines of the audit log about what the ledger
//! carries out.

pub mod approval;
pub mod audit_log;
pub(crate) mod audit_trail_job;
pub(crate) mod audited;
pub mod key_admin;
pub mod key_auth;
pub mod second_factor_reset;
