//! Which servers a log may lie on: those that keep what they say is committed.

use super::settings::StandbyRule;

/// Asks for the fields of [`ServerDurability`], in order.
pub(super) const DURABILITY: &str = "SELECT current_setting('fsync'), current_setting('full_page_writes'), \
     current_setting('synchronous_commit'), current_setting('synchronous_standby_names'), \
     pg_is_in_recovery()";

/// What a server says of itself, as the session at hand has it.
#[derive(Clone, Debug)]
pub(super) struct ServerDurability {
    pub fsync: String,
    pub full_page_writes: String,
    pub synchronous_commit: String,
    pub synchronous_standby_names: String,
    pub in_recovery: bool,
}

/// Why a server is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum DurabilityError {
    #[error("the log's server runs with fsync = off: it would lose what it committed")]
    Fsync,
    #[error("the log's server runs with full_page_writes = off: a crash could tear its pages")]
    FullPageWrites,
    #[error("the log's server commits with synchronous_commit below on: it would lose what it committed")]
    SynchronousCommit,
    #[error("the log's server has no synchronous standby: one lost machine would lose what was committed")]
    Standby,
    #[error("the log's server is a standby itself")]
    InRecovery,
}

impl ServerDurability {
    pub fn check(&self, standby: StandbyRule) -> Result<(), DurabilityError> {
        if self.in_recovery {
            return Err(DurabilityError::InRecovery);
        }
        if self.fsync != "on" {
            return Err(DurabilityError::Fsync);
        }
        if self.full_page_writes != "on" {
            return Err(DurabilityError::FullPageWrites);
        }
        if !["on", "remote_apply"].contains(&self.synchronous_commit.as_str()) {
            return Err(DurabilityError::SynchronousCommit);
        }
        if standby == StandbyRule::Required && self.synchronous_standby_names.trim().is_empty() {
            return Err(DurabilityError::Standby);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_lose_a_commit_is_refused() {
        use DurabilityError::{Fsync, FullPageWrites, InRecovery, Standby, SynchronousCommit};
        use StandbyRule::{NotRequired, Required};
        for (fsync, pages, commit, standbys, in_recovery, rule, expected) in [
            ("on", "on", "on", "*", false, Required, Ok(())),
            ("on", "on", "remote_apply", "ANY 1 (a, b)", false, Required, Ok(())),
            ("on", "on", "on", "", false, NotRequired, Ok(())),
            ("off", "on", "on", "*", false, Required, Err(Fsync)),
            ("on", "off", "on", "*", false, Required, Err(FullPageWrites)),
            ("on", "on", "remote_write", "*", false, Required, Err(SynchronousCommit)),
            ("on", "on", "local", "*", false, NotRequired, Err(SynchronousCommit)),
            ("on", "on", "off", "*", false, NotRequired, Err(SynchronousCommit)),
            ("on", "on", "on", "", false, Required, Err(Standby)),
            ("on", "on", "on", " ", false, Required, Err(Standby)),
            ("on", "on", "on", "*", true, Required, Err(InRecovery)),
        ] {
            let server = ServerDurability {
                fsync: fsync.to_owned(),
                full_page_writes: pages.to_owned(),
                synchronous_commit: commit.to_owned(),
                synchronous_standby_names: standbys.to_owned(),
                in_recovery,
            };
            assert_eq!(server.check(rule), expected, "{server:?} {rule:?}");
        }
    }
}
