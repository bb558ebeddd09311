//! Subscriptions to events, the messages that go to them, and the log of what was delivered.
//!
//! An event is told in the transaction of the rows it speaks of, as a message in the lane [`EVENTS`]. From there it is
//! copied into the lane of each subscription that wants it: a slow receiver holds up no other.

use domain::ids::{UserId, WebhookId};
use domain::time::Timestamp;
use domain::webhook::{EventFilter, HookFormat, ReceiverHealth};

use super::{AuditStamp, LaneFence, Message, NewMessage, Once};

/// The lane of events that are not yet copied to those who want them.
pub const EVENTS: &str = "events";
/// Subscriptions there may be.
pub const WEBHOOKS_MAX: u32 = 50;
/// Deliveries that are put back in one step, at most.
pub const REPLAY_MAX: u32 = 1_000;
/// Bytes that are kept of what a receiver answers.
pub const ANSWER_MAX: usize = 4 * 1024;

const HOOK: &str = "hook:";

/// The lane of one subscription.
pub fn hook_lane(id: WebhookId) -> String {
    format!("{HOOK}{id}")
}

/// Whose lane it is.
pub fn hook_of(lane: &str) -> Option<WebhookId> {
    lane.strip_prefix(HOOK)?.parse().ok()
}

domain::names! {
    /// Why a subscription gets nothing.
    pub enum OffReason {
        ByHand = "by_hand",
        Failing = "failing",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookRow {
    pub id: WebhookId,
    pub name: String,
    pub url: String,
    pub format: HookFormat,
    pub wants: EventFilter,
    /// Sealed.
    pub secret: Vec<u8>,
    /// Sealed; signs too until then.
    pub previous: Option<(Vec<u8>, Timestamp)>,
    pub created: Timestamp,
    pub off: Option<(OffReason, Timestamp)>,
    pub health: ReceiverHealth,
}

#[derive(Clone, Debug)]
pub struct WebhookCreate {
    pub id: WebhookId,
    pub name: String,
    pub url: String,
    pub format: HookFormat,
    pub wants: EventFilter,
    /// Sealed.
    pub secret: Vec<u8>,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug)]
pub struct WebhookEdit {
    pub id: WebhookId,
    pub name: Option<String>,
    pub url: Option<String>,
    pub wants: Option<EventFilter>,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug)]
pub struct WebhookRotate {
    pub id: WebhookId,
    /// Sealed.
    pub secret: Vec<u8>,
    pub overlap_until: Timestamp,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

/// What is copied to subscriptions, and the events that it was copied from.
#[derive(Clone, Debug)]
pub struct FanOut {
    pub fence: LaneFence,
    pub events: Vec<Message>,
    pub copies: Vec<NewMessage>,
    pub now: Timestamp,
}

domain::names! {
    /// What came of one attempt.
    pub enum AttemptOutcome {
        Done = "done",
        Again = "again",
        Dead = "dead",
    }
}

/// One attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryRow {
    pub id: i64,
    pub webhook: WebhookId,
    /// The same in every attempt.
    pub delivery: i64,
    pub user: Option<UserId>,
    pub kind: String,
    pub subject: i64,
    pub attempt: u32,
    pub at: Timestamp,
    pub took_ms: i64,
    pub came: AttemptOutcome,
    pub status: Option<u16>,
    pub error: Option<String>,
    pub request_head: String,
    pub request_body: String,
    /// The beginning of it.
    pub answer: String,
    /// When it was put back after this attempt.
    pub replayed: Option<Timestamp>,
}

/// Attempts of one subscription, those of one batch.
#[derive(Clone, Debug)]
pub struct AttemptBatch {
    pub webhook: WebhookId,
    pub rows: Vec<DeliveryRow>,
    /// Of the step that switches a receiver off that is given up.
    pub signed: AuditStamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayWhich {
    One(i64),
    /// Attempts that began within, the oldest first.
    Between {
        from: Timestamp,
        until: Timestamp,
    },
}

#[derive(Clone, Debug)]
pub struct Replay {
    pub webhook: WebhookId,
    pub which: ReplayWhich,
    pub signed: AuditStamp,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayCount {
    pub deliveries: u64,
    /// Asking again goes on.
    pub more: bool,
}

/// Which attempts stay in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptRetention {
    pub since: Timestamp,
    /// Of one subscription, the newest.
    pub rows: u32,
}
