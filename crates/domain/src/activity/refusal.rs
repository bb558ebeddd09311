//! Every "no" of an activity's life. Its texts are those of the [`Rejection`] of the same name.

use super::life::{Action, LifeState};
use crate::Rejection;
use crate::time::Timestamp;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepRefusal {
    /// This action does not exist in this state.
    StepIllegal {
        state: LifeState,
        action: Action,
    },
    /// A second person has to decide.
    OwnWork,
    /// Only those who wrote it take it back.
    NotAuthor,
    /// The clock is not there yet.
    NotDue {
        at: Timestamp,
    },
    /// The window has passed: nothing could run in it any more. A later window is a new version.
    WindowOver {
        at: Timestamp,
    },
    RoundsSpent,
}

impl StepRefusal {
    /// The stable name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::StepIllegal { .. } => "step_illegal",
            Self::OwnWork => "own_work",
            Self::NotAuthor => "not_author",
            Self::NotDue { .. } => "not_due",
            Self::WindowOver { .. } => "window_over",
            Self::RoundsSpent => "rounds_spent",
        }
    }
}

impl From<StepRefusal> for Rejection {
    fn from(refusal: StepRefusal) -> Self {
        match refusal {
            StepRefusal::StepIllegal { state, action } => Self::StepIllegal { state, action },
            StepRefusal::OwnWork => Self::OwnWork,
            StepRefusal::NotAuthor => Self::NotAuthor,
            StepRefusal::NotDue { at } => Self::NotDue { at },
            StepRefusal::WindowOver { at } => Self::WindowOver { at },
            StepRefusal::RoundsSpent => Self::RoundsSpent,
        }
    }
}
