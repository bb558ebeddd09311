//! Moves an account to another phone: both numbers are proved in the same step.

use domain::Rejection;
use domain::account::{Code, Phone, Purpose};
use domain::ids::UserId;
use domain::rejection::{CodeField, FieldProblem, Subject};

use super::Caller;
use super::entry::{code_try, count_sign_in, phone_index};
use crate::failure::Outcome;
use crate::ports::{CodeTry, PhoneChange, Sealed};
use crate::world::World;

pub async fn phone_change(
    world: &World,
    caller: &Caller,
    user: UserId,
    old_code: &str,
    new_phone: &str,
    new_code: &str,
) -> Outcome<()> {
    let new = Phone::parse_as("new_phone", new_phone)?;
    let (old_code, new_code) = (Code::parse_as("old_code", old_code)?, Code::parse_as("new_code", new_code)?);
    let account = world.accounts.account(user).await?.ok_or(Rejection::NotFound { what: Subject::User })?;
    let old_index =
        account.phone_index.ok_or_else(|| Rejection::invalid("old_code", FieldProblem::Unknown))?;
    let new_index = phone_index(world, &new);
    if old_index == new_index {
        return Err(Rejection::PhoneUnchanged.into());
    }
    count_sign_in(world, caller, &old_index).await?;
    let step = PhoneChange {
        user,
        old: CodeTry {
            at: CodeField("old_code"),
            ..code_try(world, old_index, Purpose::ConfirmPhone, &old_code)
        },
        new: CodeTry {
            at: CodeField("new_code"),
            ..code_try(world, new_index, Purpose::NewPhone, &new_code)
        },
        new_sealed: world.vault.seal(Sealed::Phone, new.as_str().as_bytes()),
    };
    world.accounts.phone_change(step).await
}
