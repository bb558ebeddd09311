//! Where one prize stands, and what follows a step.

use super::granting::Grant;
use super::kind::Kind;
use super::state::{State, Step};
use crate::Rejection;
use crate::time::Timestamp;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FulfilmentStatus {
    pub kind: Kind,
    pub state: State,
    /// When what waits is granted by the clock; nothing where it waits for an operator.
    pub due: Option<Timestamp>,
    /// How long its winner has to claim it, from when that becomes possible.
    pub claim_within_ms: Option<i64>,
    /// The first moment at which it cannot be claimed any more.
    pub claim_until: Option<Timestamp>,
}

/// What is told to others in the same transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// A message in the lane of its kind.
    Message(&'static str),
    /// The unit goes back to where it came from.
    Return,
}

impl FulfilmentStatus {
    /// A prize that was just won. A text that is granted at once is given by saying so: it needs no row at all.
    pub fn begin(kind: Kind, grant: Grant, claim_within_ms: Option<i64>, won: Timestamp) -> Self {
        let waiting = Self { kind, state: State::Waiting, due: None, claim_within_ms, claim_until: None };
        match grant {
            Grant::ByHand => waiting,
            Grant::At(at) if at > won => Self { due: Some(at), ..waiting },
            Grant::At(_) | Grant::Now => waiting.granted(won),
        }
    }

    /// What follows a step, or why it cannot be taken.
    pub fn take(self, step: Step, now: Timestamp) -> Result<Self, Rejection> {
        let to = |state| Ok(Self { state, ..self });
        match (self.state, step) {
            (State::Waiting, Step::Release) => Ok(self.granted(now)),
            (State::Waiting, Step::Due) => match self.due {
                Some(due) if now >= due => Ok(self.granted(now)),
                Some(due) => Err(Rejection::NotDue { at: due }),
                None => Err(self.illegal(step)),
            },
            (State::Claimable, Step::Claim) => match self.claim_until {
                Some(until) if now >= until => Err(Rejection::ClaimOver { at: until }),
                Some(_) | None => to(self.claimed()),
            },
            // The same answer before and after the clock has noticed.
            (State::Unclaimed, Step::Claim) => match self.claim_until {
                Some(until) => Err(Rejection::ClaimOver { at: until }),
                None => Err(self.illegal(step)),
            },
            (State::Claimable, Step::Lapse) => match self.claim_until {
                Some(until) if now >= until => to(State::Unclaimed),
                Some(until) => Err(Rejection::NotDue { at: until }),
                None => Err(self.illegal(step)),
            },
            (State::Ready, Step::Give) | (State::Shipped, Step::Deliver) => to(State::Given),
            (State::Ready, Step::HandOver) => to(State::HandedOver),
            (State::Ready, Step::Fail) | (State::HandedOver | State::Shipped, Step::ReportFailed) => {
                to(State::Failed)
            }
            (State::HandedOver | State::Shipped, Step::ReportGiven) => to(State::Given),
            (State::ToShip | State::Shipped, Step::Ship) => to(State::Shipped),
            // A parcel that came back, or never arrived, is sent once more.
            (State::Failed, Step::Redrive) => to(self.claimed()),
            (
                State::Waiting | State::Claimable | State::ToShip | State::HandedOver | State::Failed,
                Step::Void,
            ) => to(State::Voided),
            (State::Given, Step::Void) => match self.kind {
                // Windfall keeps these itself, and takes them back.
                Kind::Points | Kind::Chances => to(State::Voided),
                kind @ (Kind::Text | Kind::Code | Kind::Coupon | Kind::Parcel) => {
                    Err(Rejection::GivenForGood { kind })
                }
            },
            _ => Err(self.illegal(step)),
        }
    }

    /// What has to be told when a step has led here. Of what is under way somebody is told; what nobody will have any
    /// more goes back.
    pub fn follows(&self) -> Option<Follows> {
        match self.state {
            State::Ready => self.kind.lane().map(Follows::Message),
            State::Unclaimed | State::Voided => Some(Follows::Return),
            State::Waiting
            | State::Claimable
            | State::ToShip
            | State::Shipped
            | State::HandedOver
            | State::Given
            | State::Failed => None,
        }
    }

    /// Granted now: to be claimed, if that is asked for; a parcel always, because it needs an address.
    fn granted(self, now: Timestamp) -> Self {
        let claimable = self.kind == Kind::Parcel || self.claim_within_ms.is_some();
        if claimable {
            let claim_until = self.claim_within_ms.map(|within| now + within);
            return Self { state: State::Claimable, claim_until, ..self };
        }
        Self { state: self.claimed(), ..self }
    }

    fn claimed(self) -> State {
        match self.kind {
            Kind::Text => State::Given,
            Kind::Parcel => State::ToShip,
            Kind::Code | Kind::Coupon | Kind::Points | Kind::Chances => State::Ready,
        }
    }

    fn illegal(self, step: Step) -> Rejection {
        Rejection::FulfilmentStepIllegal { state: self.state, step }
    }
}
