//! Moves an account to another phone: both numbers are proved in the same step. All other sessions end.

use domain::Rejection;
use domain::account::{CodeHolder, CodePurpose, Phone, PhoneCode};
use domain::rejection::{CodeField, FieldProblem, MissingThing};
use store::model::{CodeTry, PhoneChange};

use crate::caller::Caller;
use crate::failure::Result;
use crate::people::entry::{code_try, phone_index};
use crate::people::sessions::SignedIn;
use crate::people::tries::{Guesser, begin_try};
use crate::ports::SealContext;
use crate::world::World;

pub async fn phone_change(
    world: &World,
    caller: &Caller,
    who: SignedIn,
    token_hash: [u8; 32],
    old_code: &str,
    new_phone: &str,
    new_code: &str,
) -> Result<()> {
    let new = Phone::parse_as("new_phone", &world.settings.phone_country, new_phone)?;
    let (old_code, new_code) =
        (PhoneCode::parse_as("old_code", old_code)?, PhoneCode::parse_as("new_code", new_code)?);
    let account =
        world.db.account(who.user).await?.ok_or(Rejection::NotFound { what: MissingThing::User })?;
    let old_index =
        account.phone_index.ok_or_else(|| Rejection::invalid("old_code", FieldProblem::Unknown))?;
    let new_index = phone_index(world, &new);
    if old_index == new_index {
        return Err(Rejection::PhoneUnchanged.into());
    }
    let tried = begin_try(world, caller, Guesser::SignedIn(who.user)).await?;
    let holder = CodeHolder::User(who.user);
    let step = PhoneChange {
        user: who.user,
        old: CodeTry {
            at: CodeField("old_code"),
            ..code_try(world, caller, holder, old_index, CodePurpose::ConfirmPhone, &old_code)
        },
        new: CodeTry {
            at: CodeField("new_code"),
            ..code_try(world, caller, holder, new_index, CodePurpose::NewPhone, &new_code)
        },
        new_sealed: world.outside.vault.seal(SealContext::Phone, new.as_str().as_bytes()),
        keep: who.session,
    };
    world.db.phone_change(step).await?;
    world.people.sessions.forget_user(who.user);
    world.people.sessions.forget_token(token_hash);
    tried.succeed(world).await
}
