//! The answer for an id that has left memory, from what the database kept of it.
//!
//! It is the answer [`Ledger::apply`](super::Ledger::apply) would have given while the record was still there: an
//! accepted id always answers the same. A property test holds the two against each other.

use super::command::{Command, Take};
use super::decide::{body, taken_units};
use super::play::{Account, Play, PlayOutcome, TicketView};
use super::record::{HoldState, HoldView};
use super::refusal::{HoldRefusal, Refusal};
use super::state::{Answer, Effect};

/// What the database knows of an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    Hold {
        view: HoldView,
        body: u64,
    },
    /// Cancelled before its hold arrived.
    Spent,
    /// A command to a pool or an activity that was done at once, and what it was about as the database has it.
    Change {
        body: u64,
        outcome: Effect,
    },
    /// And the chances of its player in its round.
    Ticket {
        view: TicketView,
        account: Account,
        body: u64,
    },
}

/// `None`: the hold is open in the database, so by now the ledger has it; ask the ledger again.
pub fn recall(stored: &Stored, command: &Command) -> Option<Answer> {
    if let Stored::Hold { view, .. } = stored
        && view.state == HoldState::Held
    {
        return None;
    }
    let answer = match command {
        Command::PoolOpen { .. }
        | Command::PoolAdjust { .. }
        | Command::PoolLimit { .. }
        | Command::PoolState { .. }
        | Command::Play(
            Play::ActivityOpen { .. }
            | Play::ActivityTerms { .. }
            | Play::ActivityState { .. }
            | Play::PrizeState { .. }
            | Play::Halt { .. }
            | Play::Grant { .. }
            | Play::Revoke { .. },
        ) => match stored {
            Stored::Change { body: before, outcome } if *before == body(command) => {
                Answer::Replayed(outcome.clone())
            }
            Stored::Change { .. } | Stored::Hold { .. } | Stored::Ticket { .. } | Stored::Spent => {
                Refusal::Conflict.into()
            }
        },
        Command::Reserve { .. } => match stored {
            Stored::Hold { view, body: before } if *before == body(command) => again(view),
            Stored::Hold { .. } | Stored::Change { .. } | Stored::Ticket { .. } => Refusal::Conflict.into(),
            Stored::Spent => Refusal::Hold(HoldRefusal::AlreadyCancelled).into(),
        },
        Command::Confirm { hold: _, take } => ended(stored, |view| confirmed_alike(view, take)),
        Command::Cancel { .. } => ended(stored, |view| view.state == HoldState::Cancelled),
        Command::Extend { .. } => ended(stored, |_| false),
        Command::Play(Play::Draw(_) | Play::Enter { .. }) => match stored {
            Stored::Ticket { view, account, body: before } if *before == body(command) => {
                let (ticket, account) = (view.clone(), *account);
                Answer::Replayed(Effect::Play(PlayOutcome::Ticket { ticket, account }))
            }
            Stored::Ticket { .. } | Stored::Hold { .. } | Stored::Change { .. } | Stored::Spent => {
                Refusal::Conflict.into()
            }
        },
        // It names no id, so nobody looks one up for it.
        Command::ExpireOne => return None,
    };
    Some(answer)
}

/// What a command to a hold that has ended comes to: the same again if it is the one that ended it.
fn ended(stored: &Stored, the_same: impl FnOnce(&HoldView) -> bool) -> Answer {
    match stored {
        Stored::Hold { view, .. } if the_same(view) => again(view),
        Stored::Hold { view, .. } => match view.state {
            HoldState::Confirmed => Refusal::Hold(HoldRefusal::AlreadyConfirmed).into(),
            HoldState::Cancelled => Refusal::Hold(HoldRefusal::AlreadyCancelled).into(),
            HoldState::Expired | HoldState::Held => Refusal::Hold(HoldRefusal::Expired).into(),
        },
        Stored::Spent => Refusal::Hold(HoldRefusal::AlreadyCancelled).into(),
        Stored::Change { .. } | Stored::Ticket { .. } => Refusal::Hold(HoldRefusal::Unknown).into(),
    }
}

fn confirmed_alike(view: &HoldView, take: &Take) -> bool {
    let taken = taken_units(&view.lines, |line| (line.pool, line.units), take);
    view.state == HoldState::Confirmed
        && taken.is_ok_and(|taken| taken.iter().eq(view.lines.iter().map(|line| &line.taken)))
}

fn again(view: &HoldView) -> Answer {
    Answer::Replayed(Effect::Hold(view.clone()))
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
