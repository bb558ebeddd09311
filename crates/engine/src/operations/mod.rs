//! What an operator of the installation does: backups, the quarantine after a restore, jobs, clearing away, and what needs them.

pub mod attention;
pub(crate) mod backup_job;
pub mod backups;
pub mod job_admin;
pub mod quarantine;
pub(crate) mod reseal_job;
pub mod share_cards;
pub mod support;
pub(crate) mod sweeps_job;
