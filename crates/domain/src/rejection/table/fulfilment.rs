//! Giving what was won.

use super::Row;
use crate::Rejection;
use crate::fulfilment as giving;
use crate::time::Timestamp;

rows! { fulfilment:
    FulfilmentStepIllegal { state: giving::State, step: giving::Step } = "fulfilment_step_illegal",
        "A prize that is {state} does not take the step {step}.", "奖品处于{state}状态，不能执行{step}。";
    /// It is in somebody's hands, and nothing of ours can be taken back.
    GivenForGood { kind: giving::Kind } = "given_for_good",
        "What was given as a {kind} cannot be taken back.", "已发放的{kind}无法收回。";
    /// Whoever won it did not ask in time.
    ClaimOver { at: Timestamp } = "claim_over",
        "It could be claimed until {at}.", "领取已于 {at} 截止。";
}

/// Each as an example.
pub(super) fn shown() -> Vec<Row> {
    use Rejection::*;
    vec![
        (
            FulfilmentStepIllegal { state: giving::State::Given, step: giving::Step::Claim },
            "A prize that is given does not take the step claim.",
        ),
        (GivenForGood { kind: giving::Kind::Parcel }, "What was given as a parcel cannot be taken back."),
        (ClaimOver { at: Timestamp(0) }, "It could be claimed until 1970-01-01 00:00 UTC."),
    ]
}
