//! Deletes one's account: personal data goes, ledger rows keep an id that belongs to nobody.

use domain::Rejection;
use domain::account::{Code, Purpose};
use domain::ids::UserId;
use domain::rejection::{FieldProblem, Subject};

use super::Caller;
use super::entry::{code_try, count_sign_in};
use crate::failure::Outcome;
use crate::ports::AccountDelete;
use crate::world::World;

/// `code` proves the phone; an account without a phone needs none.
pub async fn account_delete(world: &World, caller: &Caller, user: UserId, code: Option<&str>) -> Outcome<()> {
    let account = world.accounts.account(user).await?.ok_or(Rejection::NotFound { what: Subject::User })?;
    let try_ = match (account.phone_index, code) {
        (None, _) => None,
        (Some(_), None) => return Err(Rejection::invalid("code", FieldProblem::Missing).into()),
        (Some(index), Some(code)) => {
            count_sign_in(world, caller, &index).await?;
            Some(code_try(world, index, Purpose::ConfirmPhone, &Code::parse(code)?))
        }
    };
    world.accounts.account_delete(AccountDelete { user, try_, now: world.now() }).await?;
    world.sessions.forget_user(user);
    Ok(())
}
