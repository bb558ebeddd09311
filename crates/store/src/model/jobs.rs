//! The registry of recurring jobs, their leases, and the bounded steps they take.

use domain::ids::RunId;
use domain::job::RunOutcome;
use domain::time::Timestamp;

use super::AuditStamp;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRow {
    pub name: String,
    pub schedule: String,
    /// A JSON object; each job says which members it reads.
    pub parameters: String,
    pub paused: bool,
    pub next_due: Timestamp,
    pub term: i64,
    pub holder: Option<String>,
    pub last_run: Option<RunRow>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    pub id: RunId,
    pub job: String,
    pub started: Timestamp,
    pub finished: Option<Timestamp>,
    /// `None` while it runs, or when its worker died.
    pub outcome: Option<RunOutcome>,
    pub handled: i64,
    pub detail: String,
}

/// A job as the code knows it; made known to the registry at start, where operators' changes win.
#[derive(Clone, Debug)]
pub struct JobDefault {
    pub name: &'static str,
    pub schedule: String,
    pub parameters: String,
    pub first_due: Timestamp,
}

#[derive(Clone, Debug)]
pub struct JobEdit {
    pub name: String,
    pub schedule: Option<String>,
    pub parameters: Option<String>,
    pub paused: Option<bool>,
    /// When it is next due after the edit.
    pub next_due: Option<Timestamp>,
    /// Run once as soon as a worker is free, paused or not.
    pub run_now: bool,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug)]
pub struct JobClaim {
    pub holder: String,
    pub now: Timestamp,
    pub lease_ms: i64,
    pub run: RunId,
}

/// A run about to start: its parameters and its fence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRun {
    pub job: String,
    pub schedule: String,
    pub parameters: String,
    /// Where the last run stopped ([`JobFinish::cursor`]); empty at the beginning.
    pub cursor: String,
    pub run: RunId,
    pub fence: Fence,
}

/// Goes with every write of a job's step; the store refuses it once the job has another term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    pub job: String,
    pub term: i64,
}

#[derive(Clone, Debug)]
pub struct JobFinish {
    pub fence: Fence,
    pub run: RunId,
    pub outcome: RunOutcome,
    pub handled: i64,
    pub detail: String,
    /// Kept for the next run; empty starts over.
    pub cursor: String,
    pub finished: Timestamp,
    pub next_due: Timestamp,
    /// Of runs that had nothing to do, one in so long is kept, and the newest; 0 keeps all.
    pub idle_kept_ms: i64,
}

/// A node id for making ids, held for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeLease {
    pub node: i64,
    pub ends: Timestamp,
}

/// Something a sweep clears away, each in one bounded, fenced step that answers how many rows went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// Sessions past both ends.
    Sessions { idle_before: Timestamp, started_before: Timestamp },
    /// Codes past their life and send counters of past days.
    Codes { sent_before: Timestamp, day_before: i64 },
    /// Spent and expired sign-in links.
    Links { expired_before: Timestamp },
    /// Outcomes kept for idempotency.
    Answers { made_before: Timestamp },
    /// Devices that nobody has signed in from for long.
    Devices { seen_before: Timestamp },
    /// Marks of deleted accounts that nobody returns to any more.
    FormerAccounts { ended_before: Timestamp },
    /// Notifications past their time, and groups that have none any more.
    Notifications { made_before: Timestamp },
    /// Statistics of days that are kept no longer, counted from 1970-01-01.
    Statistics { day_before: i64 },
    /// Finished runs of jobs.
    Runs { started_before: Timestamp },
}

/// A sealed value made under an older key, with what replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedRow {
    pub kind: SealedColumn,
    pub user: i64,
    pub id: i64,
    pub sealed: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealedColumn {
    Phone,
    Address,
    /// An activity's: its id stands for the user, round and version together for the id.
    Secret,
    /// Where a parcel goes: the id of the prize stands for the user.
    Parcel,
    /// A chunk of redeem codes: its pool stands for the user, the number of its first code for the id.
    Code,
    /// A webhook's: its id stands for the user; 0 is the current one, 1 the one before.
    Webhook,
    /// An authenticator's.
    SecondFactor,
    /// A private message, by its conversation and number.
    PrivateMessage,
}
