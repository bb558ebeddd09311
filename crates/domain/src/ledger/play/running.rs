//! Whether an activity runs at a moment. Asked by the ledger with its own time when something is taken, and by everybody who
//! tells callers beforehand what the ledger would say.

use super::ActivityState;
use crate::Rejection;
use crate::activity::Window;
use crate::time::Timestamp;

/// Why an activity does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRunning {
    /// Every activity is stopped.
    Halted,
    Paused,
    NotStarted,
    /// Its time is over, or it was closed by hand.
    Ended,
}

/// `halted` is the switch that stops every activity. The state comes before the window: what was paused before its start is
/// paused, and what was closed before its end has ended.
pub fn check_running(
    state: ActivityState,
    window: Window,
    halted: bool,
    now: Timestamp,
) -> Result<(), NotRunning> {
    match state {
        ActivityState::Closed => Err(NotRunning::Ended),
        ActivityState::Paused => Err(NotRunning::Paused),
        ActivityState::Open if halted => Err(NotRunning::Halted),
        ActivityState::Open if now < window.from => Err(NotRunning::NotStarted),
        ActivityState::Open if now >= window.until => Err(NotRunning::Ended),
        ActivityState::Open => Ok(()),
    }
}

impl NotRunning {
    /// As callers are told; `from` is the start of the window.
    pub fn rejection(self, from: Timestamp) -> Rejection {
        match self {
            Self::Halted => Rejection::Halted,
            Self::Paused => Rejection::Paused,
            Self::NotStarted => Rejection::NotStarted { from },
            Self::Ended => Rejection::Ended,
        }
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn whether_an_activity_runs() {
        let window = Window { from: Timestamp(100), until: Timestamp(200) };
        use ActivityState::{Closed, Open, Paused};
        for (state, halted, now, expected) in [
            (Open, false, 99, Err(NotRunning::NotStarted)),
            (Open, false, 100, Ok(())),
            (Open, false, 199, Ok(())),
            (Open, false, 200, Err(NotRunning::Ended)),
            (Open, true, 99, Err(NotRunning::Halted)),
            (Open, true, 150, Err(NotRunning::Halted)),
            (Open, true, 200, Err(NotRunning::Halted)),
            (Paused, false, 99, Err(NotRunning::Paused)),
            (Paused, false, 150, Err(NotRunning::Paused)),
            (Paused, false, 200, Err(NotRunning::Paused)),
            (Paused, true, 150, Err(NotRunning::Paused)),
            (Closed, false, 99, Err(NotRunning::Ended)),
            (Closed, false, 150, Err(NotRunning::Ended)),
            (Closed, true, 150, Err(NotRunning::Ended)),
        ] {
            let got = check_running(state, window, halted, Timestamp(now));
            assert_eq!(got, expected, "{state:?} {halted} {now}");
        }
    }
}
