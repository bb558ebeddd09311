//! The rule of the second person (四眼原则): whoever asked for something does not decide it.
//!
//! Used by everything that needs approval: roles, keys, activities, voided wins, refunds, points and pieces beyond a day's limit.

use crate::Rejection;
use crate::ids::UserId;

/// Who decides: a person, or the machine's own administrator at the command line, who is nobody's author.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    Person(UserId),
    Console,
}

/// Passes when `decider` is another person than `author`.
pub fn second_person(author: Option<UserId>, decider: Decider) -> Result<(), Rejection> {
    match (author, decider) {
        (Some(author), Decider::Person(person)) if author == person => Err(Rejection::OwnWork),
        (_, Decider::Person(_) | Decider::Console) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_decides_their_own_request() {
        let (ann, bob) = (UserId(1), UserId(2));
        for (author, decider, passes) in [
            (Some(ann), Decider::Person(bob), true),
            (Some(ann), Decider::Person(ann), false),
            (None, Decider::Person(ann), true),
            (Some(ann), Decider::Console, true),
        ] {
            assert_eq!(second_person(author, decider).is_ok(), passes, "{author:?} {decider:?}");
        }
    }
}
