//! The answer for an id that has left memory, from what the database kept of it.
//!
//! It is the answer [`Ledger::apply`](super::Ledger::apply) would have given while the record was still there: an
//! accepted id always answers the same. A property test holds the two against each other.

use super::command::{Command, Take};
use super::decide::taken_units;
use super::digest::CommandDigest;
use super::play::{Account, PlayOutcome, TicketView};
use super::record::{HoldState, HoldView};
use super::refusal::{HoldRefusal, Refusal};
use super::state::{Answer, Effect};

/// What the database knows of an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    Hold {
        view: HoldView,
        digest: CommandDigest,
    },
    /// Cancelled before its hold arrived.
    Spent,
    /// And what it was about, as the database has it.
    Directive {
        digest: CommandDigest,
        outcome: Effect,
    },
    /// And the chances of its player in its round.
    Ticket {
        view: TicketView,
        account: Account,
        digest: CommandDigest,
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
        Command::Direct(_) => match stored {
            Stored::Directive { digest, outcome } if *digest == command.digest() => {
                Answer::Replayed(outcome.clone())
            }
            Stored::Directive { .. } | Stored::Hold { .. } | Stored::Ticket { .. } | Stored::Spent => {
                Refusal::Conflict.into()
            }
        },
        Command::Reserve { .. } => match stored {
            Stored::Hold { view, digest } if *digest == command.digest() => again(view),
            Stored::Hold { .. } | Stored::Directive { .. } | Stored::Ticket { .. } => {
                Refusal::Conflict.into()
            }
            Stored::Spent => Refusal::Hold(HoldRefusal::AlreadyCancelled).into(),
        },
        Command::Confirm { hold: _, take } => ended(stored, |view| confirmed_alike(view, take)),
        Command::Cancel { .. } => ended(stored, |view| view.state == HoldState::Cancelled),
        Command::Extend { .. } => ended(stored, |_| false),
        Command::Draw(_) | Command::Enter { .. } => match stored {
            Stored::Ticket { view, account, digest } if *digest == command.digest() => {
                let (ticket, account) = (view.clone(), *account);
                Answer::Replayed(Effect::Play(PlayOutcome::Ticket { ticket, account }))
            }
            Stored::Ticket { .. } | Stored::Hold { .. } | Stored::Directive { .. } | Stored::Spent => {
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
        Stored::Directive { .. } | Stored::Ticket { .. } => Refusal::Hold(HoldRefusal::Unknown).into(),
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
