//! Where one prize stands, and what follows a step.

use super::granting::Grant;
use super::kind::PrizeKind;
use super::state::{FulfilmentState, FulfilmentStep};
use crate::Rejection;
use crate::time::Timestamp;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FulfilmentStatus {
    pub kind: PrizeKind,
    pub state: FulfilmentState,
    /// When what waits is granted by the clock; nothing where it waits for an operator.
    pub due: Option<Timestamp>,
    /// How long its winner has to claim it, from when that becomes possible.
    pub claim_within_ms: Option<i64>,
    /// The first moment at which it cannot be claimed any more.
    pub claim_until: Option<Timestamp>,
}

/// What is told to others in the same transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowUp {
    /// A message in the lane of its kind.
    Message(&'static str),
    /// The unit goes back to where it came from.
    Return,
}

impl FulfilmentStatus {
    /// A prize that was just won. A text that is granted at once is given by saying so: it needs no row at all.
    pub fn begin(kind: PrizeKind, grant: Grant, claim_within_ms: Option<i64>, won: Timestamp) -> Self {
        let waiting =
            Self { kind, state: FulfilmentState::Waiting, due: None, claim_within_ms, claim_until: None };
        match grant {
            Grant::ByHand => waiting,
            Grant::At(at) if at > won => Self { due: Some(at), ..waiting },
            Grant::At(_) | Grant::Now => waiting.granted(won),
        }
    }

    /// What follows a step, or why it cannot be taken.
    pub fn take(self, step: FulfilmentStep, now: Timestamp) -> Result<Self, Rejection> {
        let to = |state| Ok(Self { state, ..self });
        match (self.state, step) {
            (FulfilmentState::Waiting, FulfilmentStep::Release) => Ok(self.granted(now)),
            (FulfilmentState::Waiting, FulfilmentStep::Due) => match self.due {
                Some(due) if now >= due => Ok(self.granted(now)),
                Some(due) => Err(Rejection::NotDue { at: due }),
                None => Err(self.illegal(step)),
            },
            (FulfilmentState::Claimable, FulfilmentStep::Claim) => match self.claim_until {
                Some(until) if now >= until => Err(Rejection::ClaimOver { at: until }),
                Some(_) | None => to(self.kind.state_when_claimed()),
            },
            // The same answer before and after the clock has noticed.
            (FulfilmentState::Unclaimed, FulfilmentStep::Claim) => match self.claim_until {
                Some(until) => Err(Rejection::ClaimOver { at: until }),
                None => Err(self.illegal(step)),
            },
            (FulfilmentState::Claimable, FulfilmentStep::Lapse) => match self.claim_until {
                Some(until) if now >= until => to(FulfilmentState::Unclaimed),
                Some(until) => Err(Rejection::NotDue { at: until }),
                None => Err(self.illegal(step)),
            },
            (FulfilmentState::Ready, FulfilmentStep::Give)
            | (FulfilmentState::Shipped, FulfilmentStep::Deliver) => to(FulfilmentState::Given),
            (FulfilmentState::Ready, FulfilmentStep::HandOver) => to(FulfilmentState::HandedOver),
            (FulfilmentState::Ready, FulfilmentStep::Fail)
            | (FulfilmentState::HandedOver | FulfilmentState::Shipped, FulfilmentStep::ReportFailed) => {
                to(FulfilmentState::Failed)
            }
            (FulfilmentState::HandedOver | FulfilmentState::Shipped, FulfilmentStep::ReportGiven) => {
                to(FulfilmentState::Given)
            }
            (FulfilmentState::ToShip | FulfilmentState::Shipped, FulfilmentStep::Ship) => {
                to(FulfilmentState::Shipped)
            }
            // A parcel that came back, or never arrived, is sent once more.
            (FulfilmentState::Failed, FulfilmentStep::Redrive) => to(self.kind.state_when_claimed()),
            (
                FulfilmentState::Waiting
                | FulfilmentState::Claimable
                | FulfilmentState::ToShip
                | FulfilmentState::HandedOver
                | FulfilmentState::Failed,
                FulfilmentStep::Void,
            ) => to(FulfilmentState::Voided),
            (FulfilmentState::Given, FulfilmentStep::Void) if self.kind.returnable().is_some() => {
                to(FulfilmentState::Voided)
            }
            (FulfilmentState::Given, FulfilmentStep::Void) => {
                Err(Rejection::GivenForGood { kind: self.kind })
            }
            _ => Err(self.illegal(step)),
        }
    }

    /// What has to be told when a step has led here. Of what is under way somebody is told; what nobody will have any
    /// more goes back.
    pub fn follows(&self) -> Option<FollowUp> {
        match self.state {
            FulfilmentState::Ready => self.kind.lane().map(FollowUp::Message),
            FulfilmentState::Unclaimed | FulfilmentState::Voided => Some(FollowUp::Return),
            FulfilmentState::Waiting
            | FulfilmentState::Claimable
            | FulfilmentState::ToShip
            | FulfilmentState::Shipped
            | FulfilmentState::HandedOver
            | FulfilmentState::Given
            | FulfilmentState::Failed => None,
        }
    }

    /// Granted now: to be claimed, if that is asked for or an address is needed.
    fn granted(self, now: Timestamp) -> Self {
        let claimable = self.kind.needs_address() || self.claim_within_ms.is_some();
        if claimable {
            let claim_until = self.claim_within_ms.map(|within| now + within);
            return Self { state: FulfilmentState::Claimable, claim_until, ..self };
        }
        Self { state: self.kind.state_when_claimed(), ..self }
    }

    fn illegal(self, step: FulfilmentStep) -> Rejection {
        Rejection::FulfilmentStepIllegal { state: self.state, step }
    }
}
