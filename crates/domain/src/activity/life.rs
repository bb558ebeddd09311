//! The life of an activity: which action is possible in which state, for whom and when.

use super::configuration::Window;
use super::refusal::StepRefusal;
use crate::access::{Decider, second_person};
use crate::ids::UserId;
use crate::ledger::play::ActivityState;
use crate::time::Timestamp;

crate::names! {
    pub enum LifeState {
        Editing = "editing",
        /// 提审.
        InReview = "in_review",
        /// 通过: waits for its start.
        Approved = "approved",
        /// 拒绝.
        Refused = "refused",
        Running = "running",
        /// The kill switch: still in its window, nobody draws.
        Paused = "paused",
        Closed = "closed",
        /// Open for another round, and waiting for its start as an approved one is.
        Reopened = "reopened",
    }
}

impl LifeState {
    /// What the ledger is told that it is; nothing before it was ever approved, when the ledger knows nothing of it.
    pub const fn in_ledger(self) -> Option<ActivityState> {
        match self {
            Self::Approved | Self::Reopened | Self::Running => Some(ActivityState::Open),
            Self::Paused => Some(ActivityState::Paused),
            Self::Closed => Some(ActivityState::Closed),
            Self::Editing | Self::InReview | Self::Refused => None,
        }
    }

    /// Whether the configuration is out of its authors' hands: from approval on it changes by versions only.
    pub const fn published(self) -> bool {
        match self {
            Self::Editing | Self::InReview | Self::Refused => false,
            Self::Approved | Self::Running | Self::Paused | Self::Closed | Self::Reopened => true,
        }
    }
}

crate::names! {
    pub enum Action {
        /// Changes the configuration in place; a refused one is taken up again.
        Edit = "edit",
        /// Takes the version in the making back; it is no step of a life, since an activity that was never published ends with it.
        Discard = "discard",
        Submit = "submit",
        /// 撤审, by one of its authors.
        Withdraw = "withdraw",
        Approve = "approve",
        Refuse = "refuse",
        /// At the start of the window: the clock's.
        Start = "start",
        /// At the end of the window: the clock's.
        End = "end",
        /// By hand, before the end.
        Close = "close",
        Reopen = "reopen",
        Pause = "pause",
        Resume = "resume",
    }
}

/// Where an activity stands. The first round is 1; reopening begins the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    pub state: LifeState,
    pub round: u32,
}

impl Life {
    pub const NEW: Life = Life { state: LifeState::Editing, round: 1 };

    /// What follows, or why not. `authors` are all who wrote a part of the configuration or submitted it. Who may act at
    /// all (operator, reviewer) is the caller's to check; the clock's own actions ask for no person, since they are
    /// possible only when they are due.
    pub fn step(
        self,
        action: Action,
        authors: &[UserId],
        by: Decider,
        now: Timestamp,
        window: Window,
    ) -> Result<Life, StepRefusal> {
        use LifeState::{Approved, Closed, Editing, InReview, Paused, Refused, Reopened, Running};
        let not_over =
            || if now < window.until { Ok(()) } else { Err(StepRefusal::WindowOver { at: window.until }) };
        let reached = |at| if now >= at { Ok(()) } else { Err(StepRefusal::NotDue { at }) };
        let state = match (action, self.state) {
            (Action::Edit, Editing | Refused) => Editing,
            (Action::Submit, Editing) => {
                not_over()?;
                InReview
            }
            (Action::Withdraw, InReview) => {
                own(authors, by)?;
                Editing
            }
            (Action::Approve, InReview) => {
                others(authors, by)?;
                not_over()?;
                Approved
            }
            (Action::Refuse, InReview) => {
                others(authors, by)?;
                Refused
            }
            (Action::Start, Approved | Reopened) => {
                not_over()?;
                reached(window.from)?;
                Running
            }
            (Action::End, Approved | Reopened | Running | Paused) => {
                reached(window.until)?;
                Closed
            }
            (Action::Close, Approved | Reopened | Running | Paused) => Closed,
            (Action::Reopen, Closed) => {
                not_over()?;
                let round = self.round.checked_add(1).ok_or(StepRefusal::RoundsSpent)?;
                return Ok(Life { state: Reopened, round });
            }
            // Whoever pulls the switch twice has pulled it.
            (Action::Pause, Running | Paused) => Paused,
            (Action::Resume, Paused | Running) => {
                not_over()?;
                Running
            }
            (
                Action::Edit
                | Action::Discard
                | Action::Submit
                | Action::Withdraw
                | Action::Approve
                | Action::Refuse
                | Action::Start
                | Action::End
                | Action::Close
                | Action::Reopen
                | Action::Pause
                | Action::Resume,
                state,
            ) => return Err(StepRefusal::StepIllegal { state, action }),
        };
        Ok(Life { state, ..self })
    }
}

fn others(authors: &[UserId], by: Decider) -> Result<(), StepRefusal> {
    authors.iter().try_for_each(|author| second_person(Some(*author), by)).map_err(|_| StepRefusal::OwnWork)
}

fn own(authors: &[UserId], by: Decider) -> Result<(), StepRefusal> {
    match by {
        Decider::Person(person) if !authors.contains(&person) => Err(StepRefusal::NotAuthor),
        Decider::Person(_) | Decider::Console => Ok(()),
    }
}
