//! Every "no" of an activity's life.

use super::life::{Action, State};
use crate::Lang;
use crate::time::Timestamp;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepRefusal {
    /// This action does not exist in this state.
    StepIllegal {
        state: State,
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

    /// What to tell a person.
    pub fn text(&self, lang: Lang) -> String {
        match (self, lang) {
            (Self::StepIllegal { state, action }, Lang::En) => {
                format!("An activity that is {} does not take the step {}.", state.name(), action.name())
            }
            (Self::StepIllegal { state, action }, Lang::Zh) => {
                format!("活动处于 {} 状态，不能执行 {}。", state.name(), action.name())
            }
            (Self::OwnWork, Lang::En) => {
                "A second person has to decide this: you wrote a part of it.".to_owned()
            }
            (Self::OwnWork, Lang::Zh) => "须由另一人审批：您参与了编辑。".to_owned(),
            (Self::NotAuthor, Lang::En) => "Only those who wrote it can withdraw it.".to_owned(),
            (Self::NotAuthor, Lang::Zh) => "只有编辑者可以撤审。".to_owned(),
            (Self::NotDue { at }, Lang::En) => format!("Not before {at}."),
            (Self::NotDue { at }, Lang::Zh) => format!("须等到 {at}。"),
            (Self::WindowOver { at }, Lang::En) => {
                format!("Its window ended at {at}. Give it a later window first.")
            }
            (Self::WindowOver { at }, Lang::Zh) => format!("活动时间已于 {at} 结束，请先调整活动时间。"),
            (Self::RoundsSpent, Lang::En) => "It cannot be opened another time.".to_owned(),
            (Self::RoundsSpent, Lang::Zh) => "活动重开次数已达上限。".to_owned(),
        }
    }
}
