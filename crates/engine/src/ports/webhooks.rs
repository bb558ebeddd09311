//! Subscriptions to events, the messages that go to them, and the log of what was delivered.
//!
//! An event is told in the transaction of the rows it speaks of, as a message in the lane [`EVENTS`]. From there it is
//! copied into the lane of each subscription that wants it: a slow receiver holds up no other.

use async_trait::async_trait;
use domain::Rejection;
use domain::ids::{UserId, WebhookId};
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;
use domain::webhook::{Health, Wants};

use super::{Fence, LaneFence, Made, Message, NewMessage, Once, Signed};
use crate::failure::Outcome;

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

/// Why a subscription gets nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffWhy {
    ByHand,
    Failing,
}

impl OffWhy {
    pub const ALL: [Self; 2] = [Self::ByHand, Self::Failing];

    pub const fn name(self) -> &'static str {
        match self {
            Self::ByHand => "by_hand",
            Self::Failing => "failing",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|why| why.name() == name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookRow {
    pub id: WebhookId,
    pub name: String,
    pub url: String,
    pub wants: Wants,
    /// Sealed.
    pub secret: Vec<u8>,
    /// Sealed; signs too until then.
    pub previous: Option<(Vec<u8>, Timestamp)>,
    pub created: Timestamp,
    pub off: Option<(OffWhy, Timestamp)>,
    pub health: Health,
}

#[derive(Clone, Debug)]
pub struct WebhookCreate {
    pub id: WebhookId,
    pub name: String,
    pub url: String,
    pub wants: Wants,
    /// Sealed.
    pub secret: Vec<u8>,
    pub once: Option<Once>,
    pub signed: Signed,
}

#[derive(Clone, Debug)]
pub struct WebhookEdit {
    pub id: WebhookId,
    pub name: Option<String>,
    pub url: Option<String>,
    pub wants: Option<Wants>,
    pub signed: Signed,
}

#[derive(Clone, Debug)]
pub struct WebhookRotate {
    pub id: WebhookId,
    /// Sealed.
    pub secret: Vec<u8>,
    pub overlap_until: Timestamp,
    pub once: Option<Once>,
    pub signed: Signed,
}

/// What is copied to subscriptions, and the events that it was copied from.
#[derive(Clone, Debug)]
pub struct FanOut {
    pub fence: LaneFence,
    pub events: Vec<Message>,
    pub copies: Vec<NewMessage>,
    pub now: Timestamp,
}

/// What came of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptCame {
    Done,
    Again,
    Dead,
}

impl AttemptCame {
    pub const ALL: [Self; 3] = [Self::Done, Self::Again, Self::Dead];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Again => "again",
            Self::Dead => "dead",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|came| came.name() == name)
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
    pub came: AttemptCame,
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
pub struct Attempted {
    pub webhook: WebhookId,
    pub rows: Vec<DeliveryRow>,
    /// Of the step that switches a receiver off that is given up.
    pub signed: Signed,
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
    pub signed: Signed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    pub deliveries: u64,
    /// Asking again goes on.
    pub more: bool,
}

/// Which attempts stay in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    pub since: Timestamp,
    /// Of one subscription, the newest.
    pub rows: u32,
}

#[async_trait]
pub trait Webhooks: Send + Sync {
    async fn webhook_create(&self, step: WebhookCreate) -> Outcome<Made>;
    async fn webhook_edit(&self, step: WebhookEdit) -> Outcome<WebhookRow>;
    async fn webhook_rotate(&self, step: WebhookRotate) -> Outcome<Made>;
    /// Switching on what is on, or off what is off, changes nothing.
    async fn webhook_switch(&self, id: WebhookId, on: bool, signed: Signed) -> Outcome<WebhookRow>;
    async fn webhook_remove(&self, id: WebhookId, signed: Signed) -> Outcome<()>;
    /// The newest first; [`WEBHOOKS_MAX`] at most.
    async fn webhook_list(&self) -> Outcome<Vec<WebhookRow>>;
    async fn webhook_find(&self, id: WebhookId) -> Outcome<Option<WebhookRow>>;

    /// Copies and events in one transaction.
    async fn fan_out(&self, step: FanOut) -> Outcome<()>;
    /// A message for one subscription alone.
    async fn webhook_tell(&self, id: WebhookId, message: NewMessage, signed: Signed) -> Outcome<()>;
    /// Writes attempts down, and how the receiver does. Answers whether it was given up just now.
    async fn deliveries_write(&self, step: Attempted) -> Outcome<bool>;
    /// The newest first; of one delivery if it is named.
    async fn deliveries(
        &self,
        id: WebhookId,
        delivery: Option<i64>,
        page: PageRequest,
    ) -> Outcome<Page<DeliveryRow>>;
    /// Puts deliveries back under their own ids. What waits already is left alone among many, and refused if asked for.
    async fn delivery_replay(&self, step: Replay) -> Outcome<Replayed>;
    /// Clears away what is not kept, and what was removed. Answers how many rows went.
    async fn deliveries_sweep(&self, fence: Fence, keep: Keep, limit: u32) -> Outcome<u64>;

    /// The company's own ids of users, of those who have one.
    async fn external_ids(&self, users: Vec<UserId>) -> Outcome<Vec<(UserId, String)>>;
}

/// One request to a receiver.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    pub url: &'a str,
    pub headers: &'a [(&'static str, String)],
    pub body: &'a str,
}

/// What a receiver said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// [`ANSWER_MAX`] bytes at most.
    pub body: Vec<u8>,
}

/// Carries requests to receivers that strangers have named.
#[async_trait]
pub trait Outbound: Send + Sync {
    /// Refuses an address that is plainly none, or plainly private.
    fn check(&self, url: &str) -> Result<(), Rejection>;
    /// One attempt, within a bounded time; or why there was no whole answer. Redirects are answers like any other.
    async fn post(&self, call: Call<'_>) -> Result<Answer, String>;
}
