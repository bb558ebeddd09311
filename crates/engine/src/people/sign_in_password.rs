//! Signs in with a phone and a password. Unknown phones cost as much time as known ones.

use domain::Rejection;
use domain::account::{PASSWORD_MAX, Phone};
use store::model::SignInByPassword;

use crate::caller::{Caller, Repeat};
use crate::failure::Result;
use crate::people::entry::{SignedInUser, consent, enter, new_session, once_for_phone, phone_index};
use crate::people::second_factor;
use crate::people::tries::{Guesser, begin_try};
use crate::world::World;

pub async fn sign_in_password(
    world: &World,
    caller: &Caller,
    repeat: Option<Repeat>,
    phone: &str,
    password: &str,
    second: Option<&str>,
    agreed: Option<&str>,
) -> Result<SignedInUser> {
    let phone = Phone::parse(&world.settings.phone_country, phone)?;
    let index = phone_index(world, &phone);
    let tried = begin_try(world, caller, Guesser::Stranger(&index)).await?;
    if password.chars().take(PASSWORD_MAX + 1).count() > PASSWORD_MAX {
        return Err(Rejection::CredentialsWrong.into());
    }
    let account = world.db.account_by_phone(index).await?;
    let stored = account.as_ref().and_then(|account| account.password_hash.clone());
    let right = world.people.passwords.verify(password, stored.clone()).await?;
    let (Some(account), Some(password_hash), true) = (account, stored, right) else {
        return Err(Rejection::CredentialsWrong.into());
    };
    // Only now: whoever does not know the password learns nothing of a second factor.
    let (second, second_tried) = second_factor::proof(world, caller, &index, second).await?.unzip();
    let rehashed = match world.people.passwords.is_current(&password_hash) {
        true => None,
        false => Some(world.people.passwords.hash(password, world.bytes()).await?),
    };
    let (cookies, mut session) = new_session(world, caller);
    session.consent = consent(world, agreed);
    let step = SignInByPassword {
        user: account.profile.id,
        password_hash,
        rehashed,
        second,
        session,
        now: world.now(),
        once: once_for_phone(world, &index, repeat, &cookies.token),
    };
    let made = world.db.sign_in_by_password(step).await?;
    tried.succeed(world).await?;
    if let Some(second_tried) = second_tried {
        second_tried.succeed(world).await?;
    }
    enter(world, &made, cookies)
}
