//! Every "no" of the ledger to a player, as the API says it.

use domain::Rejection;
use domain::ledger::Refusal;
use domain::ledger::play::ChancePeriod;

use crate::failure::Fault;

/// What is to be done about a refusal.
#[derive(Debug)]
pub(crate) enum Next {
    /// What was asked with is no longer true; read it again.
    Again,
    Tell(Rejection),
}

pub(crate) fn next(refusal: &Refusal) -> Result<Next, Fault> {
    Ok(Next::Tell(match refusal {
        Refusal::VersionStale { .. } | Refusal::ActivityRoundStale { .. } | Refusal::DayStale => {
            return Ok(Next::Again);
        }
        // Approved a moment ago: the ledger is about to hear of it.
        Refusal::ActivityUnknown { .. } => Rejection::NotRunning,
        Refusal::NotStarted { from, .. } => Rejection::NotStarted { from: *from },
        Refusal::Ended { .. } => Rejection::Ended,
        Refusal::Paused { .. } => Rejection::Paused,
        Refusal::Halted => Rejection::Halted,
        Refusal::ChancesSpent { left, scope: ChancePeriod::Total, .. } => {
            Rejection::ChancesSpent { left: *left }
        }
        Refusal::ChancesSpent { left, scope: ChancePeriod::Month, .. } => {
            Rejection::ChancesSpentMonth { left: *left }
        }
        Refusal::ChancesSpent { left, scope: ChancePeriod::Day, .. } => {
            Rejection::ChancesSpentDay { left: *left }
        }
        Refusal::EntriesGone { left, .. } => Rejection::EntriesGone { left: *left },
        Refusal::ClientValueFixed { .. } => Rejection::ClientValueFixed,
        Refusal::GrantOutOfRange { max } => Rejection::GrantOutOfRange { max: *max },
        Refusal::Conflict => Rejection::IdConflict,
        Refusal::ClockBehind { .. } => Rejection::clock_behind(),
        // Whoever counts entries has not opened their pool, or has closed it.
        Refusal::PoolUnknown { .. } | Refusal::Frozen { .. } | Refusal::Closed { .. } => {
            Rejection::EntriesGone { left: 0 }
        }
        Refusal::RoundStale { .. }
        | Refusal::SoldOut { .. }
        | Refusal::LimitReached { .. }
        | Refusal::HoldUnknown
        | Refusal::AlreadyConfirmed
        | Refusal::AlreadyCancelled
        | Refusal::Expired
        | Refusal::NotHeld { .. }
        | Refusal::NotFree { .. }
        | Refusal::TotalTooLarge { .. }
        | Refusal::NoLines
        | Refusal::TooManyLines { .. }
        | Refusal::QuantityTooLarge { .. }
        | Refusal::TtlOutOfRange { .. }
        | Refusal::ExtendTooFar { .. }
        | Refusal::TombstonesFull { .. }
        | Refusal::NothingDue
        | Refusal::RevokeOutOfRange { .. } => {
            return Err(Fault::new(format!("a player was refused as {}", refusal.name())));
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
        let spent = |scope| Refusal::ChancesSpent { activity, left: 2, scope };
        for (refusal, code) in [
            (Refusal::ActivityUnknown { activity }, "not_running"),
            (Refusal::NotStarted { activity, from: Timestamp(0) }, "not_started"),
            (Refusal::Ended { activity }, "ended"),
            (Refusal::Paused { activity }, "paused"),
            (Refusal::Halted, "halted"),
            (spent(ChancePeriod::Total), "chances_spent"),
            (spent(ChancePeriod::Month), "chances_spent_month"),
            (spent(ChancePeriod::Day), "chances_spent_day"),
            (Refusal::EntriesGone { activity, left: 1 }, "entries_gone"),
            (Refusal::ClientValueFixed { activity }, "client_value_fixed"),
            (Refusal::GrantOutOfRange { max: 3 }, "grant_out_of_range"),
            (Refusal::Conflict, "conflict"),
            (Refusal::ClockBehind { behind_ms: 9_000 }, "clock_behind"),
        ] {
            match next(&refusal).unwrap() {
                Next::Tell(rejection) => assert_eq!(rejection.code(), code, "{refusal:?}"),
                Next::Again => panic!("{refusal:?} is told"),
            }
        }
        for refusal in [
            Refusal::VersionStale { activity, version: 2 },
            Refusal::ActivityRoundStale { activity, round: 2 },
            Refusal::DayStale,
        ] {
            assert!(matches!(next(&refusal), Ok(Next::Again)), "{refusal:?}");
        }
        assert!(next(&Refusal::NothingDue).is_err(), "it is never said to a player");
    }
}
