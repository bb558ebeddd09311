//! The life of a request that waits for a second person: waiting → approved, refused or withdrawn.

use super::{Decider, second_person};
use crate::Rejection;
use crate::ids::UserId;

crate::names! {
    pub enum ApprovalState {
        Waiting = "waiting",
        Approved = "approved",
        Refused = "refused",
        Withdrawn = "withdrawn",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Approve,
    Refuse,
    /// Taken back by the person who asked.
    Withdraw,
}

impl Decision {
    /// The state that follows, or why not. Repeating a decision that was already taken is the caller's
    /// business: the same decision by the same person is answered, not refused.
    pub fn apply(
        self,
        state: ApprovalState,
        author: Option<UserId>,
        decider: Decider,
    ) -> Result<ApprovalState, Rejection> {
        if state != ApprovalState::Waiting {
            return Err(Rejection::AlreadyDecided { state: state.name().to_owned() });
        }
        match self {
            Decision::Approve => second_person(author, decider).map(|()| ApprovalState::Approved),
            Decision::Refuse => second_person(author, decider).map(|()| ApprovalState::Refused),
            Decision::Withdraw => match (author, decider) {
                (Some(author), Decider::Person(person)) if author != person => {
                    Err(Rejection::NotFound { what: crate::rejection::MissingThing::Approval })
                }
                (_, Decider::Person(_) | Decider::Console) => Ok(ApprovalState::Withdrawn),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ApprovalState::*;
    use Decision::*;

    #[test]
    fn the_table_of_decisions() {
        let ann = Some(UserId(1));
        let (by_ann, by_bob) = (Decider::Person(UserId(1)), Decider::Person(UserId(2)));
        for (state, decision, decider, expected) in [
            (Waiting, Approve, by_bob, Ok(Approved)),
            (Waiting, Approve, by_ann, Err("own_work")),
            (Waiting, Approve, Decider::Console, Ok(Approved)),
            (Waiting, Refuse, by_bob, Ok(Refused)),
            (Waiting, Refuse, by_ann, Err("own_work")),
            (Waiting, Withdraw, by_ann, Ok(Withdrawn)),
            (Waiting, Withdraw, by_bob, Err("not_found")),
            (Approved, Approve, by_bob, Err("already_decided")),
            (Refused, Approve, by_bob, Err("already_decided")),
            (Withdrawn, Approve, by_bob, Err("already_decided")),
            (Approved, Withdraw, by_ann, Err("already_decided")),
        ] {
            let got = decision.apply(state, ann, decider).map_err(|rejection| rejection.code());
            assert_eq!(got, expected, "{state:?} {decision:?} {decider:?}");
        }
    }
}
