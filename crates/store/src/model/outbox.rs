//! Messages that wait for whoever carries them out, in lanes.
//!
//! A message is written in the transaction of the rows it speaks of. Within a lane the messages of one user are handled in
//! the order of their ids: one that failed holds back that user's later ones, and nobody else's.

use domain::ids::UserId;
use domain::time::Timestamp;

use super::AuditStamp;

/// Messages read or finished in one step, at most.
pub const MESSAGES_MAX: u32 = 2_000;
/// Dead letters that are put back in one step, at most.
pub const REDRIVE_MAX: u32 = 1_000;
/// Messages of a lane that are counted; beyond it there are simply many.
pub const COUNTED_MAX: u32 = 100_000;

/// The lane in which units go back to their pools.
pub const RETURNS: &str = "returns";
/// The lane in which the ledger grants chances.
pub const CHANCES: &str = "chances";
/// The lane of what Windfall saw people do, and the kinds of its messages.
pub const BEHAVIOURS: &str = "behaviours";
pub const BEHAVIOUR: &str = "behaviour";
pub const BEHAVIOUR_UNDO: &str = "behaviour_undo";
/// The kind of messages that give a prize: their subject is a fulfilment, which moves on with them.
pub const FULFIL: &str = "fulfil";
/// The kind of messages that take a prize's unit back to its pool: their subject is a fulfilment.
pub const RETURN: &str = "return";

/// The lane, and the kind, of messages that take chances back: their subject is a fulfilment.
pub const TAKE_BACK: &str = "take_back";

/// A message as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMessage {
    /// Of this message alone, among all lanes and for good.
    pub id: i64,
    pub lane: String,
    /// Whose order it keeps; nothing for none.
    pub user: Option<UserId>,
    pub kind: &'static str,
    pub subject: i64,
    pub body: String,
    pub made: Timestamp,
    /// Not handled before.
    pub due: Timestamp,
}

/// A message as it waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub id: i64,
    pub lane: String,
    pub due: Timestamp,
    pub user: Option<UserId>,
    /// Attempts that failed so far.
    pub attempts: u32,
    pub kind: String,
    pub subject: i64,
    pub body: String,
    pub made: Timestamp,
}

/// Who works on a lane. Every write of the relay carries it, and is refused once another has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneFence {
    pub lane: String,
    pub term: i64,
}

#[derive(Clone, Debug)]
pub struct LaneClaim {
    pub lane: String,
    pub holder: String,
    pub now: Timestamp,
    pub lease_ms: i64,
}

/// What came of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// It goes; what it was to give is given.
    Done,
    /// Told to another system, which reports back.
    HandedOver,
    /// Another try, not before then.
    Again { due: Timestamp, error: String },
    /// No further try.
    Dead { error: String },
}

#[derive(Clone, Debug)]
pub struct Finish {
    pub fence: LaneFence,
    pub came: Vec<(Message, DeliveryOutcome)>,
    pub now: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetter {
    pub id: i64,
    pub lane: String,
    pub user: Option<UserId>,
    pub attempts: u32,
    pub kind: String,
    pub subject: i64,
    pub body: String,
    pub made: Timestamp,
    pub died: Timestamp,
    /// The last.
    pub error: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedAttempt {
    pub n: u32,
    pub at: Timestamp,
    pub error: String,
}

/// Which dead letters are put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedriveWhich {
    One(i64),
    /// Those of a lane, the oldest first.
    Lane {
        lane: String,
        limit: u32,
    },
}

#[derive(Clone, Debug)]
pub struct Redrive {
    pub which: RedriveWhich,
    pub signed: AuditStamp,
}

/// How much waits in a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneFigures {
    /// Messages, those that are not due among them; [`COUNTED_MAX`] at most.
    pub waiting: u64,
    /// When the oldest became due.
    pub oldest_due: Option<Timestamp>,
}
