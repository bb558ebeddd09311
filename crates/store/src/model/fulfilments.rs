//! Prizes on their way to their winners. Every step is decided by `domain::fulfilment` under a lock, and is written in one
//! transaction with the message and the audit line that it makes.

use std::borrow::Cow;

use domain::fulfilment::{FulfilmentSource, FulfilmentState, FulfilmentStatus, FulfilmentStep, PrizeKind};
use domain::ids::{ActivityId, CodePoolId, FulfilmentId, UserId};
use domain::lottery::strategy::PrizeId;
use domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::{AuditStamp, Once};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FulfilmentRow {
    pub id: FulfilmentId,
    pub source: FulfilmentSource,
    pub user: UserId,
    /// Of points and chances; 1 of everything else.
    pub amount: u64,
    pub pool: Option<CodePoolId>,
    pub standing: FulfilmentStatus,
    pub made: Timestamp,
    pub changed: Timestamp,
    pub claimed: Option<Timestamp>,
    /// Sealed.
    pub address: Option<Vec<u8>>,
    pub carrier: Option<String>,
    pub tracking: Option<String>,
    /// What the other system called it, or why it failed or was voided.
    pub note: Option<String>,
    /// How often it was tried once more.
    pub redriven: u32,
}

impl FulfilmentRow {
    /// What the message says that gives it, or takes its unit back.
    pub fn body(&self) -> FulfilMessage {
        FulfilMessage { source: self.source, amount: self.amount, pool: self.pool, redriven: self.redriven }
    }

    /// The message that gives it has its id, so that a delivery is known by the prize it is for.
    pub fn message_id(&self) -> i64 {
        self.id.0
    }

    /// The message that takes its unit back needs one of its own.
    pub fn return_id(&self) -> i64 {
        !self.id.0
    }
}

/// What a message says that gives a prize: all that a handler needs beside the user and the fulfilment's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "FulfilJson", try_from = "FulfilJson")]
pub struct FulfilMessage {
    pub source: FulfilmentSource,
    pub amount: u64,
    pub pool: Option<CodePoolId>,
    /// How often it was tried once more.
    pub redriven: u32,
}

/// As it is written.
#[derive(Serialize, Deserialize)]
struct FulfilJson {
    source: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    activity: Option<ActivityId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prize: Option<u16>,
    amount: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pool: Option<CodePoolId>,
    #[serde(default, skip_serializing_if = "is_zero")]
    redriven: u32,
}

impl From<FulfilMessage> for FulfilJson {
    fn from(FulfilMessage { source, amount, pool, redriven }: FulfilMessage) -> Self {
        let (name, prize) = (Cow::Borrowed(source.name()), source.prize().map(PrizeId::number));
        Self { source: name, activity: source.activity(), prize, amount, pool, redriven }
    }
}

impl TryFrom<FulfilJson> for FulfilMessage {
    type Error = &'static str;

    fn try_from(json: FulfilJson) -> Result<Self, Self::Error> {
        let FulfilJson { source, activity, prize, amount, pool, redriven } = json;
        let source = FulfilmentSource::from_parts(&source, activity, prize.and_then(PrizeId::new));
        Ok(Self { source: source.ok_or("it is given for nothing")?, amount, pool, redriven })
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Which are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FulfilmentSearch {
    pub state: Option<FulfilmentState>,
    pub kind: Option<PrizeKind>,
    pub activity: Option<ActivityId>,
}

/// What goes with a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepDetails {
    /// Sealed; of a claim.
    pub address: Option<Vec<u8>>,
    pub carrier: Option<String>,
    pub tracking: Option<String>,
    pub note: Option<String>,
    /// Which try a report is of; nothing for the newest.
    pub redriven: Option<u32>,
}

/// A step of its winner.
#[derive(Clone, Debug)]
pub struct FulfilmentClaim {
    pub id: FulfilmentId,
    pub user: UserId,
    pub address: Option<Vec<u8>>,
    pub now: Timestamp,
    pub once: Option<Once>,
}

/// A step of somebody who is named in the audit log.
#[derive(Clone, Debug)]
pub struct FulfilmentAct {
    pub id: FulfilmentId,
    pub step: FulfilmentStep,
    pub details: StepDetails,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

/// What a buyer has of things that were ordered, each once: `code_given`, `parcel_shipped`. It stays theirs when the money goes
/// back.
pub fn already_given<'a>(things: impl Iterator<Item = &'a FulfilmentRow>) -> Vec<String> {
    let theirs = things.filter(|row| {
        matches!(
            row.standing.state,
            FulfilmentState::Given | FulfilmentState::Shipped | FulfilmentState::HandedOver
        )
    });
    let mut all: Vec<String> =
        theirs.map(|row| format!("{}_{}", row.standing.kind.name(), row.standing.state.name())).collect();
    all.sort_unstable();
    all.dedup();
    all
}
