//! The machine as a table: every state with every step.

use super::*;
use crate::Rejection;
use crate::time::Timestamp;

const NOW: Timestamp = Timestamp(1_000);

fn standing(kind: PrizeKind, state: FulfilmentState) -> FulfilmentStatus {
    FulfilmentStatus { kind, state, due: None, claim_within_ms: None, claim_until: None }
}

#[test]
fn where_a_win_begins() {
    use FulfilmentState::{Claimable, Given, Ready, Waiting};
    let later = Grant::At(Timestamp(5_000));
    for (kind, grant, within, state, due, until) in [
        (PrizeKind::Text, Grant::Now, None, Given, None, None),
        (PrizeKind::Text, Grant::Now, Some(7), Claimable, None, Some(1_007)),
        (PrizeKind::Text, Grant::ByHand, None, Waiting, None, None),
        (PrizeKind::Code, Grant::Now, None, Ready, None, None),
        (PrizeKind::Code, later, None, Waiting, Some(5_000), None),
        (PrizeKind::Code, Grant::At(NOW), None, Ready, None, None),
        (PrizeKind::Coupon, Grant::Now, Some(7), Claimable, None, Some(1_007)),
        (PrizeKind::Points, Grant::Now, None, Ready, None, None),
        (PrizeKind::Points, Grant::ByHand, Some(7), Waiting, None, None),
        (PrizeKind::Chances, later, Some(7), Waiting, Some(5_000), None),
        (PrizeKind::Parcel, Grant::Now, None, Claimable, None, None),
        (PrizeKind::Parcel, Grant::Now, Some(7), Claimable, None, Some(1_007)),
        (PrizeKind::Parcel, Grant::ByHand, None, Waiting, None, None),
    ] {
        let got = FulfilmentStatus::begin(kind, grant, within, NOW);
        let expected = FulfilmentStatus {
            kind,
            state,
            due: due.map(Timestamp),
            claim_within_ms: within,
            claim_until: until.map(Timestamp),
        };
        assert_eq!(got, expected, "{kind:?} {grant:?} {within:?}");
    }
}

/// What follows for something that is given by a message; every pair that is not listed is refused, naming the state.
#[test]
fn every_state_with_every_step() {
    use FulfilmentState::{Claimable, Failed, Given, HandedOver, Ready, Shipped, ToShip, Voided, Waiting};
    let legal = [
        (Waiting, FulfilmentStep::Release, Ready),
        (Waiting, FulfilmentStep::Void, Voided),
        (Claimable, FulfilmentStep::Claim, Ready),
        (Claimable, FulfilmentStep::Void, Voided),
        (Ready, FulfilmentStep::Give, Given),
        (Ready, FulfilmentStep::HandOver, HandedOver),
        (Ready, FulfilmentStep::Fail, Failed),
        (ToShip, FulfilmentStep::Ship, Shipped),
        (ToShip, FulfilmentStep::Void, Voided),
        (Shipped, FulfilmentStep::Ship, Shipped),
        (Shipped, FulfilmentStep::Deliver, Given),
        (Shipped, FulfilmentStep::ReportGiven, Given),
        (Shipped, FulfilmentStep::ReportFailed, Failed),
        (HandedOver, FulfilmentStep::ReportGiven, Given),
        (HandedOver, FulfilmentStep::ReportFailed, Failed),
        (HandedOver, FulfilmentStep::Void, Voided),
        (Failed, FulfilmentStep::Redrive, Ready),
        (Failed, FulfilmentStep::Void, Voided),
    ];
    for state in FulfilmentState::ALL {
        for step in FulfilmentStep::ALL {
            let got = standing(PrizeKind::Code, state).take(step, NOW).map(|next| next.state);
            let listed = legal.iter().find(|(from, by, _)| (*from, *by) == (state, step));
            let refused = match (state, step) {
                (Given, FulfilmentStep::Void) => Rejection::GivenForGood { kind: PrizeKind::Code },
                _ => Rejection::FulfilmentStepIllegal { state, step },
            };
            let expected = listed.map(|(_, _, to)| *to).ok_or(refused);
            assert_eq!(got, expected, "{state:?} {step:?}");
            assert!(!state.is_final() || got.is_err(), "{state:?} is final");
        }
    }
}

/// What Windfall keeps itself can be taken back; everything else is in somebody's hands.
#[test]
fn what_was_given_is_voided_where_it_can_be_taken_back() {
    for (kind, taken) in [
        (PrizeKind::Text, false),
        (PrizeKind::Code, false),
        (PrizeKind::Coupon, false),
        (PrizeKind::Parcel, false),
        (PrizeKind::Points, true),
        (PrizeKind::Chances, true),
    ] {
        let got =
            standing(kind, FulfilmentState::Given).take(FulfilmentStep::Void, NOW).map(|next| next.state);
        let expected =
            if taken { Ok(FulfilmentState::Voided) } else { Err(Rejection::GivenForGood { kind }) };
        assert_eq!(got, expected, "{kind:?}");
    }
}

/// A carrier loses parcels and brings others back: they are sent once more, or voided.
#[test]
fn a_parcel_that_was_sent_has_a_way_out() {
    let steps = |steps: &[FulfilmentStep]| {
        let shipped = Ok(standing(PrizeKind::Parcel, FulfilmentState::Shipped));
        let end = steps.iter().fold(shipped, |standing, step| standing.and_then(|one| one.take(*step, NOW)));
        end.map(|end| end.state)
    };
    assert_eq!(steps(&[FulfilmentStep::ReportFailed]), Ok(FulfilmentState::Failed));
    assert_eq!(steps(&[FulfilmentStep::ReportFailed, FulfilmentStep::Redrive]), Ok(FulfilmentState::ToShip));
    assert_eq!(
        steps(&[
            FulfilmentStep::ReportFailed,
            FulfilmentStep::Redrive,
            FulfilmentStep::Ship,
            FulfilmentStep::Deliver
        ]),
        Ok(FulfilmentState::Given)
    );
    assert_eq!(steps(&[FulfilmentStep::ReportFailed, FulfilmentStep::Void]), Ok(FulfilmentState::Voided));
    let refused =
        Rejection::FulfilmentStepIllegal { state: FulfilmentState::Shipped, step: FulfilmentStep::Void };
    assert_eq!(steps(&[FulfilmentStep::Void]), Err(refused), "somebody may be opening it");
}

#[test]
fn hole_50_what_waits_is_not_given_before_its_time_nor_by_the_clock_alone() {
    let timed = FulfilmentStatus::begin(PrizeKind::Points, Grant::At(Timestamp(5_000)), None, NOW);
    let by_hand = FulfilmentStatus::begin(PrizeKind::Points, Grant::ByHand, None, NOW);
    for (standing, step, now, expected) in [
        (timed, FulfilmentStep::Due, 4_999, Err(Rejection::NotDue { at: Timestamp(5_000) })),
        (timed, FulfilmentStep::Due, 5_000, Ok(FulfilmentState::Ready)),
        // An operator may be earlier than the clock, and knows it.
        (timed, FulfilmentStep::Release, 1_001, Ok(FulfilmentState::Ready)),
        (
            by_hand,
            FulfilmentStep::Due,
            i64::MAX,
            Err(Rejection::FulfilmentStepIllegal {
                state: FulfilmentState::Waiting,
                step: FulfilmentStep::Due,
            }),
        ),
        (by_hand, FulfilmentStep::Release, 1_001, Ok(FulfilmentState::Ready)),
    ] {
        let got = standing.take(step, Timestamp(now)).map(|next| next.state);
        assert_eq!(got, expected, "{standing:?} {step:?} {now}");
    }
    for waiting in [timed, by_hand] {
        assert_eq!(waiting.follows(), None, "nobody is told of what waits");
    }
}

/// Hole 49 is about arithmetic on packed dates: here a deadline is a moment and a comparison, at the end of a month too.
#[test]
fn hole_49_a_claim_ends_at_its_moment_and_not_before() {
    use crate::time::DAY_MS;
    // 2026-01-31 00:00 UTC.
    let won = Timestamp(1_769_817_600_000);
    let until = won + 7 * DAY_MS;
    let parcel = FulfilmentStatus::begin(PrizeKind::Parcel, Grant::Now, Some(7 * DAY_MS), won);
    for (step, now, expected) in [
        (FulfilmentStep::Claim, won, Ok(FulfilmentState::ToShip)),
        (FulfilmentStep::Claim, until - 1, Ok(FulfilmentState::ToShip)),
        (FulfilmentStep::Claim, until, Err(Rejection::ClaimOver { at: until })),
        (FulfilmentStep::Lapse, won + DAY_MS, Err(Rejection::NotDue { at: until })),
        (FulfilmentStep::Lapse, until - 1, Err(Rejection::NotDue { at: until })),
        (FulfilmentStep::Lapse, until, Ok(FulfilmentState::Unclaimed)),
    ] {
        assert_eq!(parcel.take(step, now).map(|next| next.state), expected, "{step:?} at {now}");
    }
    let over = parcel.take(FulfilmentStep::Lapse, until).unwrap();
    assert_eq!(
        over.take(FulfilmentStep::Claim, until + 1),
        Err(Rejection::ClaimOver { at: until }),
        "as before"
    );
    let endless = FulfilmentStatus::begin(PrizeKind::Parcel, Grant::Now, None, won);
    let refused =
        Rejection::FulfilmentStepIllegal { state: FulfilmentState::Claimable, step: FulfilmentStep::Lapse };
    assert_eq!(endless.take(FulfilmentStep::Lapse, Timestamp(i64::MAX)), Err(refused));
}

#[test]
fn what_a_kind_needs_after_its_release_and_its_claim() {
    for (kind, within, released, claimed) in [
        (PrizeKind::Text, None, FulfilmentState::Given, None),
        (PrizeKind::Text, Some(9), FulfilmentState::Claimable, Some(FulfilmentState::Given)),
        (PrizeKind::Parcel, None, FulfilmentState::Claimable, Some(FulfilmentState::ToShip)),
        (PrizeKind::Code, None, FulfilmentState::Ready, None),
        (PrizeKind::Coupon, Some(9), FulfilmentState::Claimable, Some(FulfilmentState::Ready)),
        (PrizeKind::Points, Some(9), FulfilmentState::Claimable, Some(FulfilmentState::Ready)),
        (PrizeKind::Chances, None, FulfilmentState::Ready, None),
    ] {
        let next = FulfilmentStatus::begin(kind, Grant::ByHand, within, NOW)
            .take(FulfilmentStep::Release, Timestamp(2_000))
            .unwrap();
        assert_eq!(next.state, released, "{kind:?}");
        assert_eq!(next.claim_until, within.map(|within| Timestamp(2_000 + within)), "from the release on");
        let after = next.take(FulfilmentStep::Claim, Timestamp(2_001)).ok().map(|next| next.state);
        assert_eq!(after, claimed, "{kind:?}");
    }
}

#[test]
fn who_is_told() {
    for kind in PrizeKind::ALL {
        for state in FulfilmentState::ALL {
            let expected = match state {
                FulfilmentState::Ready => kind.lane().map(FollowUp::Message),
                FulfilmentState::Unclaimed | FulfilmentState::Voided => Some(FollowUp::Return),
                _ => None,
            };
            assert_eq!(standing(kind, state).follows(), expected, "{kind:?} {state:?}");
        }
    }
}

#[test]
fn names_come_back() {
    for state in FulfilmentState::ALL {
        assert_eq!(FulfilmentState::parse(state.name()), Some(state));
    }
    assert_eq!(FulfilmentState::ALL.map(FulfilmentState::name).join(", "), FulfilmentState::NAMES);
    for kind in PrizeKind::ALL {
        assert_eq!(PrizeKind::parse(kind.name()), Some(kind));
    }
    assert_eq!(PrizeKind::ALL.map(PrizeKind::name).join(", "), PrizeKind::NAMES);
    for grant in [Grant::Now, Grant::At(NOW), Grant::ByHand] {
        assert_eq!(Grant::parse(grant.name(), grant.at()), Some(grant));
    }
    for (name, at) in [("now", Some(NOW)), ("at", None), ("by_hand", Some(NOW)), ("", None)] {
        assert_eq!(Grant::parse(name, at), None, "{name}");
    }
}
