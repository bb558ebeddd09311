//! Changes one's password, knowing the old one. All other sessions end; the caller's goes on.

use domain::Rejection;
use domain::account::check_password;
use domain::rejection::{FieldProblem, MissingThing};
use store::model::PasswordChange;

use crate::caller::Caller;
use crate::failure::Result;
use crate::people::profile::phone_of;
use crate::people::sessions::SignedIn;
use crate::people::tries::{Guesser, begin_try};
use crate::world::World;

pub async fn password_change(
    world: &World,
    caller: &Caller,
    who: SignedIn,
    token_hash: [u8; 32],
    old: &str,
    new: &str,
) -> Result<()> {
    let account =
        world.db.account(who.user).await?.ok_or(Rejection::NotFound { what: MissingThing::User })?;
    // An account made by the company's backend has no phone and no password: there is nothing to change.
    let phone =
        phone_of(world, &account)?.ok_or_else(|| Rejection::invalid("phone", FieldProblem::Missing))?;
    check_password(new, &phone)?;
    let tried = begin_try(world, caller, Guesser::SignedIn(who.user)).await?;
    if !world.people.passwords.verify(old, account.password_hash.clone()).await? {
        return Err(Rejection::PasswordWrong.into());
    }
    let password_hash = world.people.passwords.hash(new, world.bytes()).await?;
    let step = PasswordChange {
        user: who.user,
        keep: who.session,
        seen_hash: account.password_hash,
        password_hash,
        now: world.now(),
    };
    world.db.password_change(step).await?;
    world.people.sessions.forget_user(who.user);
    world.people.sessions.forget_token(token_hash);
    tried.succeed(world).await
}
