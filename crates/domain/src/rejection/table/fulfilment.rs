//! Giving what was won.

use super::Row;
use crate::Rejection;
use crate::fulfilment as giving;
use crate::time::Timestamp;

rows! { fulfilment:
    FulfilmentStepIllegal { state: giving::FulfilmentState, step: giving::FulfilmentStep } = "fulfilment_step_illegal",
        "A prize that is {state} does not allow the step {step}.", "奖品处于{state}状态，不能执行{step}。";
    /// It is in somebody's hands, and nothing of ours can be taken back.
    GivenForGood { kind: giving::PrizeKind } = "given_for_good",
        "A {kind} that was delivered cannot be voided.", "已发放的{kind}无法收回。";
    /// Whoever won it did not ask in time.
    ClaimOver { at: Timestamp } = "claim_over",
        "The time to claim it ended at {at}.", "领取已于 {at} 截止。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (
            FulfilmentStepIllegal {
                state: giving::FulfilmentState::Given,
                step: giving::FulfilmentStep::Claim,
            },
            "A prize that is given does not allow the step claim.",
        ),
        (GivenForGood { kind: giving::PrizeKind::Parcel }, "A parcel that was delivered cannot be voided."),
        (ClaimOver { at: Timestamp(0) }, "The time to claim it ended at 1970-01-01 00:00 UTC."),
    ]
}
