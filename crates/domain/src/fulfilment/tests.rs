//! The machine as a table: every state with every step.

use super::*;
use crate::Rejection;
use crate::time::Timestamp;

const NOW: Timestamp = Timestamp(1_000);

fn standing(kind: Kind, state: State) -> FulfilmentStatus {
    FulfilmentStatus { kind, state, due: None, claim_within_ms: None, claim_until: None }
}

#[test]
fn where_a_win_begins() {
    use State::{Claimable, Given, Ready, Waiting};
    let later = Grant::At(Timestamp(5_000));
    for (kind, grant, within, state, due, until) in [
        (Kind::Text, Grant::Now, None, Given, None, None),
        (Kind::Text, Grant::Now, Some(7), Claimable, None, Some(1_007)),
        (Kind::Text, Grant::ByHand, None, Waiting, None, None),
        (Kind::Code, Grant::Now, None, Ready, None, None),
        (Kind::Code, later, None, Waiting, Some(5_000), None),
        (Kind::Code, Grant::At(NOW), None, Ready, None, None),
        (Kind::Coupon, Grant::Now, Some(7), Claimable, None, Some(1_007)),
        (Kind::Points, Grant::Now, None, Ready, None, None),
        (Kind::Points, Grant::ByHand, Some(7), Waiting, None, None),
        (Kind::Chances, later, Some(7), Waiting, Some(5_000), None),
        (Kind::Parcel, Grant::Now, None, Claimable, None, None),
        (Kind::Parcel, Grant::Now, Some(7), Claimable, None, Some(1_007)),
        (Kind::Parcel, Grant::ByHand, None, Waiting, None, None),
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
    use State::{Claimable, Failed, Given, HandedOver, Ready, Shipped, ToShip, Voided, Waiting};
    let legal = [
        (Waiting, Step::Release, Ready),
        (Waiting, Step::Void, Voided),
        (Claimable, Step::Claim, Ready),
        (Claimable, Step::Void, Voided),
        (Ready, Step::Give, Given),
        (Ready, Step::HandOver, HandedOver),
        (Ready, Step::Fail, Failed),
        (ToShip, Step::Ship, Shipped),
        (ToShip, Step::Void, Voided),
        (Shipped, Step::Ship, Shipped),
        (Shipped, Step::Deliver, Given),
        (Shipped, Step::ReportGiven, Given),
        (Shipped, Step::ReportFailed, Failed),
        (HandedOver, Step::ReportGiven, Given),
        (HandedOver, Step::ReportFailed, Failed),
        (HandedOver, Step::Void, Voided),
        (Failed, Step::Redrive, Ready),
        (Failed, Step::Void, Voided),
    ];
    for state in State::ALL {
        for step in Step::ALL {
            let got = standing(Kind::Code, state).take(step, NOW).map(|next| next.state);
            let listed = legal.iter().find(|(from, by, _)| (*from, *by) == (state, step));
            let refused = match (state, step) {
                (Given, Step::Void) => Rejection::GivenForGood { kind: Kind::Code },
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
        (Kind::Text, false),
        (Kind::Code, false),
        (Kind::Coupon, false),
        (Kind::Parcel, false),
        (Kind::Points, true),
        (Kind::Chances, true),
    ] {
        let got = standing(kind, State::Given).take(Step::Void, NOW).map(|next| next.state);
        let expected = if taken { Ok(State::Voided) } else { Err(Rejection::GivenForGood { kind }) };
        assert_eq!(got, expected, "{kind:?}");
    }
}

/// A carrier loses parcels and brings others back: they are sent once more, or voided.
#[test]
fn a_parcel_that_was_sent_has_a_way_out() {
    let steps = |steps: &[Step]| {
        let shipped = Ok(standing(Kind::Parcel, State::Shipped));
        let end = steps.iter().fold(shipped, |standing, step| standing.and_then(|one| one.take(*step, NOW)));
        end.map(|end| end.state)
    };
    assert_eq!(steps(&[Step::ReportFailed]), Ok(State::Failed));
    assert_eq!(steps(&[Step::ReportFailed, Step::Redrive]), Ok(State::ToShip));
    assert_eq!(steps(&[Step::ReportFailed, Step::Redrive, Step::Ship, Step::Deliver]), Ok(State::Given));
    assert_eq!(steps(&[Step::ReportFailed, Step::Void]), Ok(State::Voided));
    let refused = Rejection::FulfilmentStepIllegal { state: State::Shipped, step: Step::Void };
    assert_eq!(steps(&[Step::Void]), Err(refused), "somebody may be opening it");
}

#[test]
fn hole_50_what_waits_is_not_given_before_its_time_nor_by_the_clock_alone() {
    let timed = FulfilmentStatus::begin(Kind::Points, Grant::At(Timestamp(5_000)), None, NOW);
    let by_hand = FulfilmentStatus::begin(Kind::Points, Grant::ByHand, None, NOW);
    for (standing, step, now, expected) in [
        (timed, Step::Due, 4_999, Err(Rejection::NotDue { at: Timestamp(5_000) })),
        (timed, Step::Due, 5_000, Ok(State::Ready)),
        // An operator may be earlier than the clock, and knows it.
        (timed, Step::Release, 1_001, Ok(State::Ready)),
        (
            by_hand,
            Step::Due,
            i64::MAX,
            Err(Rejection::FulfilmentStepIllegal { state: State::Waiting, step: Step::Due }),
        ),
        (by_hand, Step::Release, 1_001, Ok(State::Ready)),
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
    let parcel = FulfilmentStatus::begin(Kind::Parcel, Grant::Now, Some(7 * DAY_MS), won);
    for (step, now, expected) in [
        (Step::Claim, won, Ok(State::ToShip)),
        (Step::Claim, until - 1, Ok(State::ToShip)),
        (Step::Claim, until, Err(Rejection::ClaimOver { at: until })),
        (Step::Lapse, won + DAY_MS, Err(Rejection::NotDue { at: until })),
        (Step::Lapse, until - 1, Err(Rejection::NotDue { at: until })),
        (Step::Lapse, until, Ok(State::Unclaimed)),
    ] {
        assert_eq!(parcel.take(step, now).map(|next| next.state), expected, "{step:?} at {now}");
    }
    let over = parcel.take(Step::Lapse, until).unwrap();
    assert_eq!(over.take(Step::Claim, until + 1), Err(Rejection::ClaimOver { at: until }), "as before");
    let endless = FulfilmentStatus::begin(Kind::Parcel, Grant::Now, None, won);
    let refused = Rejection::FulfilmentStepIllegal { state: State::Claimable, step: Step::Lapse };
    assert_eq!(endless.take(Step::Lapse, Timestamp(i64::MAX)), Err(refused));
}

#[test]
fn what_a_kind_needs_after_its_release_and_its_claim() {
    for (kind, within, released, claimed) in [
        (Kind::Text, None, State::Given, None),
        (Kind::Text, Some(9), State::Claimable, Some(State::Given)),
        (Kind::Parcel, None, State::Claimable, Some(State::ToShip)),
        (Kind::Code, None, State::Ready, None),
        (Kind::Coupon, Some(9), State::Claimable, Some(State::Ready)),
        (Kind::Points, Some(9), State::Claimable, Some(State::Ready)),
        (Kind::Chances, None, State::Ready, None),
    ] {
        let next = FulfilmentStatus::begin(kind, Grant::ByHand, within, NOW)
            .take(Step::Release, Timestamp(2_000))
            .unwrap();
        assert_eq!(next.state, released, "{kind:?}");
        assert_eq!(next.claim_until, within.map(|within| Timestamp(2_000 + within)), "from the release on");
        let after = next.take(Step::Claim, Timestamp(2_001)).ok().map(|next| next.state);
        assert_eq!(after, claimed, "{kind:?}");
    }
}

#[test]
fn who_is_told() {
    for kind in Kind::ALL {
        for state in State::ALL {
            let expected = match state {
                State::Ready => kind.lane().map(Follows::Message),
                State::Unclaimed | State::Voided => Some(Follows::Return),
                _ => None,
            };
            assert_eq!(standing(kind, state).follows(), expected, "{kind:?} {state:?}");
        }
    }
}

#[test]
fn names_come_back() {
    for state in State::ALL {
        assert_eq!(State::parse(state.name()), Some(state));
    }
    assert_eq!(State::ALL.map(State::name).join(", "), State::NAMES);
    for kind in Kind::ALL {
        assert_eq!(Kind::parse(kind.name()), Some(kind));
    }
    assert_eq!(Kind::ALL.map(Kind::name).join(", "), Kind::NAMES);
    for grant in [Grant::Now, Grant::At(NOW), Grant::ByHand] {
        assert_eq!(Grant::parse(grant.name(), grant.at()), Some(grant));
    }
    for (name, at) in [("now", Some(NOW)), ("at", None), ("by_hand", Some(NOW)), ("", None)] {
        assert_eq!(Grant::parse(name, at), None, "{name}");
    }
}
