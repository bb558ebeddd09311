//! Nobody gives to, takes from or speaks for their own account: not in person, and not with a key they made.
//!
//! Every door that creates value or moves it for a user asks this rule with the person who answers for the act.

use crate::Rejection;
use crate::ids::UserId;

/// Passes when `responsible`, who acts or made the key that acts, is somebody else than the owner of `account`. The
/// command line and Windfall itself have no account.
pub fn own_account(responsible: Option<UserId>, account: UserId) -> Result<(), Rejection> {
    if responsible == Some(account) { Err(Rejection::OwnAccount) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_somebody_else_passes() {
        let (ann, bob) = (UserId(1), UserId(2));
        for (responsible, account, passes) in
            [(Some(ann), bob, true), (Some(ann), ann, false), (None, ann, true), (Some(bob), ann, true)]
        {
            assert_eq!(own_account(responsible, account).is_ok(), passes, "{responsible:?} {account:?}");
        }
    }
}
