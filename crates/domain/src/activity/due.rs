//! What the clock asks of an activity.
//!
//! The job keeps `look_at` beside the state and asks for what is due by it. After the step that was due, nothing more
//! is due at that moment, so asking for the first page again and again comes to an end, with no cursor to lose.

use super::configuration::Window;
use super::life::{Action, Life, LifeState};
use crate::time::Timestamp;

/// The step that is due now: exact at both ends of the window. What was missed whole, for instance because the machine
/// was off, ends without having run.
pub fn due(state: LifeState, window: Window, now: Timestamp) -> Option<Action> {
    match state {
        LifeState::Approved | LifeState::Reopened => {
            if now >= window.until {
                Some(Action::End)
            } else {
                (now >= window.from).then_some(Action::Start)
            }
        }
        LifeState::Running | LifeState::Paused => (now >= window.until).then_some(Action::End),
        LifeState::Editing | LifeState::InReview | LifeState::Refused | LifeState::Closed => None,
    }
}

/// The moment from which something is due; it may have passed. `None` while only people move it.
pub fn look_at(state: LifeState, window: Window) -> Option<Timestamp> {
    match state {
        LifeState::Approved | LifeState::Reopened => Some(window.from),
        LifeState::Running | LifeState::Paused => Some(window.until),
        LifeState::Editing | LifeState::InReview | LifeState::Refused | LifeState::Closed => None,
    }
}

impl Life {
    /// Where it stands by the clock, whether or not somebody has carried the clock's steps out yet.
    #[must_use]
    pub fn at(self, window: Window, now: Timestamp) -> Life {
        let state = match due(self.state, window, now) {
            Some(Action::Start) => LifeState::Running,
            Some(Action::End) => LifeState::Closed,
            _ => self.state,
        };
        Life { state, ..self }
    }

    /// Where it stands once a newer version's window is in place: one that was running waits again if its start has
    /// moved into the future.
    #[must_use]
    pub fn renew(self, window: Window, now: Timestamp) -> Life {
        let state = match self.state {
            LifeState::Running if now < window.from => LifeState::Approved,
            other => other,
        };
        Life { state, ..self }.at(window, now)
    }
}
