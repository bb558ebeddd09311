//! An answer in the form both the ledger and the reference can give: what came of it, without the event.

use std::fmt;

use domain::ledger::play::{ActivityState, PlayOutcome};
use domain::ledger::{Answer, Effect, HoldState, PoolState, Refusal};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    Accepted(Effect),
    Replayed(Effect),
    Refused(Refusal),
    LookUp,
}

impl From<&Answer> for Said {
    fn from(answer: &Answer) -> Self {
        match answer {
            Answer::Accepted { outcome, event: _ } => Self::Accepted(outcome.clone()),
            Answer::Replayed(outcome) => Self::Replayed(outcome.clone()),
            Answer::Refused(refusal) => Self::Refused(refusal.clone()),
            Answer::LookUp => Self::LookUp,
        }
    }
}

impl Said {
    /// The name a table of rows would give it.
    pub fn name(&self) -> String {
        match self {
            Self::Accepted(outcome) => state(outcome).to_owned(),
            Self::Replayed(outcome) => format!("{} again", state(outcome)),
            Self::Refused(refusal) => refusal.name().to_owned(),
            Self::LookUp => "look_up".to_owned(),
        }
    }
}

fn state(outcome: &Effect) -> &'static str {
    match outcome {
        Effect::Pool(view) => match view.state {
            PoolState::Open => "open",
            PoolState::Frozen => "frozen",
            PoolState::Closed => "closed",
        },
        Effect::Hold(view) => match view.state {
            HoldState::Held => "held",
            HoldState::Confirmed => "confirmed",
            HoldState::Cancelled => "cancelled",
            HoldState::Expired => "expired",
        },
        Effect::Play(PlayOutcome::Activity(view)) => match view.state {
            ActivityState::Open => "running",
            ActivityState::Paused => "paused",
            ActivityState::Closed => "ended",
        },
        Effect::Play(PlayOutcome::Chances { .. }) => "granted",
        Effect::Play(PlayOutcome::Halt { on: true }) => "halt",
        Effect::Play(PlayOutcome::Halt { on: false }) => "no halt",
        Effect::Play(PlayOutcome::Ticket { ticket, .. }) if ticket.receipt.is_some() => "drawn",
        Effect::Play(PlayOutcome::Ticket { .. }) => "entered",
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())?;
        match self {
            Self::Accepted(Effect::Pool(view)) | Self::Replayed(Effect::Pool(view)) => {
                write!(f, " {}={}+{}+{}", view.total, view.available, view.held, view.taken)
            }
            Self::Accepted(Effect::Hold(view)) | Self::Replayed(Effect::Hold(view)) => {
                write!(f, " until {}", view.due.0)?;
                view.lines.iter().try_for_each(|line| {
                    let (pool, round, units, taken) = (line.pool.0, line.round, line.units, line.taken);
                    write!(f, ", pool {pool}.{round}: {taken} of {units}")
                })
            }
            Self::Accepted(Effect::Play(play)) | Self::Replayed(Effect::Play(play)) => {
                write!(f, " {play:?}")
            }
            Self::Refused(refusal) => write!(f, " ({refusal:?})"),
            Self::LookUp => Ok(()),
        }
    }
}
