//! Invitations.

use domain::community::InviteCode;
use domain::ids::UserId;
use domain::time::Timestamp;

/// Makes sure that somebody has a code; the one they have stays.
#[derive(Clone, Debug)]
pub struct InviteCodeMake {
    pub user: UserId,
    pub code: InviteCode,
    pub now: Timestamp,
}

/// Somebody says who invited them.
#[derive(Clone, Debug)]
pub struct InviteAccept {
    pub user: UserId,
    pub code: InviteCode,
    pub now: Timestamp,
}

/// What came of somebody's invitations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InvitesRow {
    pub code: Option<String>,
    /// People who said that they were invited.
    pub accepted: i64,
    /// Those of them who did something that counts.
    pub qualified: i64,
}
