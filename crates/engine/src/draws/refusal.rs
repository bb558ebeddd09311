//! Every "no" of the ledger to a player, as the API says it.

use domain::Rejection;
use domain::ledger::play::ChancePeriod;
use domain::ledger::{PlayRefusal, PoolRefusal, Refusal};

use crate::failure::Fault;

/// What is to be done about a refusal.
#[derive(Debug)]
pub(crate) enum Next {
    /// What was asked with is no longer true; read it again.
    Again,
    Tell(Rejection),
}

pub(crate) fn next(refusal: &Refusal) -> Result<Next, Fault> {
    Ok(match refusal {
        Refusal::Conflict => Next::Tell(Rejection::IdConflict),
        Refusal::ClockBehind { .. } => Next::Tell(Rejection::clock_behind()),
        Refusal::Play(refusal) => return next_of_play(refusal),
        // Whoever counts entries has not opened their pool, or has closed it.
        Refusal::Pool(
            PoolRefusal::Unknown { .. } | PoolRefusal::Frozen { .. } | PoolRefusal::Closed { .. },
        ) => Next::Tell(Rejection::EntriesGone { left: 0 }),
        Refusal::Pool(_) | Refusal::Hold(_) | Refusal::NothingDue => {
            return Err(Fault::new(format!("a player was refused as {}", refusal.name())));
        }
    })
}

/// The same for whoever wants an activity to run: players and buyers.
pub(crate) fn next_of_play(refusal: &PlayRefusal) -> Result<Next, Fault> {
    Ok(Next::Tell(match refusal {
        PlayRefusal::VersionStale { .. } | PlayRefusal::RoundStale { .. } | PlayRefusal::DayStale => {
            return Ok(Next::Again);
        }
        // Approved a moment ago: the ledger is about to hear of it.
        PlayRefusal::Unknown { .. } => Rejection::NotRunning,
        PlayRefusal::NotStarted { from, .. } => Rejection::NotStarted { from: *from },
        PlayRefusal::Ended { .. } => Rejection::Ended,
        PlayRefusal::Paused { .. } => Rejection::Paused,
        PlayRefusal::Halted => Rejection::Halted,
        PlayRefusal::ChancesSpent { left, scope, .. } => match scope {
            ChancePeriod::Total => Rejection::ChancesSpent { left: *left },
            ChancePeriod::Month => Rejection::ChancesSpentMonth { left: *left },
            ChancePeriod::Day => Rejection::ChancesSpentDay { left: *left },
        },
        PlayRefusal::EntriesGone { left, .. } => Rejection::EntriesGone { left: *left },
        PlayRefusal::ClientValueFixed { .. } => Rejection::ClientValueFixed,
        PlayRefusal::GrantOutOfRange { max } => Rejection::GrantOutOfRange { max: *max },
        PlayRefusal::RevokeOutOfRange { .. } => {
            return Err(Fault::new("a player was refused the return of chances"));
        }
    }))
}

#[cfg(test)]
mod tests {
    use domain::ids::ActivityId;
    use domain::time::Timestamp;

    use super::*;

    #[test]
    fn every_refusal_has_a_name_of_its_own() {
        let activity = ActivityId(7);
        let spent = |scope| Refusal::Play(PlayRefusal::ChancesSpent { activity, left: 2, scope });
        for (refusal, code) in [
            (Refusal::Play(PlayRefusal::Unknown { activity }), "not_running"),
            (Refusal::Play(PlayRefusal::NotStarted { activity, from: Timestamp(0) }), "not_started"),
            (Refusal::Play(PlayRefusal::Ended { activity }), "ended"),
            (Refusal::Play(PlayRefusal::Paused { activity }), "paused"),
            (Refusal::Play(PlayRefusal::Halted), "halted"),
            (spent(ChancePeriod::Total), "chances_spent"),
            (spent(ChancePeriod::Month), "chances_spent_month"),
            (spent(ChancePeriod::Day), "chances_spent_day"),
            (Refusal::Play(PlayRefusal::EntriesGone { activity, left: 1 }), "entries_gone"),
            (Refusal::Play(PlayRefusal::ClientValueFixed { activity }), "client_value_fixed"),
            (Refusal::Play(PlayRefusal::GrantOutOfRange { max: 3 }), "grant_out_of_range"),
            (Refusal::Conflict, "conflict"),
            (Refusal::ClockBehind { behind_ms: 9_000 }, "clock_behind"),
        ] {
            match next(&refusal).unwrap() {
                Next::Tell(rejection) => assert_eq!(rejection.code(), code, "{refusal:?}"),
                Next::Again => panic!("{refusal:?} is told"),
            }
        }
        for refusal in [
            Refusal::Play(PlayRefusal::VersionStale { activity, version: 2 }),
            Refusal::Play(PlayRefusal::RoundStale { activity, round: 2 }),
            Refusal::Play(PlayRefusal::DayStale),
        ] {
            assert!(matches!(next(&refusal), Ok(Next::Again)), "{refusal:?}");
        }
        assert!(next(&Refusal::NothingDue).is_err(), "it is never said to a player");
    }
}
